/** States as texts, and moves that rewrite their letters, from data alone. */

/** @import { MoveHeader, Next, Read, Rewriting, TextsHeader } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";

/** The texts of a puzzle. */
export class Texts {
  /**
   * @param {string} puzzle its name
   * @param {TextsHeader} header
   * @param {number[]} named places that name interchangeable colours; none where each letter has its own code
   * @param {string} example
   */
  constructor(puzzle, header, named, example) {
    this.puzzle = puzzle;
    this.header = header;
    this.named = named;
    this.example = example;
  }

  /**
   * Read a text; raises Problem.
   * @param {string} text
   * @returns {Read}
   */
  read(text) {
    const { alphabet, length } = this.header;
    if (text.length !== length) throw this.#refused(text, `has ${text.length} letters where a state has ${length}`);
    let letters = alphabet;
    if (this.named.length > 0) {
      const free = new Set(this.named.map((place) => text[place] ?? "").filter((letter) => letter !== alphabet[0]));
      letters = [alphabet[0], ...free].join("");
      const wrong = [...free].find((letter) => !/[A-Za-z]/.test(letter));
      if (wrong) throw this.#refused(text, `has ${JSON.stringify(wrong)}, which is no letter of a state`);
    }
    const codes = Uint8Array.from(text, (letter) => letters.indexOf(letter) & 255);
    const unknown = codes.indexOf(255);
    if (unknown >= 0) throw this.#refused(text, `has ${JSON.stringify(text[unknown])}, which is no letter of a state`);
    return { codes, letters };
  }

  /** @param {Read} state */
  text({ codes, letters }) {
    return Array.from(codes, (code) => letters[code]).join("");
  }

  /**
   * @param {string} text
   * @param {string} why
   */
  #refused(text, why) {
    const detail = `${JSON.stringify(text)} is no state of ${this.puzzle}: it ${why}`;
    return new Problem({ type: "invalid-state", status: 400, detail, hint: `a state looks like ${this.example}` });
  }
}

/** Moves that rewrite letters. */
export class Rewritings {
  /**
   * @param {MoveHeader[]} moves
   * @param {{ move: string, group: string }[]} names
   */
  constructor(moves, names) {
    this.rewritings = moves;
    this.moves = names;
  }

  /**
   * The legal moves of a state, in the puzzle's order.
   * @param {Read} state
   * @returns {Next[]}
   */
  next({ codes, letters }) {
    return this.rewritings.flatMap((move, at) => {
      const kind = "guard" in move ? codes.indexOf(move.guard) : -1;
      const rewriting = "guard" in move ? move.cases[String(kind)] : move;
      const named = this.moves[at];
      return rewriting && named ? [{ ...named, at, kind, state: { codes: rewritten(rewriting, codes), letters } }] : [];
    });
  }
}

/**
 * @param {Rewriting} rewriting
 * @param {Uint8Array} codes
 */
function rewritten({ to, from, rename }, codes) {
  const found = codes.slice();
  for (let at = 0; at < to.length; at++) {
    const code = codes[from[at] ?? 0] ?? 0;
    found[to[at] ?? 0] = rename?.[at]?.find(([letter]) => letter === code)?.[1] ?? code;
  }
  return found;
}
