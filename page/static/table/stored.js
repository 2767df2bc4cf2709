/** Moves and drawings that are stored state by state: for puzzles whose moves are no rewritings of letters. */

/** @import { BoardMove, Motion, Piece } from "../modules/answers.js" */
/** @import { Ranking } from "./ranking.js" */
/** @import { Form, Header, Next, Read, StoredDrawingHeader, StoredMovesHeader } from "./types.d.ts" */
import { inkOn } from "./drawing.js";
import { Blocks, Folder } from "./files.js";

/**
 * The moves and the drawing of a table that stores both.
 * @param {Folder} folder
 * @param {Header} header
 * @param {Ranking} ranking
 * @returns {Promise<Form>}
 */
export async function storedForm(folder, header, ranking) {
  const moves = new StoredMoves(folder, header, /** @type {StoredMovesHeader} */ (header.moves), ranking);
  const drawing = new StoredDrawing(folder, header, /** @type {StoredDrawingHeader} */ (header.drawing), ranking);
  await Promise.all([moves.load(), drawing.load()]);
  return { moves, drawing };
}

/** The moves of all states. */
class StoredMoves {
  /**
   * @param {Folder} folder
   * @param {Header} header
   * @param {StoredMovesHeader} stored
   * @param {Ranking} ranking
   */
  constructor(folder, header, stored, ranking) {
    this.stored = stored;
    this.ranking = ranking;
    this.moves = stored.moves ?? header.about.moves;
    this.after = new Blocks(folder, stored.after, header.digest);
    this.names = stored.names ? new Blocks(folder, stored.names, header.digest) : null;
  }

  /** Fetch all. */
  async load() {
    await Promise.all([this.after.load(), this.names?.load()]);
  }

  /**
   * The legal moves of a state, in the puzzle's order.
   * @param {Read} state
   * @returns {Next[]}
   */
  next({ codes, letters }) {
    const first = this.ranking.rank(codes) * this.stored.count;
    return Array.from({ length: first < 0 ? 0 : this.stored.count }, (_, at) => at).flatMap((at) => {
      const to = this.after.at(first + at) ?? -1;
      const named = this.moves[this.names ? (this.names.at(first + at) ?? -1) : at];
      return to >= 0 && named ? [{ ...named, at, state: { codes: this.ranking.unrank(to), letters } }] : [];
    });
  }
}

/** The drawings of all states. Pieces that look alike and lie elsewhere after a move slide there. */
class StoredDrawing {
  /**
   * @param {Folder} folder
   * @param {Header} header
   * @param {StoredDrawingHeader} stored
   * @param {Ranking} ranking
   */
  constructor(folder, header, stored, ranking) {
    this.header = stored;
    this.ranking = ranking;
    this.looks = new Blocks(folder, stored.stored, header.digest);
  }

  /** Fetch all. */
  load() {
    return this.looks.load();
  }

  /**
   * The pieces of a state by slot, null where there is none.
   * @param {Read} state
   * @returns {(Piece | null)[]}
   */
  pieces({ codes }) {
    const first = this.ranking.rank(codes) * this.header.slots.length;
    return this.header.slots.map((slot, number) => {
      const look = this.header.looks[(first < 0 ? -1 : this.looks.at(first + number)) ?? -1];
      if (!look) return null;
      const [colour, label] = look;
      return { ...slot, id: `slot-${number}`, colour, label, ink: slot.outline ? inkOn(colour) : colour };
    });
  }

  /**
   * What a move does to the pieces of a state.
   * @param {Next} _move
   * @param {(Piece | null)[]} before
   * @param {(Piece | null)[]} behind the pieces after it
   * @returns {Pick<BoardMove, "handle" | "motions">}
   */
  effect(_move, before, behind) {
    const differs = (/** @type {number} */ slot) => before[slot]?.colour !== behind[slot]?.colour || before[slot]?.label !== behind[slot]?.label;
    const changed = this.header.slots.map((_, slot) => slot).filter(differs);
    const [gone, come] = [before, behind].map((pieces) => changed.flatMap((slot) => pieces[slot] ?? []));
    /** @type {Motion[]} */
    const motions = [];
    for (const piece of gone ?? []) {
      const to = come?.findIndex(({ colour, label }) => colour === piece.colour && label === piece.label) ?? -1;
      const [there] = to < 0 ? [] : (come?.splice(to, 1) ?? []);
      if (!there) return { handle: (gone ?? []).map(({ id }) => id), motions: null };
      motions.push({ piece: piece.id, turn: null, slide: [there.x - piece.x, there.y - piece.y], lift: true, flip: false, becomes: null });
    }
    return { handle: motions.map(({ piece }) => piece), motions: come?.length ? null : motions };
  }
}
