/** A shortest solution of any length: its parts come when they are looked at. */

import { counted, html, number, svg } from "./dom.js";
import { PART } from "./truth.js";

const PACE = 450;
/** Of the slider, where a solution has more moves. */
const PLACES = 100_000n;

const SIGNS = {
  first: "M15 4v12l-8-6zM5 4v12",
  back: "M13 4v12l-8-6z",
  play: "M6 3.5v13l10.5-6.5z",
  pause: "M7 4v12M13 4v12",
  forward: "M7 4v12l8-6z",
  last: "M5 4v12l8-6zM15 4v12",
};

/** The player's board is lent for that time. */
export class SolutionPlayer {
  /** @type {Map<bigint, Promise<{ moves: string[], states: string[] }>>} */
  #parts = new Map();
  #at = 0n;
  #shown = 0n;
  #playing = 0;
  #wanted = 0;

  /** @param {Player} player @param {Truth} truth @param {string} state @param {bigint} steps */
  constructor(player, truth, state, steps) {
    this.player = player;
    this.truth = truth;
    this.state = state;
    this.steps = steps;
    this.slider = html("input", {
      type: "range", min: 0, max: Number(this.#places), value: 0, "aria-label": "Move of the solution",
      input: () => this.goTo((BigInt(this.slider.value) * this.steps) / this.#places),
    });
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ click) =>
      html("button", { type: "button", "aria-label": label, title: label, click },
        svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: sign })));
    this.playing = button("Play", SIGNS.play, () => (this.#playing ? this.pause() : this.play()));
    this.where = html("output", { class: "where", "aria-live": "off" });
    this.line = html("p", { class: "line", "aria-hidden": "true" });
    this.element = html(
      "div",
      { class: "solution" },
      html("div", { class: "row" },
        button("First", SIGNS.first, () => this.goTo(0n)), button("Back", SIGNS.back, () => this.goTo(this.#at - 1n)),
        this.playing, button("Forward", SIGNS.forward, () => this.goTo(this.#at + 1n)),
        button("Last", SIGNS.last, () => this.goTo(this.steps))),
      this.slider,
      this.where,
      this.line,
      html("div", { class: "row" }, html("button", { type: "button", click: () => this.take() }, "Play on from here")),
    );
  }

  /** False if a search ended before it had a solution. */
  async begin() {
    const { moves } = await this.#part(0n);
    this.#tell();
    return moves.length > 0;
  }

  /** @param {bigint} at */
  async goTo(at) {
    const to = at < 0n ? 0n : at > this.steps ? this.steps : at;
    this.player.lent = true;
    this.#at = to;
    this.slider.value = String((to * this.#places) / this.steps);
    this.#tell();
    const wanted = ++this.#wanted;
    try {
      await this.#show(to, wanted);
    } catch (error) {
      this.pause();
      this.player.tell("problem", error);
    }
  }

  get #places() {
    return this.steps < PLACES ? this.steps : PLACES;
  }

  play() {
    if (this.#at >= this.steps) this.#at = 0n;
    this.#sign("Pause", SIGNS.pause);
    const step = async () => {
      const begun = performance.now();
      await this.goTo(this.#at + 1n);
      if (!this.#playing) return;
      if (this.#at >= this.steps) this.pause();
      else this.#playing = Number(setTimeout(step, Math.max(PACE - (performance.now() - begun), 0)));
    };
    this.#playing = Number(setTimeout(step, 0));
  }

  pause() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    this.#sign("Play", SIGNS.play);
  }

  /** @param {string} label @param {string} sign */
  #sign(label, sign) {
    this.playing.setAttribute("aria-label", label);
    this.playing.title = label;
    this.playing.querySelector("path")?.setAttribute("d", sign);
  }

  async take() {
    this.pause();
    const { game } = this.player;
    const line = await this.#upTo(this.#at);
    this.player.lent = false;
    if (line && game.state === this.state) {
      game.playAll(line.moves, line.states);
    } else {
      game.begin(await this.#stateAt(this.#at));
    }
  }

  leave() {
    this.pause();
    this.#wanted++;
    if (!this.player.lent) return;
    this.player.lent = false;
    this.player.restore();
  }

  /** @param {bigint} to @param {number} wanted */
  async #show(to, wanted) {
    const { puzzle, view } = this.player;
    const from = this.#shown;
    const [state, beside] = [await this.#stateAt(to), (to - from) ** 2n === 1n ? await this.#stateAt(from) : null];
    const board = await puzzle.board(state);
    const before = beside === null ? null : await puzzle.board(beside);
    if (wanted !== this.#wanted) return;
    const [first, second] = to > from ? [before, board] : [board, before];
    const move = first?.moves.find(({ after }) => after === second?.state);
    if (first && move) {
      view.show(first);
      await view.animate(move, to > from ? {} : { from: 1, to: 0 });
      if (wanted !== this.#wanted) return;
    }
    this.#shown = to;
    view.show(board);
  }

  async #tell() {
    this.where.textContent = `${number(this.#at)} of ${counted(this.steps, "move")}`;
    const at = this.#at;
    const { moves, states } = await this.#part(at / BigInt(PART)).catch(() => ({ moves: [], states: [] }));
    if (at !== this.#at || states.length === 0) return;
    const here = Number(at % BigInt(PART));
    const shown = moves.slice(here, here + 8);
    const more = at + BigInt(shown.length) < this.steps ? " …" : "";
    this.line.textContent = shown.length > 0 ? `next: ${shown.join(" ")}${more}` : "solved";
  }

  /** @param {bigint} at */
  async #stateAt(at) {
    const part = (at < this.steps ? at : this.steps - 1n) / BigInt(PART);
    const { states } = await this.#part(part);
    return states[Number(at - part * BigInt(PART))] ?? "";
  }

  /** @param {bigint} at */
  async #upTo(at) {
    if (at > PART) return null;
    const { moves, states } = await this.#part(0n);
    return { moves: moves.slice(0, Number(at)), states: states.slice(0, Number(at) + 1) };
  }

  /** @param {bigint} part */
  #part(part) {
    const stored = this.#parts.get(part);
    if (stored) return stored;
    const asked = this.truth
      .solution(this.state, { offset: part * BigInt(PART) })
      .then(({ solution, states }) => ({ moves: solution, states: states ?? [] }));
    this.#parts.set(part, asked);
    asked.catch(() => this.#parts.delete(part));
    return asked;
  }
}
