/** Texts that show one state: pieces that are alike in exchanged letters, rows in any order, a player anywhere in reach. */

/** @import { Ranking } from "./ranking.js" */
/** @import { Header, Read, StoredMove } from "./types.d.ts" */
/** @typedef {[row: number, column: number]} Cell */
/** @typedef {{ letters: Map<string, string>, rows: number[] }} Twist the letters and rows of a text by those of the canonical one */
import { refused } from "./texts.js";

/** @type {Cell[]} */
const WAYS = [[0, 1], [0, -1], [1, 0], [-1, 0]];

/** Texts of any length, each of which shows a state. */
export class StoredTexts {
  /**
   * @param {Header} header
   * @param {Ranking} ranking
   */
  constructor(header, ranking) {
    this.header = header.states;
    this.ranking = ranking;
    this.example = header.start;
    this.puzzle = header.about.name;
    this.letters = [...header.states.alphabet];
    const { alike = [], rows = "", player } = header.states;
    this.free = new Set(alike.join(""));
    /** The letters of alike pieces by their shape. */
    this.kinds = new Map(alike.map((kind) => [shapeOf(header.start, kind[0] ?? ""), kind]));
    /** Whether each state has one text alone. */
    this.exact = alike.length === 0 && !rows && !player;
  }

  /**
   * Read a text; raises Problem.
   * @param {string} text
   * @returns {Read}
   */
  read(text) {
    const canonical = [...this.canonical(text)];
    const codes = Uint8Array.from({ length: this.header.length }, (_, at) => (at < canonical.length ? this.letters.indexOf(canonical[at] ?? "") : 0));
    if (canonical.length <= codes.length && this.ranking.rank(codes) >= 0) return { codes, letters: this.header.alphabet, text };
    const marks = (/** @type {string} */ some) => some.replace(/[\w.]/g, "");
    const legible = text !== "" && marks(text) === marks(this.example) && Array.from(text).every((letter) => this.letters.includes(letter));
    throw refused(this, text, "is misspelt, or no moves lead to it from the start", legible);
  }

  /** @param {Read} state */
  text({ codes, text }) {
    return text ?? Array.from(codes, (code) => (this.letters[code] === "\0" ? "" : this.letters[code])).join("");
  }

  /**
   * The letters and rows of a text, by those of the canonical one.
   * @param {string} text
   * @returns {Twist}
   */
  twist(text) {
    const { rows: worth = "" } = this.header;
    /** @type {[string, string][]} */
    const letters = [];
    const left = new Map(Array.from(this.kinds, ([shape, kind]) => [shape, [...kind]]));
    for (const letter of new Set(this.kinds.size > 0 ? text : "")) {
      const canonical = this.free.has(letter) ? left.get(shapeOf(text, letter))?.shift() : null;
      if (canonical) letters.push([canonical, letter]);
    }
    const lines = text.split("/");
    const rows = [...lines.keys()];
    if (worth) rows.sort((one, other) => lastDiffering([...(lines[other] ?? "")], [...(lines[one] ?? "")], worth));
    return { letters: new Map(letters), rows };
  }

  /** The text that its state has for itself. @param {string} text */
  canonical(text) {
    if (this.exact) return text;
    const { letters, rows } = this.twist(text);
    const own = new Map([...letters].map(([canonical, letter]) => [letter, canonical]));
    const lines = text.split("/");
    const sorted = rows.map((row) => lines[row]).join("/");
    const renamed = Array.from(sorted, (letter) => own.get(letter) ?? letter).join("");
    if (!this.header.player) return renamed;
    const walk = new Walk(renamed, this.header.player);
    return walk.standing([...walk.reach().keys()].map(cellOf).reduce((least, cell) => (comesBefore(cell, least) ? cell : least)));
  }

  /**
   * A text after a move.
   * @param {string} text
   * @param {NonNullable<StoredMove["change"]>} change
   * @param {number[]} rows
   */
  changed(text, change, rows) {
    const { player } = this.header;
    const lines = (player ? new Walk(text, player).without() : text).split("/").map((line) => [...line]);
    const was = lines.map((line) => [...line]);
    const row = (/** @type {number} */ number) => rows[number] ?? number;
    for (const [at, column, to] of change) {
      const line = lines[row(at)] ?? [];
      while (line.length < column) line.push("-");
      line[column] = typeof to === "string" ? to : (was[row(to[0])]?.[to[1]] ?? "");
    }
    return lines.map((line) => (player ? line.join("").replace(/-+$/, "") : line.join(""))).join("/");
  }
}

