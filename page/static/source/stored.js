/** Moves and drawings that are stored state by state: for puzzles whose moves are no rewritings of letters. */

import { legsOf, movedOutline, nearest, round } from "../modules/motion.js";
import { named, placeName, StoredTexts, Walk } from "./alike.js";
import { Drawing, inkOn } from "./drawing.js";
import { Blocks } from "./files.js";

/** @param {Folder} folder @param {Header} header @param {Ranking} ranking @returns {Promise<Form>} */
export async function storedForm(folder, header, ranking) {
  const texts = new StoredTexts(header, ranking);
  const moves = new StoredMoves(folder, header, texts);
  await Promise.all([moves.after.load(), moves.names.load()]);
  return {
    texts, moves,
    async drawing() {
      const drawing = new StoredDrawing(folder, header, texts);
      await drawing.looks.load();
      return drawing;
    },
  };
}

class StoredMoves {
  /** @param {Folder} folder @param {Header} header @param {StoredTexts} texts */
  constructor(folder, header, texts) {
    this.header = /** @type {StoredMovesHeader} */ (header.moves);
    this.texts = texts;
    this.after = new Blocks(folder, this.header.after, header.digest);
    this.names = new Blocks(folder, this.header.names, header.digest);
  }

  /** In the puzzle's order. @param {Read} state @returns {Next[]} */
  next(state) {
    const { count, moves } = this.header;
    const { texts } = this;
    const first = texts.ranking.rank(state.codes) * count;
    if (first < 0) return [];
    const text = texts.text(state);
    const twist = texts.exact ? null : texts.twist(text);
    const steps = [];
    for (let number = first; number < first + count; number++) {
      const to = this.after.at(number);
      const told = moves[this.names.at(number)];
      if (to < 0 || !told) break;
      /** @type {Read} */
      const after = { codes: texts.ranking.unrank(to), letters: state.letters };
      if (twist && told.change) after.text = texts.changed(text, told.change, twist.rows);
      steps.push({ move: named(told.move, twist), group: named(told.group, twist), effect: told.effect, to, state: after });
    }
    return texts.rows ? inRows(steps) : steps;
  }
}

class StoredDrawing extends Drawing {
  /** @param {Folder} folder @param {Header} header @param {StoredTexts} texts */
  constructor(folder, { drawing, digest }, texts) {
    super(drawing, false);
    this.texts = texts;
    this.looks = new Blocks(folder, /** @type {BlocksHeader} */ (drawing.stored), digest);
    this.places = new Map(drawing.places.map(([name, x, y]) => [name, { name, x, y }]));
    this.slotAt = new Map(drawing.slots.map((slot, number) => [slot.place, number]));
  }

  /** @param {Read} state */
  #twist(state) {
    return this.texts.exact ? null : this.texts.twist(this.texts.text(state));
  }

  /** By slot of the canonical text. @override @param {Read} state @returns {(Piece | null)[]} */
  pieces(state) {
    const { slots, player } = this.header;
    const first = this.texts.ranking.rank(state.codes) * slots.length;
    const twist = this.#twist(state);
    return slots.map(({ place }, number) => {
      const look = first < 0 ? -1 : this.looks.at(first + number);
      const found = this.#lookOf(look, twist);
      const at = this.texts.rows ? (this.slotAt.get(this.#inRows(place, twist)) ?? number) : number;
      const slot = slots[at];
      if (!found || !slot) return null;
      const piece = { ...slot, ...found, ink: slot.outline ? found.ink : found.colour, id: `${this.header.looks[look]?.[2] ?? "piece"}-${at}` };
      return look === player ? { ...piece, ...this.#moved(piece, this.texts.text(state)), id: "player" } : piece;
    });
  }

  /** @override @param {number} look @param {Read} state */
  lookOf(look, state) {
    return this.#lookOf(look, this.#twist(state));
  }

  /** @param {number} look @param {Twist | null} twist */
  #lookOf(look, twist) {
    const [colour, label] = this.header.looks[look] ?? [];
    return colour === undefined || label === undefined ? null : { colour, label: twist?.letters.get(label) ?? label, ink: inkOn(colour) };
  }

  /** @param {string} place @param {Twist | null} twist */
  #inRows(place, twist) {
    return named(place, twist && { ...twist, letters: new Map() }, 1);
  }

  /** @param {Piece} piece @param {string} text */
  #moved(piece, text) {
    const place = placeName(this.#walk(text).at);
    const { x, y } = this.places.get(place) ?? piece;
    return { x, y, place, outline: movedOutline(piece.outline, { dx: x - piece.x, dy: y - piece.y, turn: null }) };
  }

  /** @param {string} text */
  #walk(text) {
    return new Walk(text, this.texts.player ?? ["", ""]);
  }

  /** @override @param {number[]} slide @param {number} slot @param {Read} state @param {Read | null} walksTo */
  path(slide, slot, state, walksTo) {
    const twist = this.#twist(state);
    if (walksTo) return this.#walked(state, walksTo, slide);
    return twist && this.texts.rows ? this.#between(slot, slide, twist) : slide;
  }

  /**
   * The way of a player to where its last step begins, and that step.
   * @param {Read} state @param {Read} after @param {number[]} last
   */
  #walked(state, after, [dx = 0, dy = 0]) {
    const board = this.#walk(this.texts.text(state));
    const { at: end } = this.#walk(this.texts.text(after));
    const reached = board.reach();
    const legs = [dx, dy];
    const start = placeName(board.at);
    for (let name = placeName([end[0] - Math.sign(dy), end[1] - Math.sign(dx)]); name !== start; ) {
      const step = reached.get(name);
      if (!step) break;
      const before = placeName(step.from);
      const [from, to] = [before, name].map((place) => this.places.get(place) ?? { x: 0, y: 0 });
      if (from && to) legs.unshift(round(to.x - from.x), round(to.y - from.y));
      name = before;
    }
    return legs;
  }

  /**
   * A path between other rows: each of its points lies as far from its row.
   * @param {number} slot @param {number[]} slide @param {Twist} twist
   */
  #between(slot, slide, twist) {
    let { x, y } = this.header.slots[slot] ?? { x: 0, y: 0 };
    let last = this.#shifted({ x, y }, twist);
    return legsOf(slide).flatMap(([dx, dy]) => {
      [x, y] = [x + dx, y + dy];
      const [from, to] = [last, this.#shifted({ x, y }, twist)];
      last = to;
      return [round(to.x - from.x), round(to.y - from.y)];
    });
  }

  /** @param {Point} point @param {Twist} twist */
  #shifted(point, twist) {
    const near = nearest([...this.places.values()], point) ?? { ...point, name: "" };
    const to = this.places.get(this.#inRows(near.name, twist)) ?? near;
    return { x: point.x + to.x - near.x, y: point.y + to.y - near.y };
  }
}

/** Put moves that lead to one state into the order of a text's rows. @param {(Next & { to: number })[]} steps */
function inRows(steps) {
  const rows = (/** @type {Next} */ { move }) => Array.from(move.matchAll(/\d+/g), ([digits]) => Number(digits));
  const sorted = [...steps].sort((one, other) => {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [rows(one), rows(other)];
    return a - c || b - d;
  });
  return steps.flatMap(({ to }) => sorted.splice(sorted.findIndex((step) => step.to === to), 1));
}
