/** The header of a published table: docs/publishing.md tells what each field means. */

import type { About, BoardMove, Histogram, Piece, Shape } from "../modules/answers.js";

export interface Header {
  format: number;
  digest: string;
  goal: string;
  about: About;
  histogram: Histogram;
  start: string;
  solved: string | null;
  states: TextsHeader;
  /** True where moves may be one-way. */
  one_way: boolean;
  moves: MoveHeader[] | StoredMovesHeader;
  drawing: DrawingHeader | StoredDrawingHeader;
  ranking: RankingHeader;
  blocks: BlocksHeader;
}

export interface TextsHeader {
  alphabet: string;
  length: number;
}

export interface Rewriting {
  to: number[];
  from: number[];
  /** By place in `to`, the letters that become others. */
  rename?: [number, number][][];
}

export type MoveHeader = Rewriting | { guard: number; cases: Record<string, Rewriting> };

/** The state after move m of state s is number s * count + m; moves have names of their own where these depend on the state. */
export interface StoredMovesHeader {
  count: number;
  after: BlocksHeader;
  names?: BlocksHeader;
  moves?: { move: string; group: string }[];
}

export type Pose = [turn: { x: number; y: number; degrees: number } | null, slide: number[] | null, lift: boolean, flip: boolean];

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
  moves: (Record<string, Effects> | null)[];
}

/** The look of slot k of state s is number s * slots + k. */
export type StoredDrawingHeader = Omit<DrawingHeader, "slots" | "poses" | "moves"> & {
  slots: Omit<DrawingHeader["slots"][number], "at" | "looks">[];
  stored: BlocksHeader;
};

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

/** The moves and the drawing of a puzzle's states, in whichever form. */
export interface Form {
  moves: { moves: { move: string; group: string }[]; next(state: Read): Next[] };
  drawing: {
    header: Pick<DrawingHeader, "width" | "height" | "marks" | "places">;
    pieces(state: Read): (Piece | null)[];
    effect(move: Next, before: (Piece | null)[], behind: (Piece | null)[]): Pick<BoardMove, "handle" | "motions">;
  };
}

/** A state by the codes of its letters, and the letters by code. */
export interface Read {
  codes: Uint8Array;
  letters: string;
  /** As the ranking found them. */
  numbers?: Numbers;
}

/** The number of a state, -1 without one, and those under which its distance lies: one, or two of which the smaller one plus 1 counts. */
export interface Numbers {
  rank: number;
  stored: number[];
}

/** A legal move: its number, the case of a drawing's effect, and the state after it. */
export interface Next {
  move: string;
  group: string;
  at: number;
  kind?: number;
  state: Read;
}