/** A board of rows on which a player walks. */
export class Walk {
  /**
   * @param {string} text
   * @param {[string, string]} letters of the player, and of free cells
   */
  constructor(text, [player, free]) {
    this.lines = text.split("/").map((line) => [...line]);
    this.player = player;
    this.free = free;
    const row = this.lines.findIndex((line) => line.some((letter) => player.includes(letter)));
    /** @type {Cell} */
    this.at = [row, this.lines[row]?.findIndex((letter) => player.includes(letter)) ?? -1];
  }

  /** The cells that the player can walk to, nearest first, each with the one before it. */
  reach() {
    const reached = new Map([[`${this.at}`, this.at]]);
    for (const key of reached.keys()) this.#beside(reached, cellOf(key));
    return reached;
  }

  /**
   * @param {Map<string, Cell>} reached
   * @param {Cell} cell
   */
  #beside(reached, cell) {
    for (const [down, right] of WAYS) {
      /** @type {Cell} */
      const to = [cell[0] + down, cell[1] + right];
      const letter = this.lines[to[0]]?.[to[1]] ?? "";
      if (letter && this.free.includes(letter) && !reached.has(`${to}`)) reached.set(`${to}`, cell);
    }
  }

  /** The text without its player. */
  without() {
    return this.#with(this.at, this.player, this.free);
  }

  /** The text with the player in another cell. @param {Cell} cell */
  standing(cell) {
    this.#with(this.at, this.player, this.free);
    return this.#with(cell, this.free, this.player).split("/").map((line) => line.replace(/-+$/, "")).join("/");
  }

  /**
   * @param {Cell} cell
   * @param {string} from
   * @param {string} to
   */
  #with([row, column], from, to) {
    const line = this.lines[row];
    const letter = to[from.indexOf(line?.[column] ?? "")];
    if (line && letter) line[column] = letter;
    return this.lines.map((each) => each.join("")).join("/");
  }
}

/**
 * A name in a text's own letters and rows: words of one letter are letters, numbers are rows.
 * @param {string} name
 * @param {Twist | null} twist
 * @param {number} [most] numbers that are rows
 */
export function named(name, twist, most = Infinity) {
  if (!twist) return name;
  const lettered = twist.letters.size > 0 ? name.replace(/\b\w\b/g, (letter) => twist.letters.get(letter) ?? letter) : name;
  let seen = 0;
  return twist.rows.every((row, at) => row === at) ? lettered : lettered.replace(/\d+/g, (digits) => (seen++ < most ? `${(twist.rows[Number(digits) - 1] ?? 0) + 1}` : digits));
}

/**
 * Compare rows from their ends.
 * @param {string[]} one
 * @param {string[]} other
 * @param {string} worth
 */
function lastDiffering(one, other, worth) {
  for (let at = one.length - 1; at >= 0; at--) {
    if (one[at] !== other[at]) return worth.indexOf(one[at] ?? "") - worth.indexOf(other[at] ?? "");
  }
  return 0;
}

/** The name of a cell: its column in letters, and its row. @param {Cell} cell */
export function placeName([row, column]) {
  let letters = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1) letters = String.fromCharCode(97 + (left % 26)) + letters;
  return `${letters}${row + 1}`;
}

/**
 * The shape of a letter's cells.
 * @param {string} text
 * @param {string} letter
 */
function shapeOf(text, letter) {
  const cells = text.split("/").flatMap((line, row) => [...line].flatMap((each, column) => (each === letter ? [[row, column]] : [])));
  const [[top = 0, first = 0] = []] = cells;
  return cells.map(([row = 0, column = 0]) => `${row - top},${column - first}`).join(" ");
}

/** @param {string} key @returns {Cell} */
function cellOf(key) {
  const [row = 0, column = 0] = key.split(",").map(Number);
  return [row, column];
}

/**
 * @param {Cell} one
 * @param {Cell} other
 */
function comesBefore(one, other) {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}
