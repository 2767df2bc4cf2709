/** Moves and drawings that are stored state by state: for puzzles whose moves are no rewritings of letters. */

/** @import { BoardMove, Motion, Piece } from "../modules/answers.js" */
/** @import { Ranking } from "./ranking.js" */
/** @import { BlocksHeader, Form, Header, Next, Read, StoredDrawingHeader, StoredEffects, StoredMovesHeader } from "./types.d.ts" */
/** @import { Cell, Twist } from "./alike.js" */
import { movedOutline, nearest, round } from "../modules/motion.js";
import { named, placeName, StoredTexts, Walk } from "./alike.js";
import { inkOn } from "./drawing.js";
import { Blocks, Folder } from "./files.js";

/**
 * The texts, the moves and the drawing of a table that stores them.
 * @param {Folder} folder
 * @param {Header} header
 * @param {Ranking} ranking
 * @returns {Promise<Form>}
 */
export async function storedForm(folder, header, ranking) {
  const texts = new StoredTexts(header, ranking);
  const moves = new StoredMoves(folder, header, ranking, texts);
  await moves.load();
  return {
    texts, moves,
    async drawing() {
      const drawing = new StoredDrawing(folder, header, ranking, texts);
      await drawing.load();
      return drawing;
    },
  };
}

/** The moves of all states. */
class StoredMoves {
  /**
   * @param {Folder} folder
   * @param {Header} header
   * @param {Ranking} ranking
   * @param {StoredTexts} texts
   */
  constructor(folder, header, ranking, texts) {
    this.header = /** @type {StoredMovesHeader} */ (header.moves);
    this.ranking = ranking;
    this.texts = texts;
    const blocks = (/** @type {BlocksHeader} */ of) => new Blocks(folder, of, header.digest);
    this.after = blocks(this.header.after);
    this.names = blocks(this.header.names);
  }

  /** Fetch all. */
  async load() {
    await Promise.all([this.after, this.names].map((each) => each.load()));
  }

  /**
   * The legal moves of a state, in the puzzle's order.
   * @param {Read} state
   * @returns {Next[]}
   */
  next(state) {
    const { count, moves } = this.header;
    const first = this.ranking.rank(state.codes) * count;
    if (first < 0) return [];
    const [text, { exact, header }] = [this.texts.text(state), this.texts];
    const twist = exact ? null : this.texts.twist(text);
    const steps = [];
    for (let kind = first; kind < first + count; kind++) {
      const to = this.after.at(kind);
      const told = moves[this.names.at(kind)];
      if (to < 0 || !told) break;
      /** @type {Read} */
      const after = { codes: this.ranking.unrank(to), letters: state.letters };
      if (twist && told.change) after.text = this.texts.changed(text, told.change, twist.rows);
      steps.push({ move: named(told.move, twist), group: named(told.group, twist), at: kind - first, kind, to, state: after });
    }
    return header.rows ? inRows(steps) : steps;
  }
}

/** The drawings of all states. */
class StoredDrawing {
  /** @type {StoredEffects} */
  #effects = { poses: [], effects: [] };

  /**
   * @param {Folder} folder
   * @param {Header} header
   * @param {Ranking} ranking
   * @param {StoredTexts} texts
   */
  constructor(folder, header, ranking, texts) {
    this.header = /** @type {StoredDrawingHeader} */ (header.drawing);
    this.folder = folder;
    this.digest = header.digest;
    this.ranking = ranking;
    this.texts = texts;
    this.looks = new Blocks(folder, this.header.stored, header.digest);
    this.numbers = new Blocks(folder, this.header.effects, header.digest);
    this.places = new Map(this.header.places.map(([name, x, y]) => [name, { x, y }]));
    this.slotAt = new Map(this.header.slots.map((slot, number) => [slot.place, number]));
  }

  /** Fetch all. */
  async load() {
    const [effects] = await Promise.all([this.folder.json("effects.json", this.digest), this.looks.load(), this.numbers.load()]);
    this.#effects = effects;
  }

  /**
   * The pieces of a state by slot of the canonical text, null where there is none.
   * @param {Read} state
   * @returns {(Piece | null)[]}
   */
  pieces(state) {
    const first = this.ranking.rank(state.codes) * this.header.slots.length;
    const twist = this.texts.exact ? null : this.texts.twist(this.texts.text(state));
    return this.header.slots.map((_, number) => {
      const look = first < 0 ? -1 : this.looks.at(first + number);
      const [colour, label] = this.header.looks[look] ?? [];
      const at = this.#slot(number, twist);
      const slot = this.header.slots[at];
      if (colour === undefined || label === undefined || !slot) return null;
      const piece = { ...slot, id: `slot-${at}`, colour, label: twist?.letters.get(label) ?? label, ink: slot.outline ? inkOn(colour) : colour };
      return look === this.header.player ? { ...piece, ...this.#moved(piece, this.texts.text(state)), id: "player" } : piece;
    });
  }

  /**
   * The slot in which a piece lies, by that in the canonical text.
   * @param {number} slot
   * @param {Twist | null} twist
   */
  #slot(slot, twist) {
    if (!twist || !this.texts.header.rows) return slot;
    return this.slotAt.get(named(this.header.slots[slot]?.place ?? "", { ...twist, letters: new Map() }, 1)) ?? slot;
  }

