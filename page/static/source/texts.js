/** States as texts, and moves that rewrite their letters, from data alone. */

/** @import { Ranking } from "./ranking.js" */
/** @import { Header, MoveCase, Next, Read } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";
import { quoted } from "../rules/errors.js";

/** The texts of a puzzle. */
export class Texts {
  /**
   * @param {Header} header
   * @param {Ranking} ranking
   */
  constructor(header, ranking) {
    this.puzzle = header.about.name;
    this.header = header.states;
    /** Places that name interchangeable colours; none where each letter has its own code. */
    this.named = header.ranking.named ?? [];
    this.example = header.start;
    this.ranking = header.one_way || header.states.columns ? ranking : null;
  }

  /**
   * Read a text; raises Problem.
   * @param {string} text
   * @returns {Read}
   */
  read(text) {
    const { alphabet, length, columns } = this.header;
    const parts = (/** @type {string} */ some) => (columns ? some.split(columns.separator).length : 1);
    if (parts(text) !== parts(this.example)) throw refused(this, text, `does not have ${parts(this.example)} columns`);
    if (text.length !== length) throw refused(this, text, `has ${text.length} letters where a state has ${length}`, columns !== undefined);
    let letters = alphabet;
    if (this.named.length > 0) {
      const free = new Set(this.named.map((place) => text[place] ?? "").filter((letter) => letter !== alphabet[0]));
      letters = [alphabet[0], ...free].join("");
      const wrong = [...free].find((letter) => !/[A-Za-z]/.test(letter));
      if (wrong) throw refused(this, text, `has ${quoted(wrong)}, which is no letter of a state`);
    }
    const unknown = Array.from(text).find((letter) => !letters.includes(letter));
    if (unknown) throw refused(this, text, `has ${quoted(unknown)}, which is no letter of a state`);
    this.#checkPieces(text, letters);
    const codes = Uint8Array.from(this.#laidOut(text), (letter) => letters.indexOf(letter));
    if ((this.ranking?.rank(codes) ?? 0) < 0) throw refused(this, text, "cannot be reached from the start", true);
    return { codes, letters };
  }

  /**
   * Check that each set of places has the letters of a state; raises Problem.
   * @param {string} text
   * @param {string} letters of the text, the one of empty places first
   */
  #checkPieces(text, letters) {
    const named = this.named.length > 0;
    for (const [places, allowed, fixed] of this.header.sets ?? []) {
      const own = places.map((place) => text[place] ?? "");
      const wrong = named ? undefined : own.find((letter) => !allowed.includes(letter));
      if (wrong) throw refused(this, text, `has ${quoted(wrong)} where no state has it`);
      const counts = (/** @type {string[]} */ some) => counted(some, named ? letters : null);
      if (fixed && counts(own) !== counts(places.map((place) => this.example[place] ?? ""))) {
        throw refused(this, text, "does not have the pieces of a state", true);
      }
    }
  }

  /** @param {Read} state */
  text({ codes, letters }) {
    const text = Array.from(codes, (code) => letters[code]).join("");
    const { columns } = this.header;
    if (!columns) return text;
    const { separator, limits } = columns;
    const count = text.length / limits.length;
    const tall = Array.from({ length: count }, (_, column) => limits.map((__, row) => text[row * count + column]).join(""));
    return tall.map((each) => each.replaceAll(separator, "")).join(separator);
  }

  /**
   * The letter of each place, row by row from the top: each lies as deep as those below it and its limit let it.
   * @param {string} text
   */
  #laidOut(text) {
    const { columns } = this.header;
    if (!columns) return text;
    const { separator, limits } = columns;
    const letters = text.split(separator);
    const places = limits.flatMap(() => letters.map(() => separator));
    for (const [column, each] of letters.entries()) {
      let below = limits.length;
      for (const letter of [...each].reverse()) {
        below = Math.min(below - 1, limits.findIndex((some) => some.includes(letter)));
        if (below < 0) throw refused(this, text, `has ${quoted(letter)} too deep`, true);
        places[below * letters.length + column] = letter;
      }
    }
    return places.join("");
  }
}

/**
 * The error of a text that is no state: it cannot be read, or it is impossible.
 * @param {{ puzzle: string, example: string }} texts
 * @param {string} text
 * @param {string} why
 * @param {boolean} [impossible]
 */
export function refused({ puzzle, example }, text, why, impossible = false) {
  const [type, title, status] = impossible ? ["impossible-state", "Impossible state", 422] : ["invalid-state", "Unreadable state", 400];
  const [detail, hint] = [`${quoted(text)} is no state of ${puzzle}: it ${why}`, `a state looks like ${quoted(example, 400)}`];
  return new Problem({ type, title, status, detail, hint });
}

/**
 * The letters in their order; of interchangeable colours, whose first letter is that of no colour, how often each occurs.
 * @param {string[]} letters
 * @param {string | null} colours
 */
function counted(letters, colours) {
  if (colours === null) return letters.sort().join("");
  const often = Array.from(colours, (colour) => letters.filter((letter) => letter === colour).length);
  return `${[often.shift(), ...often.sort((one, other) => one - other)]}`;
}

/** Moves that rewrite letters. */
export class Rewritings {
  /**
   * @param {MoveCase[][]} cases of each move
   * @param {Header} header
   */
  constructor(cases, header) {
    this.cases = cases;
    this.moves = header.about.moves;
  }

  /**
   * The legal moves of a state, in the puzzle's order.
   * @param {Read} state
   * @returns {Next[]}
   */
  next({ codes, letters }) {
    return this.cases.flatMap((cases, at) => {
      const kind = cases.findIndex(([only]) => only.every(([some, places]) => places.every((place) => some.includes(letters[codes[place] ?? 0] ?? ""))));
      const [found, named] = [cases[kind], this.moves[at]];
      return found && named ? [{ ...named, at, kind, state: { codes: rewritten(found, codes), letters } }] : [];
    });
  }
}

/**
 * @param {MoveCase} found
 * @param {Uint8Array} codes
 */
function rewritten([, to, from, rename], codes) {
  const found = codes.slice();
  for (let at = 0; at < to.length; at++) {
    const code = codes[from[at] ?? 0] ?? 0;
    found[to[at] ?? 0] = rename?.[at]?.find(([letter]) => letter === code)?.[1] ?? code;
  }
  return found;
}
