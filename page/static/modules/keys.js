/** Moves by keyboard: typed as they are written, or with the arrow keys where pieces slide. */

import { legsOf } from "./motion.js";

const ARROWS = new Map([
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
]);
const WAIT = 900;

/** @param {string} key */
export function isTyped(key) {
  return key.length === 1 || key === "Enter" || key === "Backspace" || ARROWS.has(key);
}

/** A name that begins a longer one waits a moment, or for Enter. */
export class TypedMoves {
  #typed = "";
  #timer = 0;

  /**
   * @param {{ moves: () => BoardMove[], made: (move: BoardMove) => void, shown: (typed: string) => void, unknown: (typed: string) => void }} on
   */
  constructor(on) {
    this.on = on;
  }

  /** Tells whether the key meant something here. @param {string} key */
  take(key) {
    const arrow = ARROWS.get(key);
    if (arrow) return this.#slide(arrow[0] ?? 0, arrow[1] ?? 0);
    if (key === "Enter") return this.#typed !== "" && (this.#named(this.#typed) ? this.#make(this.#named(this.#typed)) : this.#unknown(this.#typed));
    if (key === "Backspace" && this.#typed) return this.#keep(this.#typed.slice(0, -1));
    if (key === "Escape") return this.#typed !== "" && this.#keep("");
    if (key.length !== 1) return false;
    for (const typed of [this.#typed + key, key]) {
      const possible = this.on.moves().filter(({ move }) => move.toLowerCase().startsWith(typed.toLowerCase()));
      if (possible.length === 0) continue;
      if (possible.length === 1 && this.#named(typed)) return this.#make(possible[0]);
      return this.#keep(typed);
    }
    return this.#unknown(this.#typed + key);
  }

  /** @param {string} typed */
  #unknown(typed) {
    if (typed.trim() && this.on.moves().length > 0) this.on.unknown(typed);
    return this.#keep("");
  }

  /** @param {string} typed */
  #named(typed) {
    return this.on.moves().find(({ move }) => move.toLowerCase() === typed.toLowerCase());
  }

  /** @param {BoardMove | undefined} move */
  #make(move) {
    this.#keep("");
    if (move) this.on.made(move);
    return move !== undefined;
  }

  /** @param {string} typed */
  #keep(typed) {
    clearTimeout(this.#timer);
    this.#typed = typed;
    this.on.shown(typed);
    const named = this.#named(typed);
    if (named) this.#timer = Number(setTimeout(() => this.#make(named), WAIT));
    return typed !== "";
  }

  /** @param {number} x @param {number} y */
  #slide(x, y) {
    const there = this.on.moves().filter((move) => {
      const legs = legsOf(move.motions?.length === 1 ? (move.motions[0]?.slide ?? []) : []);
      const [dx, dy] = legs[0] ?? [0, 0];
      return legs.length === 1 && Math.sign(dx) === x && Math.sign(dy) === y;
    });
    return there.length === 1 && this.#make(there[0]);
  }
}
