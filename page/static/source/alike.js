/** Texts that show one state: pieces that are alike in exchanged letters, rows in any order, a player anywhere in reach. */

import { Texts } from "./texts.js";

/** @type {Cell[]} */
const WAYS = [[0, 1], [0, -1], [1, 0], [-1, 0]];

export class StoredTexts extends Texts {
  /** @param {Header} header @param {Ranking} ranking */
  constructor(header, ranking) {
    super(header, ranking);
    const { alike = [], rows = "", player } = header.states;
    this.free = new Set(alike.join(""));
    this.kinds = new Map(alike.map((kind) => [shapeOf(header.start, kind[0] ?? ""), kind]));
    this.rows = rows;
    this.player = player;
    /** Whether each state has one text alone. */
    this.exact = alike.length === 0 && !rows && !player;
  }

  /** @override @param {string} text */
  read(text) {
    return { ...super.read(text), text };
  }

  /** @override @param {Read} state */
  text(state) {
    return state.text ?? super.text(state);
  }

  /** @override @param {string} text */
  shown(text) {
    if (this.exact) return [...text];
    const { letters, rows } = this.twist(text);
    const own = new Map([...letters].map(([canonical, letter]) => [letter, canonical]));
    const lines = text.split("/");
    const sorted = rows.map((row) => lines[row]).join("/");
    const renamed = Array.from(sorted, (letter) => own.get(letter) ?? letter);
    if (!this.player) return renamed;
    const walk = new Walk(renamed.join(""), this.player);
    const cells = Array.from(walk.reach().values(), ({ cell }) => cell);
    return [...walk.standing(cells.reduce((least, cell) => (cell[0] - least[0] || cell[1] - least[1]) < 0 ? cell : least))];
  }

  /** @param {string} text @returns {Twist} */
  twist(text) {
    /** @type {[string, string][]} */
    const letters = [];
    const left = new Map(Array.from(this.kinds, ([shape, kind]) => [shape, [...kind]]));
    for (const letter of new Set(this.kinds.size > 0 ? text : "")) {
      const canonical = this.free.has(letter) ? left.get(shapeOf(text, letter))?.shift() : null;
      if (canonical) letters.push([canonical, letter]);
    }
    const lines = text.split("/").map((line) => [...line]);
    const rows = [...lines.keys()];
    if (this.rows) rows.sort((one, other) => lastDiffering(lines[other] ?? [], lines[one] ?? [], this.rows));
    return { letters: new Map(letters), rows };
  }

  /** @param {string} text @param {NonNullable<StoredMove["change"]>} change @param {number[]} rows */
  changed(text, change, rows) {
    const lines = (this.player ? new Walk(text, this.player).without() : text).split("/").map((line) => [...line]);
    const was = lines.map((line) => [...line]);
    const row = (/** @type {number} */ number) => rows[number] ?? number;
    for (const [at, column, to] of change) {
      const line = lines[row(at)] ?? [];
      while (line.length < column) line.push("-");
      line[column] = typeof to === "string" ? to : (was[row(to[0])]?.[to[1]] ?? "");
    }
    return lines.map((line) => (this.player ? stripped(line) : line.join(""))).join("/");
  }
}

export class Walk {
  /** @param {string} text @param {[string, string]} letters */
  constructor(text, [player, free]) {
    this.lines = text.split("/").map((line) => [...line]);
    this.player = player;
    this.free = free;
    const row = this.lines.findIndex((line) => line.some((letter) => player.includes(letter)));
    /** @type {Cell} */
    this.at = [row, this.lines[row]?.findIndex((letter) => player.includes(letter)) ?? -1];
  }

  /** The cells that the player can walk to by their names, nearest first, each with the one before it. */
  reach() {
    const reached = new Map([[placeName(this.at), { cell: this.at, from: this.at }]]);
    for (const { cell } of reached.values()) {
      for (const [down, right] of WAYS) {
        /** @type {Cell} */
        const to = [cell[0] + down, cell[1] + right];
        const letter = this.lines[to[0]]?.[to[1]] ?? "";
        if (letter && this.free.includes(letter) && !reached.has(placeName(to))) reached.set(placeName(to), { cell: to, from: cell });
      }
    }
    return reached;
  }

  without() {
    this.#put(this.at, this.player, this.free);
    return this.lines.map((line) => line.join("")).join("/");
  }

  /** @param {Cell} cell */
  standing(cell) {
    this.#put(this.at, this.player, this.free);
    this.#put(cell, this.free, this.player);
    return this.lines.map(stripped).join("/");
  }

  /** @param {Cell} cell @param {string} from @param {string} to */
  #put([row, column], from, to) {
    const line = this.lines[row];
    const letter = to[from.indexOf(line?.[column] ?? "")];
    if (line && letter) line[column] = letter;
  }
}

/**
 * A name in a text's own letters and rows: words of one letter are letters, numbers are rows.
 * @param {string} name @param {Twist | null} twist @param {number} [most]
 */
export function named(name, twist, most = Infinity) {
  if (!twist) return name;
  const lettered = twist.letters.size > 0 ? name.replace(/\b\w\b/g, (letter) => twist.letters.get(letter) ?? letter) : name;
  let seen = 0;
  return twist.rows.every((row, at) => row === at) ? lettered : lettered.replace(/\d+/g, (digits) => (seen++ < most ? `${(twist.rows[Number(digits) - 1] ?? 0) + 1}` : digits));
}

/** Compare rows from their ends. @param {string[]} one @param {string[]} other @param {string} worth */
function lastDiffering(one, other, worth) {
  const at = one.findLastIndex((letter, place) => letter !== other[place]);
  return at < 0 ? 0 : worth.indexOf(one[at] ?? "") - worth.indexOf(other[at] ?? "");
}

/** The column in letters, and the row. @param {Cell} cell */
export function placeName([row, column]) {
  let letters = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1) letters = String.fromCharCode(97 + (left % 26)) + letters;
  return `${letters}${row + 1}`;
}

/** @param {string} text @param {string} letter */
function shapeOf(text, letter) {
  const cells = text.split("/").flatMap((line, row) => [...line].flatMap((each, column) => (each === letter ? [[row, column]] : [])));
  const [[top = 0, first = 0] = []] = cells;
  return cells.map(([row = 0, column = 0]) => `${row - top},${column - first}`).join(" ");
}

/** @param {string[]} line */
function stripped(line) {
  return line.join("").replace(/-+$/, "");
}
