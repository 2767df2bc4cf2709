/** Types that every module of the page knows by their names. */

import type * as answers from "./puzzlebase.js";
import type * as tables from "./source/types.d.ts";

declare global {
  type About = answers.About;
  type Answer = answers.Answer;
  type Antipodes = answers.Antipodes;
  type Board = answers.Board;
  type BoardMove = answers.BoardMove;
  type Count = answers.Count;
  type Difficulty = answers.Difficulty;
  type Grade = answers.Grade;
  type GradeOptions = answers.GradeOptions;
  type Hint = answers.Hint;
  type HintOptions = answers.HintOptions;
  type Histogram = answers.Histogram;
  type Look = answers.Look;
  type Lookup = answers.Lookup;
  type Motion = answers.Motion;
  type Move = answers.Move;
  type PageOptions = answers.PageOptions;
  type Piece = answers.Piece;
  type Puzzle = answers.Puzzle;
  type Random = answers.Random;
  type RandomOptions = answers.RandomOptions;
  type SearchOptions = answers.SearchOptions;
  type Shape = answers.Shape;
  type Solution = answers.Solution;
  type SolveOptions = answers.SolveOptions;
  type Source = answers.Source;

  type Service = import("./source/http.js").Service;
  type Table = import("./source/folder.js").Table;
  type Folder = import("./source/files.js").Folder;
  type Ranking = import("./source/ranking.js").Ranking;
  type Block = tables.Block;
  type BlocksHeader = tables.BlocksHeader;
  type Cell = tables.Cell;
  type DrawingHeader = tables.DrawingHeader;
  type Form = tables.Form;
  type Header = tables.Header;
  type MoveCase = tables.MoveCase;
  type Next = tables.Next;
  type Numbers = tables.Numbers;
  type OrbitsHeader = tables.OrbitsHeader;
  type RankingHeader = tables.RankingHeader;
  type Read = tables.Read;
  type StoredMove = tables.StoredMove;
  type StoredMovesHeader = tables.StoredMovesHeader;
  type Twist = tables.Twist;

  type BoardView = import("./modules/board.js").BoardView;
  type Controls = ReturnType<typeof import("./modules/controls.js").controlsOf>;
  type Game = import("./modules/game.js").Game;
  type NewPositions = ReturnType<typeof import("./modules/new_positions.js").newPositions>;
  type Player = import("./modules/player.js").Player;
  type Problem = import("./modules/problem.js").Problem;
  type Truth = import("./modules/truth.js").Truth;

  /** What a published table answers, by its states, moves and distances. */
  type Rule<Fields, Result> = (source: Table, fields: Fields) => Promise<Result>;

  type ById = (id: string) => HTMLElement;
  type Tell = (error: unknown) => void;
  type Point = { x: number; y: number };
  type Turn = Point & { degrees: number };
  /** A fold scales towards a line across. */
  type Pose = { dx: number; dy: number; turn: Turn | null; fold?: { middle: number; scale: number } | null };
  type Drag = {
    id: number;
    piece: string | null;
    from: Point;
    screen: PointerEvent;
    moves: BoardMove[];
    /** The move that is shown, and how much of it. */
    shown: { move: BoardMove; part: number } | null;
  };
  /** How the state of a game came to be another. */
  type Change = { kind: string; move: string };
  type Distances = (Count | null | undefined)[];
  /** A place of the editor: what goes together there, and where a state's text tells of it. */
  type EditedPlace = Point & { name: string; of: string; at: number[] };
  /** Where one taps in the editor. */
  type Spot = { place: EditedPlace; piece: Piece | null; point: Point };
  /** How a state's text tells what lies where. */
  type Arrangement = {
    places: EditedPlace[];
    /** The units that are moved at most, where pieces stand for amounts. */
    units?: number;
    /** Whether a piece has several cells. */
    wide?: boolean;
    /** The state when what lies at two spots has changed places, or what lies at one has another look; null if there is no room. */
    after(board: Board, from: Spot, to: Spot, most: number): string | null;
  };
  type Arranger = (board: Board, places: EditedPlace[]) => Arrangement | null;
  /** A shape, and the nodes that show it. */
  type Drawn = { group: SVGGElement; path: SVGPathElement; text: SVGTextElement; shape: Shape & { place?: string } };
  /** How a board is shown: `bare` leaves all letters out, `sprites` is a template of addresses, `net` shows a cube's net. */
  type Wear = { theme: string; bare: boolean; sprites: string; net: boolean };
  /** A square of a cube in space. */
  type Sticker = { id: string; normal: DOMPoint; middle: DOMPoint; corners: DOMPoint[] };
  /** Layers of a cube that turn about an axis. */
  type CubeTurn = { axis: "x" | "y" | "z"; layers: number[]; degrees: number };

  type Saved = { moves: string[]; states: string[]; hints: number[] };
  /** A way to the goal, or how it begins. */
  type Line = { moves: string[]; states: string[]; more?: boolean };
  /** How a game was begun; the scramble if it is known. */
  type Kind = { difficulty?: string; daily?: string; scramble?: string[] | null | undefined };
  type Wanted = Kind & { min?: number; max?: number; turns?: number };
  type Position = { state: string } & Partial<Random>;
  type Ask<A> = (options: SearchOptions) => Promise<A>;
  /** The seconds that a search has run, and at most. */
  type Searching = { seconds: number; most: number; lowerBound: Count | null };
  type Worth = {
    stars: number;
    length: number;
    fewest: Count | null;
    wasted: Count | bigint | null;
    /** The levels of help shown. */
    hints: number[];
  };
  /** Help that was shown of a position. */
  type Noted = { position: string; until: number; levels: number[] };
  type Best = { stars: number; wasted: number | null };
  type Progress = {
    solved: Record<string, number>;
    best: Record<string, Best>;
    last: { puzzle: string; query: string }[];
    /** `of` are the puzzles whose daily game was solved that day. */
    daily: { day: string; days: number; of: string[] };
    /** The days of the longest row of daily games. */
    longest: number;
    /** The stars of daily games, by day and puzzle. */
    days: Record<string, Record<string, number>>;
    /** The number of games that wasted 0, 1, 2 ... moves. */
    wasted: number[];
  };
  type Lasting = Event & { waitUntil(done: Promise<unknown>): void; data: string[] };
  type Asked = Lasting & { request: Request; respondWith(answer: Promise<Response>): void };
  type ServiceWorkerScope = {
    puzzlebase: { digest: string; files: string[] };
    skipWaiting(): Promise<void>;
    addEventListener(type: "fetch", listener: (event: Asked) => void): void;
    addEventListener(type: string, listener: (event: Lasting) => void): void;
  };

  /** The value of an attribute, or a listener. */
  type Value = string | number | boolean | null | undefined | EventListener | ((event: any) => unknown);
  /** What the page and the element do around a game. */
  type Host = {
    /** Whether the end shows stars. */
    stars(): boolean;
    /** Where keys are pressed. */
    keys: EventTarget;
    go(by: number): void;
    /** Begin at another position. */
    scramble(): unknown;
    /** What stands below the stars. */
    ended(worth: Worth): Node[];
    tell: Tell;
  };
  type Child = Node | string | null | undefined;
  /** Makes elements of a language. */
  type Maker<Elements> = <Tag extends keyof Elements & string>(tag: Tag, attributes?: Record<string, Value>, ...children: Child[]) => Elements[Tag];
  /** What <puzzle-base> shows. */
  type Looks = { hints: boolean; picture: boolean; buttons: string; theme: string; net: boolean; sprites: string; hide: string };
}
