/** The buttons around the board, what they announce, and what is said of a solved state. */

import { showChips } from "./chips.js";
import { brief, counted, html } from "./dom.js";
import { showEnding } from "./ending.js";
import { NEXT } from "./hints.js";
import { backButton, backWords } from "./lost.js";
import { Offline } from "./problem.js";
import { sentence, worthOf } from "./stars.js";
import { searchingFor } from "./truth.js";

const DOWN = "The connection is down, and this hint is not known here. It comes when the connection is back.";
/** Milliseconds. */
const BRIEFLY = 3500;

export class Controls {
  #told = 0;

  /**
   * @param {ById} byId @param {Player} player @param {Hints} hints @param {Truth} truth
   * @param {Address} address @param {NewPositions} positions @param {Tell} tell
   */
  constructor(byId, player, hints, truth, address, positions, tell) {
    this.byId = byId;
    this.player = player;
    this.hints = hints;
    this.truth = truth;
    this.positions = positions;
    this.tell = tell;
    byId("undo").addEventListener("click", () => address.go(-1));
    byId("redo").addEventListener("click", () => address.go(1));
    byId("restart").addEventListener("click", () => address.go(-player.game.at));
    byId("hint").addEventListener("click", () => this.#hint());
    byId("give-up").addEventListener("click", () => truth.giveUp());
    player.addEventListener("change", (event) => this.#changed(/** @type {CustomEvent} */ (event).detail));
    player.addEventListener("board", () => this.#arrived());
    player.addEventListener("told", (event) => this.#tellBriefly(/** @type {CustomEvent} */ (event).detail));
    player.addEventListener("typed", (event) => {
      byId("typed").textContent = /** @type {CustomEvent} */ (event).detail;
    });
    hints.addEventListener("hint", (event) => this.#hinted(/** @type {CustomEvent} */ (event).detail));
    truth.addEventListener("progress", (event) => this.#progress(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("keydown", (event) => {
      const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
      if (!undo || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (event.shiftKey ? player.game.canRedo : player.game.canUndo) address.go(event.shiftKey ? 1 : -1);
    });
  }

  async #hint() {
    if (this.byId("hint").getAttribute("aria-disabled")) return;
    this.byId("hint").setAttribute("aria-busy", "true");
    try {
      await this.hints.next();
    } catch (error) {
      if (error instanceof Offline) this.byId("hint-text").textContent = DOWN;
      this.tell(error);
    } finally {
      this.byId("hint").removeAttribute("aria-busy");
    }
  }

  /** @param {{ kind: string, move: string }} detail */
  #changed({ kind, move }) {
    const { game } = this.player;
    this.byId("count").textContent = counted(game.at, "move");
    for (const [id, on] of /** @type {[string, boolean][]} */ ([["undo", game.canUndo], ["redo", game.canRedo], ["restart", game.canUndo]])) {
      this.byId(id).toggleAttribute("disabled", !on);
    }
    this.byId("solved").hidden = true;
    this.byId("board").parentElement?.classList.remove("won");
    this.byId("kind").textContent = this.positions.said;
    if (kind !== "move") this.#quiet();
    if (kind === "begin") this.#sayHowHard().catch(() => null);
    /** @type {Record<string, string>} */
    const done = { move, undo: `Took back ${move}`, redo: move, jump: `Step ${game.at}`, line: `Step ${game.at}`, begin: "New position" };
    this.#announce(done[kind] ?? "");
    if (kind === "move") this.#end().catch(this.tell);
    else this.#offer();
  }

  async #end() {
    const { game } = this.player;
    const { state } = game;
    if (!(await this.truth.solved(state))) return;
    const solved = this.byId("solved");
    if (this.truth.searched) {
      await this.player.settled;
      solved.replaceChildren(html("p", {}, `Solved in ${counted(game.at, "move")}. A search looks for the fewest.`));
      solved.hidden = false;
    }
    const worth = await worthOf(this.player);
    await this.player.settled;
    if (game.state !== state) return;
    this.hints.clear();
    showEnding(solved, this.player, this.positions, worth, () => this.byId("restart").click());
    this.byId("board").parentElement?.classList.add("won");
    this.#quiet();
    const made = game.moves[game.at - 1];
    this.byId("live").textContent = `${made}. ${sentence(worth)} ${worth.stars} of 3 stars. State ${state}`;
  }

  /** The distance is told where the player has asked for it. @param {string} done */
  #announce(done) {
    const { state } = this.player.game;
    const asked = this.hints.step > 0 || this.byId("truth").hasAttribute("open");
    const distance = asked ? this.player.puzzle.knownDistance(state) : undefined;
    const far = distance !== undefined && distance !== null ? ` ${counted(distance, "move")} from solved.` : "";
    this.byId("live").textContent = `${done}.${far} State ${state}`;
  }

  #arrived() {
    const { board } = this.player;
    if (!board) return;
    showChips(this.byId("moves"), board.moves, this.player);
    this.player.view.element.setAttribute("aria-label", `Board, state ${board.state}`);
    this.#quiet();
    this.#offer();
  }

  /** Say it of a game that a link leads to as well, where a table knows. */
  async #sayHowHard() {
    const { game } = this.player;
    if (!this.truth.searched) await this.truth.ask(game.start);
    this.byId("kind").textContent = this.positions.said;
  }

  /** The button stays where it is for those who have it in focus. */
  #quiet() {
    const { board, game, puzzle } = this.player;
    const solved = puzzle.knownDistance(game.state) === 0 || (board?.state === game.state && board.state === board.solved);
    const hint = this.byId("hint");
    if (solved) hint.setAttribute("aria-disabled", "true");
    else hint.removeAttribute("aria-disabled");
    if (solved || this.hints.step === 0) this.byId("hint-next").textContent = solved ? "solved" : (NEXT[0] ?? "");
  }

  /** @param {string} text */
  #tellBriefly(text) {
    const told = this.byId("told");
    told.textContent = text;
    told.hidden = false;
    this.byId("live").textContent = text;
    clearTimeout(this.#told);
    this.#told = Number(setTimeout(() => (told.hidden = true), BRIEFLY));
  }

  #offer() {
    const { board, game } = this.player;
    if (game.moves.length > 0 || !board || board.state !== game.state || board.state !== board.solved) return;
    const scramble = html("button", { type: "button", click: () => this.positions.draw(this.positions.first) }, "Scramble it");
    this.byId("solved").replaceChildren(html("p", {}, "This is the goal itself. Begin somewhere else:"), scramble);
    this.byId("solved").hidden = false;
  }

  /** @param {{ text: string, distance: Count | null, step: number, back: number | null }} hint */
  #hinted({ text, distance, step, back }) {
    this.byId("hint-text").replaceChildren(text, backButton(this.player, back));
    this.byId("hint-next").textContent = NEXT[step] ?? "";
    this.#quiet();
    const badge = this.byId("badge");
    badge.hidden = distance === null || text === "";
    badge.textContent = distance === null ? "" : brief(distance);
    if (text) this.byId("live").textContent = back ? `${text} ${backWords(back)}.` : text;
  }

  /** @param {Searching | null} progress */
  #progress(progress) {
    this.byId("search").hidden = progress === null;
    if (!progress) return;
    this.byId("search-text").textContent = searchingFor(progress);
  }
}
