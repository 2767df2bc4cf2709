/** <puzzle-base>: a puzzle on a game's own page, from this service, whatever the page's origin. */

import { showChips } from "./chips.js";
import { Service } from "./client.js";
import { html, svg } from "./dom.js";
import { Hints, NEXT } from "./hints.js";
import { backButton, backWords } from "./lost.js";
import { Player } from "./player.js";
import { sentence, starRow, worthOf } from "./stars.js";
import { Truth } from "./truth.js";

const SERVICE = new URL("../../../", import.meta.url);
const STYLES = ["../common.css", "../board.css", "../element.css"].map((path) => new URL(path, import.meta.url).href);

/**
 * Attributes: `puzzle` its name; `goal` and `state`; `hints` and `stars` ask for a hint button and for stars at the end;
 * `service` where the service is, by default where this module comes from.
 *
 * Events: `move` after each step, with { kind, move, state, moves }; `solved` with { state, moves, stars, wasted, fewest };
 * `problem` with { error }.
 */
export class PuzzleBase extends HTMLElement {
  static observedAttributes = ["puzzle", "goal", "state", "service"];

  /** @type {Player | null} */
  #player = null;
  /** @type {Truth | null} */
  #truth = null;
  /** @type {Hints | null} */
  #hints = null;
  #waiting = false;

  connectedCallback() {
    this.#beginSoon();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#beginSoon();
  }

  /** The state that is shown. */
  get state() {
    return this.#player?.game.state ?? "";
  }

  /** The moves made so far. */
  get moves() {
    return this.#player?.game.made ?? [];
  }

  /** Take the last move back. */
  undo() {
    this.#player?.game.goTo(this.#player.game.at - 1);
  }

  /** Make a move again that was taken back. */
  redo() {
    this.#player?.game.goTo(this.#player.game.at + 1);
  }

  /** Go back to where the game began. */
  restart() {
    this.#player?.game.goTo(0);
  }

  /**
   * Make a move by its name; false if it is not legal.
   * @param {string} move
   */
  play(move) {
    return this.#player?.play(move) ?? false;
  }

  /** The next step of help. */
  async hint() {
    await this.#hints?.next().catch((error) => this.#tell("problem", { error }));
  }

  /**
   * Begin at a random state.
   * @param {Parameters<import("./client.js").Puzzle["random"]>[0]} [options]
   */
  async scramble(options) {
    const found = await this.#player?.puzzle.random(options);
    if (found) await this.#player?.open(found.state);
  }

  /** Attributes that change together begin one game. */
  #beginSoon() {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      this.#begin().catch((error) => this.#tell("problem", { error }));
    });
  }

  async #begin() {
    const name = this.getAttribute("puzzle");
    if (!name) return;
    const service = new Service(new URL(this.getAttribute("service") ?? SERVICE, location.href));
    const puzzle = service.puzzle(name, { goal: this.getAttribute("goal") });
    const board = svg("svg", { class: "board", role: "application", tabindex: 0, "aria-label": "Board", "aria-describedby": "moves", part: "board" });
    const live = html("p", { class: "unseen", "aria-live": "polite" });
    const end = html("div", { class: "solved", part: "stars", hidden: true });
    const said = html("p", { class: "hint-text", part: "hint" });
    const chips = html("div", { class: "chips", id: "moves", role: "group", "aria-label": "Moves", part: "moves" });
    const next = html("span", { class: "hint-next" }, NEXT[0] ?? "");
    const button = html("button", { type: "button", class: "main", part: "button", click: () => this.hint() }, "Hint", " ", next);
    const undo = html("button", { type: "button", part: "button", disabled: true, click: () => this.undo() }, "Undo");
    const controls = html("div", { class: "controls" }, this.hasAttribute("hints") ? button : null, undo);
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const styles = STYLES.map((href) => html("link", { rel: "stylesheet", href }));
    root.replaceChildren(...styles, board, end, controls, this.hasAttribute("hints") ? said : "", chips, live);

    const player = (this.#player = new Player(board, puzzle));
    const about = await puzzle.about();
    if (this.#player !== player) return;
    const truth = (this.#truth = new Truth(puzzle, about));
    const hints = (this.#hints = new Hints(player, truth));
    player.lookAhead = !truth.searched;
    hints.addEventListener("hint", (event) => {
      const { text, step, back } = /** @type {CustomEvent} */ (event).detail;
      live.textContent = back ? `${text} ${backWords(back)}.` : text;
      said.replaceChildren(text, backButton(player, back));
      next.textContent = NEXT[step] ?? "";
    });
    player.addEventListener("problem", (event) => this.#tell("problem", { error: /** @type {CustomEvent} */ (event).detail }));
    player.addEventListener("board", () => {
      showChips(chips, player.board?.moves ?? [], player, "button");
      board.setAttribute("aria-label", `Board, state ${player.game.state}`);
    });
    player.addEventListener("change", (event) => {
      const { kind, move } = /** @type {CustomEvent} */ (event).detail;
      end.hidden = true;
      undo.disabled = !player.game.canUndo;
      live.textContent = `${move} State ${player.game.state}`;
      this.#tell("move", { kind, move, state: player.game.state, moves: player.game.made });
      if (kind === "move") this.#end(end, live).catch((error) => this.#tell("problem", { error }));
    });
    await player.open(this.getAttribute("state") ?? undefined);
  }

  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} live
   */
  async #end(place, live) {
    const player = this.#player;
    const state = player?.game.state ?? "";
    if (!player || !(await this.#truth?.solved(state))) return;
    const worth = await worthOf(player);
    await player.settled;
    if (player.game.state !== state) return;
    this.#hints?.clear();
    live.textContent = `${sentence(worth)} ${worth.stars} of 3 stars.`;
    if (this.hasAttribute("stars")) {
      place.replaceChildren(starRow(worth.stars), html("p", {}, sentence(worth)));
      place.hidden = false;
    }
    const { stars, wasted, fewest } = worth;
    this.#tell("solved", { state, moves: player.game.made, stars, wasted, fewest });
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}
