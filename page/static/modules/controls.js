/** What is said and can be pressed around a board, and the end of a game: on the page and in <puzzle-base>. */

import { showChips } from "./chips.js";
import { counted, html } from "./dom.js";
import { Hints, NEXT } from "./hints.js";
import { backButton, backWords } from "./lost.js";
import { Offline } from "./problem.js";
import { sentence, starRow, worthOf } from "./stars.js";
import { Truth } from "./truth.js";

const DOWN = "The connection is down, and this hint is not known here. It comes when the connection is back.";
const BRIEFLY = 3500;

/** What is shown has the same ids on the page and in the element. */
export class Controls {
  #told = 0;

  /** @param {ById} byId @param {Player} player @param {About} about @param {Host} host */
  constructor(byId, player, about, host) {
    this.byId = byId;
    this.player = player;
    this.about = about;
    this.host = host;
    this.truth = new Truth(player.puzzle, about);
    this.hints = new Hints(player, this.truth);
    player.lookAhead = !this.truth.searched;
    player.on("change", (detail) => this.#changed(detail));
    player.on("board", () => this.#arrived());
    player.on("told", (text) => this.#tellBriefly(text));
    player.on("typed", (keys) => (byId("typed").textContent = keys));
    this.hints.on("hint", (hint) => this.#hinted(hint));
    const presses = { undo: () => this.go(-1), redo: () => this.go(1), restart: () => this.restart(), next: () => host.scramble() };
    for (const [id, press] of Object.entries(presses)) byId(id)?.addEventListener("click", press);
    byId("hint").addEventListener("click", () => byId("hint").getAttribute("aria-disabled") || this.hint());
    host.keys.addEventListener("keydown", (/** @type {any} */ event) => this.#pressed(event));
  }

  /** @param {number} by */
  go(by) {
    const { canUndo, canRedo } = this.player.game;
    if (by < 0 ? canUndo : by > 0 && canRedo) this.host.go(by);
  }

  restart() {
    this.go(-this.player.game.at);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const key = event.key.toLowerCase();
    const other = !(event.ctrlKey || event.metaKey) || event.altKey || event.target instanceof HTMLInputElement;
    if (other || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    this.go(key === "y" || event.shiftKey ? 1 : -1);
  }

  async hint() {
    this.byId("hint").setAttribute("aria-busy", "true");
    try {
      await this.hints.next();
    } catch (error) {
      if (error instanceof Offline) this.byId("hint-text").textContent = DOWN;
      this.host.tell(error);
    } finally {
      this.byId("hint").setAttribute("aria-busy", "false");
    }
  }

  /** @param {Change} detail */
  #changed({ kind, move }) {
    const { game } = this.player;
    for (const [id, on] of Object.entries({ undo: game.canUndo, redo: game.canRedo, restart: game.canUndo })) {
      this.byId(id).toggleAttribute("disabled", !on);
    }
    this.byId("solved").hidden = true;
    this.byId("board").parentElement?.classList.remove("won");
    if (kind !== "move") this.#quiet();
    /** @type {Record<string, string>} */
    const done = { undo: `Took back ${move}`, jump: `Step ${game.at}`, line: `Step ${game.at}`, begin: "New position" };
    this.#announce(done[kind] ?? move);
    if (kind === "move") this.#end().catch(this.host.tell);
    else this.#offer();
  }

  async #end() {
    const { game } = this.player;
    const { state } = game;
    if (!(await this.truth.solved(state))) return;
    if (this.truth.searched) {
      await this.player.settled;
      this.#show(!this.host.stars(), html("p", {}, `Solved in ${counted(game.at, "move")}. A search looks for the fewest.`));
    }
    const worth = await worthOf(this.player);
    await this.player.settled;
    if (game.state !== state) return;
    this.hints.clear();
    this.#show(!this.host.stars(), starRow(worth.stars), html("p", {}, sentence(worth)), ...this.host.ended(worth));
    this.byId("board").parentElement?.classList.add("won");
    this.#quiet();
    this.byId("live").textContent = `${game.moves[game.at - 1]}. ${sentence(worth)} ${worth.stars} of 3 stars. State ${state}`;
  }

  /** @param {string} done */
  #announce(done) {
    const { state } = this.player.game;
    const asked = this.hints.step > 0 || this.byId("truth")?.hasAttribute("open");
    const distance = asked ? this.player.puzzle.knownDistance(state) : undefined;
    const far = distance !== undefined && distance !== null ? ` ${counted(distance, "move")} from solved.` : "";
    this.byId("live").textContent = `${done}.${far} State ${state}`;
  }

  #arrived() {
    const { board, view } = this.player;
    if (!board) return;
    showChips(this.byId("moves"), board.moves, this.player);
    view.element.setAttribute("aria-label", `Board, state ${board.state}`);
    this.#quiet();
    this.#offer();
  }

  /** The button stays where it is for those who have it in focus. */
  #quiet() {
    const { board, game, puzzle } = this.player;
    const solved = puzzle.knownDistance(game.state) === 0 || (board?.state === game.state && board.state === board.solved);
    const hint = this.byId("hint");
    if (solved) hint.setAttribute("aria-disabled", "true");
    else hint.removeAttribute("aria-disabled");
    this.byId("hint-next").textContent = solved ? "solved" : (NEXT[this.hints.step] ?? "");
  }

  /** @param {string} text */
  #tellBriefly(text) {
    const told = this.byId("told");
    told.textContent = text;
    told.hidden = false;
    this.byId("live").textContent = text;
    clearTimeout(this.#told);
    this.#told = setTimeout(() => (told.hidden = true), BRIEFLY);
  }

  #offer() {
    const { board, game } = this.player;
    if (game.moves.length > 0 || !board || board.state !== game.state || board.state !== board.solved) return;
    const scramble = html("button", { type: "button", part: "button", click: () => this.host.scramble() }, "Scramble it");
    this.#show(false, html("p", {}, "This is the goal itself. Begin somewhere else:"), scramble);
  }

  /** @param {boolean} hidden @param {...Node} said */
  #show(hidden, ...said) {
    this.byId("solved").replaceChildren(...said);
    this.byId("solved").hidden = hidden;
  }

  /** @param {{ text: string, back: number | null }} hint */
  #hinted({ text, back }) {
    this.byId("hint-text").replaceChildren(text, backButton(this.player, back));
    this.#quiet();
    if (text) this.byId("live").textContent = back ? `${text} ${backWords(back)}.` : text;
  }
}
