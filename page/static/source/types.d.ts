/** The header of a published table: plugins/publish/README.md tells what each field means. */

export interface Header {
  format: number;
  digest: string;
  goal: string;
  about: About;
  histogram: Histogram;
  start: string;
  /** Solved states, from which scrambles begin; of many some. */
  solved: string[];
  states: TextsHeader;
  /** True where the label of the piece that a move moves follows its group. */
  labelled?: boolean;
  /** True where moves may be one-way. */
  one_way: boolean;
  moves: MoveCase[][] | StoredMovesHeader;
  drawing: DrawingHeader;
  ranking: RankingHeader;
  blocks: BlocksHeader;
  draws: DrawsHeader;
}

/** What random states are drawn by. */
export interface DrawsHeader {
  /** The number of states. */
  size: number;
  /** States of a range. */
  block: number;
  /** Of distance d and range r, how many states: number d * ranges + r; last those that cannot reach the goal. */
  counts: BlocksHeader;
}

export interface TextsHeader {
  /** A letter by its code; where texts have several lengths, the first one fills them up. */
  alphabet: string;
  length: number;
  /** The layout of texts whose letters have no place of their own; the separator is also the letter of an empty place. */
  columns?: { separator: string; /** Letters by their deepest place. */ limits: string[] };
  /** Letters of pieces that are alike, by kind: the first one in a text counts as the first one here. */
  alike?: string[];
  /** Letters by their worth, where rows have no order: the greatest row, read from its end, counts as the first. */
  rows?: string;
  /** The letters of a player who may stand anywhere in reach, and those of free cells, each on plain ground and on a goal. */
  player?: [string, string];
}

export type Cell = [row: number, column: number];
/** The letters and rows of a text by those of the canonical one. */
export type Twist = { letters: Map<string, string>; rows: number[] };

/**
 * The effect of a move where some places have only some letters: places, those that they copy, and by place the codes
 * that become others. The first case that fits counts, and without one the move is illegal.
 */
export type MoveCase = [only: [letters: string, places: number[]][], to: number[], from: number[], rename?: [number, number][][]];

/** The k-th move of state s has number s * count + k: the state after it, and what it is. */
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
  effect: number;
  change?: [row: number, column: number, to: string | Cell][];
}

export interface DrawingHeader {
  width: number;
  height: number;
  places: [name: string, x: number, y: number][];
  marks: Shape[];
  /** The kind is that of the pieces, as box; older tables lack it. */
  looks: [colour: string, label: string, kind?: string | undefined][];
  /** `looks` by the code at the first place of `at`, and then at the second one. */
  slots: { place: string; outline: string; x: number; y: number; size: number; at?: number[]; looks?: number[] | number[][] }[];
  poses: [turn: { x: number; y: number; degrees: number } | null, slide: number[] | null, lift: boolean, flip: boolean, walks: boolean][];
  /**
   * Slots that one may touch; and of each motion the slot, the pose, and the new look or -1. Without a look a piece that
   * stays gets the one of its slot after the move.
   */
  effects: [touched: number[], motions: [slot: number, pose: number, look?: number][] | null][];
  /** The number of an effect by move and case; null where effects are not told. */
  moves?: (number[] | null)[];
  /** Or state by state: the look of slot k of state s is number s * slots + k. */
  stored?: BlocksHeader;
  /** The look of the player, whose place is that of the text. */
  player?: number;
}

export interface RankingHeader {
  /** The order in which letters are read. */
  places: number[];
  /** So many of them tell only whether a piece is coloured. */
  alike?: number;
  /** Places that name interchangeable colours, in the order in which these appear. */
  named?: number[];
  symbols: number;
  /** The next node for each node and symbol, 0 without one, in four bytes: deflated, in base64. */
  next: string;
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

/** Distances by their codes: base + code, or -1 for the code `none`. */
export type Block = { base: number; codes: Uint8Array | Uint16Array | Uint32Array; none: number };

/** The texts, the moves and the drawing of a puzzle's states, in whichever form. */
export interface Form {
  texts: { read(text: string): Read; text(state: Read): string };
  moves: { next(state: Read): Next[] };
  drawing(): Promise<import("./drawing.js").Drawing>;
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

/** A legal move, the number of its effect, and the state after it. */
export interface Next {
  move: string;
  group: string;
  effect: number;
  /** The number of the state after it, where it is known. */
  to?: number;
  state: Read;
}