  /**
   * A player where a text has it.
   * @param {Piece} piece
   * @param {string} text
   */
  #moved(piece, text) {
    const place = this.#player(text);
    const to = this.places.get(place) ?? piece;
    return { ...to, place, outline: movedOutline(piece.outline, { dx: to.x - piece.x, dy: to.y - piece.y, turn: null }) };
  }

  /** The place of the player. @param {string} text */
  #player(text) {
    return placeName(new Walk(text, this.texts.header.player ?? ["", ""]).at);
  }

  /**
   * What a move does to the pieces of a state.
   * @param {Next} move
   * @param {Read} state
   * @param {(Piece | null)[]} before
   * @returns {Pick<BoardMove, "handle" | "motions">}
   */
  effect({ kind = -1, state: after }, state, before) {
    const [touched, motions] = this.#effects.effects[this.numbers.at(kind)] ?? [[], null];
    const twist = this.texts.exact ? null : this.texts.twist(this.texts.text(state));
    const told = motions?.flatMap(([slot, number, look]) => {
      const [turn, slide, lift, flip, walks] = this.#effects.poses[number] ?? [null, null, false, false];
      const piece = before[slot];
      if (!piece) return [];
      const [colour, label] = this.header.looks[look] ?? [];
      const becomes = colour === undefined || label === undefined ? null : { colour, label: twist?.letters.get(label) ?? label, ink: inkOn(colour) };
      const legs = slide && walks ? this.#walked(state, after, slide) : slide && twist && this.texts.header.rows ? this.#between(slot, slide, twist) : slide;
      return /** @type {Motion[]} */ ([{ piece: piece.id, turn, slide: legs, lift, flip, becomes }]);
    });
    return { handle: touched.flatMap((slot) => before[slot]?.id ?? []), motions: told ?? null };
  }

  /**
   * The way of a player to where its last step begins, and that step.
   * @param {Read} state
   * @param {Read} after
   * @param {number[]} last
   */
  #walked(state, after, [dx = 0, dy = 0]) {
    const letters = this.texts.header.player ?? ["", ""];
    const [board, end] = [new Walk(this.texts.text(state), letters), new Walk(this.texts.text(after), letters).at];
    const reached = board.reach();
    /** @type {Cell} */
    let cell = [end[0] - Math.sign(dy), end[1] - Math.sign(dx)];
    const legs = [dx, dy];
    while (`${cell}` !== `${board.at}`) {
      const from = reached.get(`${cell}`);
      if (!from) break;
      const [here, there] = [from, cell].map((each) => this.places.get(placeName(each)) ?? { x: 0, y: 0 });
      if (here && there) legs.unshift(round(there.x - here.x), round(there.y - here.y));
      cell = from;
    }
    return legs;
  }

  /**
   * A path between other rows: each of its points lies as far from its row.
   * @param {number} slot
   * @param {number[]} slide
   * @param {Twist} twist
   */
  #between(slot, slide, twist) {
    let { x, y } = this.header.slots[slot] ?? { x: 0, y: 0 };
    let last = this.#shifted({ x, y }, twist);
    const legs = [];
    for (let leg = 0; leg + 1 < slide.length; leg += 2) {
      [x, y] = [x + (slide[leg] ?? 0), y + (slide[leg + 1] ?? 0)];
      const to = this.#shifted({ x, y }, twist);
      legs.push(round(to.x - last.x), round(to.y - last.y));
      last = to;
    }
    return legs;
  }

  /**
   * @param {{ x: number, y: number }} point
   * @param {Twist} twist
   */
  #shifted(point, twist) {
    const name = nearest(Array.from(this.places, ([place, at]) => ({ ...at, name: place })), point)?.name ?? "";
    const [from, to] = [name, named(name, { ...twist, letters: new Map() }, 1)].map((place) => this.places.get(place) ?? point);
    return { x: point.x + (to?.x ?? 0) - (from?.x ?? 0), y: point.y + (to?.y ?? 0) - (from?.y ?? 0) };
  }
}

/**
 * Put moves that lead to one state into the order of a text's rows.
 * @param {(Next & { to: number })[]} steps
 */
function inRows(steps) {
  const rows = (/** @type {Next} */ { move }) => Array.from(move.matchAll(/\d+/g), ([digits]) => Number(digits));
  const sorted = [...steps].sort((one, other) => {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [rows(one), rows(other)];
    return a - c || b - d;
  });
  return steps.flatMap(({ to }) => sorted.splice(sorted.findIndex((step) => step.to === to), 1));
}
