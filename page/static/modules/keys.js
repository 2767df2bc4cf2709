/** Moves typed as they are written, or by the arrow keys where pieces slide. */

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

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
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
      const possible = this.player.legal.filter(({ move }) => move.toLowerCase().startsWith(typed.toLowerCase()));
      if (possible.length === 0) continue;
      if (possible.length === 1 && this.#named(typed)) return this.#make(possible[0]);
      return this.#keep(typed);
    }
    return this.#unknown(this.#typed + key);
  }

  /** @param {string} typed */
  #unknown(typed) {
    if (typed.trim() && this.player.legal.length > 0) this.player.tell("told", `No move begins with ${typed} here.`);
    return this.#keep("");
  }

  /** @param {string} typed */
  #named(typed) {
    return this.player.legal.find(({ move }) => move.toLowerCase() === typed.toLowerCase());
  }

  /** @param {BoardMove | undefined} move */
  #make(move) {
    this.#keep("");
    if (move) this.player.make(move);
    return move !== undefined;
  }

  /** @param {string} typed */
  #keep(typed) {
    clearTimeout(this.#timer);
    this.#typed = typed;
    this.player.tell("typed", typed);
    const named = this.#named(typed);
    if (named) this.#timer = Number(setTimeout(() => this.#make(named), WAIT));
    return typed !== "";
  }

  /** @param {number} x @param {number} y */
  #slide(x, y) {
    const there = this.player.legal.filter((move) => {
      const legs = legsOf(move.motions?.length === 1 ? (move.motions[0]?.slide ?? []) : []);
      const [dx, dy] = legs[0] ?? [0, 0];
      return legs.length === 1 && Math.sign(dx) === x && Math.sign(dy) === y;
    });
    return there.length === 1 && this.#make(there[0]);
  }
}
