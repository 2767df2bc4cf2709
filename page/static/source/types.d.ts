/** The header of a published table: docs/publishing.md tells what each field means. */

import type { About, BoardMove, Histogram, Piece, Shape } from "../modules/answers.js";

export interface Header {
  format: number;
  digest: string;
  goal: string;
  about: About;
  histogram: Histogram;
  start: string;
  /** Solved states, from which scrambles begin; of many some. */
  solved: string[];
  /** The words for a move that does not exist, which is '?' there, and their hint; null where moves depend on the state. */
  no_move: [detail: string, hint: string] | null;
  states: TextsHeader;
  /** True where the label of the piece that a move moves follows its group. */
  labelled?: boolean;
  /** True where moves may be one-way. */
  one_way: boolean;
  moves: MoveCase[][] | StoredMovesHeader;
  drawing: DrawingHeader | StoredDrawingHeader;
  ranking: RankingHeader;
  blocks: BlocksHeader;
  draws: DrawsHeader;
}

/** What random states are drawn by: those of the service, whose states have numbers of their own, their indices. */
export interface DrawsHeader {
  /** The number of indices. */
  size: number;
  /** Indices of a range. */
  block: number;
  /** Of distance d and range r, how many states: number d * ranges + r; last those that cannot reach the goal. */
  counts: BlocksHeader;
  /** The number of each index, where it is another; -1 for an index of no state. */
  order?: BlocksHeader;
}

export interface TextsHeader {
  /** A letter by its code; where texts have several lengths, the first one fills them up. */
  alphabet: string;
  length: number;
  /** Places whose letters a text may exchange, the letters that occur there, and whether each occurs as often in all states. */
  sets?: [places: number[], letters: string, fixed: boolean][];
  /** The layout of texts whose letters have no place of their own; the separator is also the letter of an empty place. */
  columns?: { separator: string; /** Letters by their deepest place. */ limits: string[] };
  /** Letters of pieces that are alike, by kind: the first one in a text counts as the first one here. */
  alike?: string[];
  /** Letters by their worth, where rows have no order: the greatest row, read from its end, counts as the first. */
  rows?: string;
  /** The letters of a player who may stand anywhere in reach, and those of free cells, each on plain ground and on a goal. */
  player?: [string, string];
}

/**
 * The effect of a move where some places have only some letters: places, those that they copy, and by place the codes
 * that become others. The first case that fits counts, and without one the move is illegal.
 */
export type MoveCase = [only: [letters: string, places: number[]][], to: number[], from: number[], rename?: [number, number][][]];

/** The k-th move of state s has number s * count + k: the state after it, and its name. */
export interface StoredMovesHeader {
  count: number;
  after: BlocksHeader;
  names: BlocksHeader;
  moves: StoredMove[];
}

/** A move; of texts that are not canonical it changes cells, each to a letter or to that of another cell. */
export interface StoredMove {
  move: string;
  group: string;
  change?: [row: number, column: number, to: string | [row: number, column: number]][];
}

export type Pose = [turn: { x: number; y: number; degrees: number } | null, slide: number[] | null, lift: boolean, flip: boolean, walks?: boolean];

/** Slots that one may touch to make a move, and the pose of each that it changes. */
export type Effects = [touched: number[], changed: [slot: number, pose: number][]];

export interface DrawingHeader {
  width: number;
  height: number;
  places: [name: string, x: number, y: number][];
  marks: Shape[];
  looks: [colour: string, label: string][];
  /** `looks` by the code at the first place of `at`, and then at the second one. */
  slots: { place: string; outline: string; x: number; y: number; size: number; at: number[]; looks: number[] | number[][] }[];
  poses: Pose[];
  /** By move and case; null where the effects are not told. */
  moves: (Effects[] | null)[];
}

/** The look of slot k of state s is number s * slots + k; the effect of its k-th move is number s * count + k. */
export type StoredDrawingHeader = Omit<DrawingHeader, "slots" | "poses" | "moves"> & {
  slots: Omit<DrawingHeader["slots"][number], "at" | "looks">[];
  stored: BlocksHeader;
  effects: BlocksHeader;
  /** The look of the player, whose place is that of the text. */
  player?: number;
};

/** By number, slots that one may touch, and the slot, the pose and the new look of each motion; -1 for the old look. */
export interface StoredEffects {
  poses: Pose[];
  effects: [touched: number[], motions: [slot: number, pose: number, look: number][] | null][];
}

export interface RankingHeader {
  /** The order in which letters are read. */
  places: number[];
  /** So many of them tell only whether a piece is coloured. */
  alike?: number;
  /** Places that name interchangeable colours, in the order in which these appear. */
  named?: number[];
  size: number;
  symbols: number;
  /** The next node for each node and symbol, 0 without one: deflated, in base64. */
  next: string;
  /** True where nodes have four bytes in place of two. */
  wide: boolean;
  orbits?: OrbitsHeader;
}

export interface OrbitsHeader {
  /** Columns of a row. */
  width: number;
  /** Of each wheel, back by 0 to 5 sixths: the place where each place gets its piece. */
  turns: number[][][];
  /** By wheel, a bit for each row that has vertices. */
  rows: string[];
  /** Its places, and the code that each code becomes. */
  half_turn: [number[], number[]] | null;
}

export interface BlocksHeader {
  /** The name of its files. */
  name: string;
  /** The number of distances. */
  size: number;
  block: number;
  in_file: number;
  /** The bytes of all its files. */
  bytes: number;
}

/** The texts, the moves and the drawing of a puzzle's states, in whichever form. */
export interface Form {
  texts: { read(text: string): Read; text(state: Read): string };
  moves: { next(state: Read): Next[] };
  drawing(): Promise<DrawingForm>;
}

export interface DrawingForm {
  header: Pick<DrawingHeader, "width" | "height" | "marks" | "places">;
  pieces(state: Read): (Piece | null)[];
  effect(move: Next, state: Read, before: (Piece | null)[]): Pick<BoardMove, "handle" | "motions">;
}

/** A state by the codes of its letters, and the letters by code; the text where it is not the canonical one. */
export interface Read {
  codes: Uint8Array;
  letters: string;
  text?: string;
  /** As the ranking found them. */
  numbers?: Numbers;
}

/** The number of a state, -1 without one, and those under which its distance lies: one, or two of which the smaller one plus 1 counts. */
export interface Numbers {
  rank: number;
  stored: number[];
}

/** A legal move: its number, the case or the number of its effect, and the state after it. */
export interface Next {
  move: string;
  group: string;
  at: number;
  kind?: number;
  /** The number of the state after it, where it is known. */
  to?: number;
  state: Read;
}
