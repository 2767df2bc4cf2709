/** States as texts, and moves that rewrite their letters, from data alone. */

/** @import { Header, MoveHeader, Next, Read, Rewriting, TextsHeader } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";

/**
 * A caller's text in an error, as the service quotes it.
 * @param {string} text
 * @param {number} [most] characters
 */
export function quoted(text, most = 60) {
  const cut = text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  return cut.includes("'") && !cut.includes('"') ? `"${cut}"` : `'${cut}'`;
}

/**
 * The error of a move, in the service's words but for why a legal name is none here.
 * @param {Header} header
 * @param {Next[]} legal
 * @param {string} text
 * @param {string} move
 */
export function illegal({ about, no_move }, legal, text, move) {
  const names = legal.map((each) => each.move);
  let [detail, hint] = [`${move} is not legal in ${quoted(text)}`, `legal moves are: ${names.join(" ")}`];
  if (no_move === null) [detail, hint] = [`${quoted(move)} is not legal in ${quoted(text)}`, `legal moves are: ${names.join(", ") || "none"}`];
  else if (about.moves.every((each) => each.move !== move)) [detail, hint] = [no_move[0].replace("'?'", () => quoted(move)), no_move[1]];
  return new Problem({ type: "illegal-move", title: "Illegal move", status: 400, detail, hint });
}

/** The texts of a puzzle. */
export class Texts {
  /**
   * @param {string} puzzle its name
   * @param {TextsHeader} header
   * @param {number[]} named places that name interchangeable colours; none where each letter has its own code
   * @param {string} example
   * @param {(codes: Uint8Array) => boolean} [isState] where another text may be one of which the table knows nothing
   */
  constructor(puzzle, header, named, example, isState) {
    this.puzzle = puzzle;
    this.header = header;
    this.named = named;
    this.example = example;
    this.isState = isState;
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
      if (wrong) throw this.#refused(text, `has ${quoted(wrong)}, which is no letter of a state`);
    }
    const codes = Uint8Array.from(text, (letter) => letters.indexOf(letter) & 255);
    const unknown = codes.indexOf(255);
    if (unknown >= 0) throw this.#refused(text, `has ${quoted(text[unknown] ?? "")}, which is no letter of a state`);
    if (this.isState?.(codes) === false) throw this.#refused(text, "cannot be reached from the start");
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
    const detail = `${quoted(text)} is no state of ${this.puzzle}: it ${why}`;
    return new Problem({ type: "invalid-state", title: "Unreadable state", status: 400, detail, hint: `a state looks like ${quoted(this.example)}` });
  }
}

/** Moves that rewrite letters. */
export class Rewritings {
  /**
   * @param {MoveHeader[]} moves
   * @param {Header} header
   */
  constructor(moves, header) {
    this.rewritings = moves;
    this.moves = header.about.moves;
    this.header = header;
  }

  /**
   * The legal moves of a state, as a board lists them.
   * @param {Read} state
   */
  steps(state) {
    return this.next(state);
  }

  /**
   * The error of a move.
   * @param {Read} state
   * @param {string} text
   * @param {string} move
   */
  illegal(state, text, move) {
    return illegal(this.header, this.next(state), text, move);
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
