import { Problem } from "../modules/problem.js";
import { quoted } from "../rules/errors.js";

const FILL = "\0"; // what fills up texts to one length

export class Texts {
  /** @param {Header} header @param {Ranking} ranking */
  constructor(header, ranking) {
    this.header = header.states;
    this.puzzle = header.about.name;
    this.example = header.start;
    this.ranking = ranking;
  }

  /** Raises Problem. @param {string} text @returns {Read} */
  read(text) {
    const letters = this.#lettersOf(text);
    const known = [...letters];
    const shown = this.shown(text);
    const codes = Uint8Array.from(this.ranking.header.places, (_, at) => known.indexOf(shown[at] ?? FILL));
    if (shown.length > codes.length || this.ranking.rank(codes) < 0) throw this.#refused(text, known);
    return { codes, letters };
  }

  /** @param {Read} state */
  text({ codes, letters }) {
    const known = [...letters];
    const shown = Array.from(codes, (code) => known[code]);
    const { columns } = this.header;
    if (!columns) return shown.join("").replaceAll(FILL, "");
    const count = shown.length / columns.limits.length;
    const tall = Array.from({ length: count }, (_, column) => shown.filter((letter, at) => at % count === column && letter !== columns.separator));
    return tall.map((each) => each.join("")).join(columns.separator);
  }

  /**
   * The letter of each place. In columns each lies as deep as those below it and its limit let it, row by row. None if
   * it fits no layout.
   * @param {string} text @returns {string[]}
   */
  shown(text) {
    const { columns } = this.header;
    if (!columns) return [...text];
    const { separator, limits } = columns;
    const letters = text.split(separator);
    const places = limits.flatMap(() => letters.map(() => separator));
    for (const [column, each] of letters.entries()) {
      let below = limits.length;
      for (const letter of [...each].reverse()) {
        below = Math.min(below - 1, limits.findIndex((some) => some.includes(letter)));
        if (below < 0) return [];
        places[below * letters.length + column] = letter;
      }
    }
    return places;
  }

  /** The letters by code: the text's own where they name interchangeable colours. @param {string} text */
  #lettersOf(text) {
    const { alphabet } = this.header;
    if (!this.ranking.names) return alphabet;
    const free = (this.ranking.header.named ?? []).map((place) => text[place] ?? "").filter((letter) => /^[A-Za-z]$/.test(letter));
    return [...new Set([alphabet[0], ...free])].join("");
  }

  /** @param {string} text @param {string[]} letters */
  #refused(text, letters) {
    const marks = (/** @type {string} */ some) => some.replace(/[\w.]/g, "");
    const legible = text !== "" && marks(text) === marks(this.example) && Array.from(text).every((letter) => letters.includes(letter));
    const [type, title, status] = legible ? ["impossible-state", "Impossible state", 422] : ["invalid-state", "Unreadable state", 400];
    const detail = `${quoted(text)} is no state of ${this.puzzle}: it is misspelt, or no moves lead to it from the start`;
    return new Problem({ type, title, status, detail, hint: `a state looks like ${quoted(this.example, 400)}` });
  }
}

export class Rewritings {
  /** @param {MoveCase[][]} cases @param {Header} header */
  constructor(cases, header) {
    this.cases = cases;
    this.moves = header.about.moves;
    this.effects = header.drawing.moves ?? [];
  }

  /** In the puzzle's order. @param {Read} state @returns {Next[]} */
  next({ codes, letters }) {
    return this.cases.flatMap((cases, at) => {
      const kind = cases.findIndex(([only]) => only.every(([some, places]) => places.every((place) => some.includes(letters[codes[place] ?? 0] ?? ""))));
      const [found, named] = [cases[kind], this.moves[at]];
      return found && named ? [{ ...named, effect: this.effects[at]?.[kind] ?? -1, state: { codes: rewritten(found, codes), letters } }] : [];
    });
  }
}

/** @param {MoveCase} found @param {Uint8Array} codes */
function rewritten([, to, from, rename], codes) {
  const found = codes.slice();
  for (let at = 0; at < to.length; at++) {
    const code = codes[from[at] ?? 0] ?? 0;
    found[to[at] ?? 0] = rename?.[at]?.find(([letter]) => letter === code)?.[1] ?? code;
  }
  return found;
}
