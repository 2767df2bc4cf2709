/// <reference lib="dom" />
// The types of puzzlebase.js, and of the service's answers as /openapi.json has them. `make docs` writes those before
// Answer; TypeScript compares the classes with the modules.
/** A number; above 2^53 a decimal string, which BigInt reads. */
export type Count = number | string;
export type Antipodes = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** distance of each: the largest there is */
    distance: number | null;
    /** number of states at that distance; at most 100,000 are stored */
    count: number;
    /** the states of this page */
    states: Array<string>;
    /** the offset of the next page; null on the last one */
    next: number | null;
};
export type Board = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** a solved state; null if the goal has none */
    solved: string | null;
    /** of the canvas */
    width: number;
    /** of the canvas */
    height: number;
    /** where pieces may be */
    places: Array<Place>;
    /** shapes that never move, drawn first and in this order: frames, plates */
    marks: Array<Shape>;
    /** shapes that move, drawn over the marks in this order */
    pieces: Array<Piece>;
    /** the legal moves, in the puzzle's order; of a very large board only some of them */
    moves: Array<BoardMove>;
    /** for each move: after it, place number i holds the piece from place number permutation[i], in the order of places; null if moves are no permutations of places */
    permutations: Record<string, Array<number>> | null;
};
export type BoardMove = {
    /** name of the move */
    move: string;
    /** name of the part that it moves, in hints */
    group: string;
    /** the state after the move */
    after: string;
    /** ids of the pieces that one touches or drags to make the move */
    handle: Array<string>;
    /** every piece that the move changes; null if not known: draw the board of `after` */
    motions: Array<Motion> | null;
};
export type Certificate = {
    /** what the nodes are: states, or orbits of states */
    graph: string;
    /** number of nodes, all checked */
    nodes: number;
    /** number of moves between them, all checked */
    links: number;
};
export type Difficulty = {
    /** the word, or the number of the level */
    name: string;
    /** smallest distance of its states */
    min: number;
    /** largest distance of its states */
    max: number;
    /** per cent of the states with a distance that are at most as far as max; null without a table */
    percentile: number | null;
};
export type ExampleMove = {
    /** the state */
    state: string;
    /** name of a legal move: `picture` highlights it */
    move: string;
    /** what it does, in a few words */
    meaning: string;
};
export type GoalSummary = {
    /** name of the goal */
    name: string;
    /** the state where play begins: solved if the puzzle is to be scrambled first */
    start: string;
    /** a solved state; null if no state is */
    solved: string | null;
};
export type Grade = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether the goal can be reached; null if that is not known */
    solvable: boolean | null;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** whether distance is proven; otherwise only the bounds are */
    exact: boolean;
    /** proven: every solution has at least this many moves */
    lower_bound: Count | null;
    /** proven: there is a solution of this many moves */
    upper_bound: Count | null;
    /** where the answer comes from: table, oracle, search or construction */
    source: string;
    /** whether every step is legal */
    legal: boolean;
    /** the first step that is not legal; later ones are not read */
    illegal: Illegal | null;
    /** whether the game is legal and ends solved */
    solved: boolean;
    /** number of legal moves played; a name with an amount may count for several */
    length: number;
    /** fewest moves from the first state; null if there is no solution or none is known */
    optimal_length: Count | null;
    /** moves played beyond those that the progress needed; null if not known */
    wasted: Count | null;
    /** whether wasted counts from lower_bound, as no distance is known; it is then an upper bound */
    against_bound: boolean;
    /** stars earned; 0 if not legal or not solved, at most 2 if a hint showed a move */
    stars: number;
    /** each legal move, and the state it led to */
    steps: Array<Move>;
    /** the first move that was not optimal; null if there is none */
    first_mistake: Mistake | null;
    /** the move after which no goal can be reached; null if there is none or it is not known; only of games and levels */
    lost_at?: Mistake | null;
};
export type Hint = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether the goal can be reached; null if that is not known */
    solvable: boolean | null;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** whether distance is proven; otherwise only the bounds are */
    exact: boolean;
    /** proven: every solution has at least this many moves */
    lower_bound: Count | null;
    /** proven: there is a solution of this many moves */
    upper_bound: Count | null;
    /** where the answer comes from: table, oracle, search or construction */
    source: string;
    /** 1: the distance; 2: also groups; 3: also a move; 4: also a solution */
    level: number;
    /** parts of the puzzle that the optimal moves move, or the first move of a construction */
    groups?: Array<string>;
    /** an optimal move, or the first of a construction; null if there is none */
    move?: string | null;
    /** a shortest solution or a construction, which begins with that move */
    solution?: Array<string>;
    /** the fewest last moves to take back so that the goal can be reached again, 0 if it can be; null if none helps or it is not known; only of games and levels */
    take_back?: number | null;
};
export type Histogram = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** number of states at distance 0, 1, 2, ... */
    layers: Array<number>;
    /** number of states from which no goal can be reached; only of games and levels */
    lost?: number;
    /** number of states of the space, those that cannot reach the goal included; of games and levels without the lost ones, so that it is the sum of the layers */
    states: number;
    /** largest distance; null if no state can reach the goal */
    gods_number: number | null;
    /** mean distance of the states that can reach the goal */
    mean: number;
};
export type Illegal = {
    /** number of the step, from 1 */
    step: number;
    /** the move or the state that was sent */
    played: string;
    /** why the step is not legal */
    reason: string;
};
export type Layers = {
    /** name of the goal */
    goal: string;
    /** what the stored indices number: states, or orbits of states */
    encoding: string;
    /** every state up to this distance is stored */
    depth: number;
    /** size of the file in bytes */
    bytes: number;
    /** digest of the content; equal builds have equal digests */
    digest: string;
};
export type Look = {
    /** #rrggbb */
    colour: string;
    /** a text in its middle; may be empty */
    label: string;
    /** colour of the label, #rrggbb */
    ink: string;
};
export type Lookup = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether the goal can be reached; null if that is not known */
    solvable: boolean | null;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** whether distance is proven; otherwise only the bounds are */
    exact: boolean;
    /** proven: every solution has at least this many moves */
    lower_bound: Count | null;
    /** proven: there is a solution of this many moves */
    upper_bound: Count | null;
    /** where the answer comes from: table, oracle, search or construction */
    source: string;
    /** every legal move, best first; equally good ones in the puzzle's order */
    moves: Array<Move>;
};
export type Mistake = {
    /** number of the step, from 1 */
    step: number;
    /** the move that was played */
    played: string;
    /** the optimal moves; none if the puzzle was solved already */
    better: Array<string>;
};
export type Motion = {
    /** id of the piece */
    piece: string;
    /** how it turns; null if it does not */
    turn: Turn | null;
    /** dx, dy, dx, dy, ...: the legs of its path, one after another; null if it does not slide */
    slide: Array<number> | null;
    /** whether it passes above other pieces */
    lift: boolean;
    /** whether it is turned over on the way */
    flip: boolean;
    /** how it looks after the move; null if as before */
    becomes: Look | null;
};
export type Move = {
    /** name of the move */
    move: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** change of distance, -1 at best; null if it is not known */
    delta: number | null;
    /** whether the move begins a shortest solution; null if that is not known */
    optimal: boolean | null;
};
export type MoveName = {
    /** name of the move */
    move: string;
    /** name of the part in hints */
    group: string;
};
export type Notation = {
    /** how states are written */
    state: string;
    /** how moves are written */
    moves: string;
    /** states to try */
    examples: Array<string>;
};
export type Pattern = {
    /** name of the abstraction */
    puzzle: string;
    /** size of its table in bytes; null if it is not built */
    bytes: number | null;
    /** digest of its table; null if it is not built */
    digest: string | null;
};
export type Piece = {
    /** its id, also in the picture */
    id: string;
    /** SVG path data, only M, L, A (of circles) and Z, in absolute coordinates; may be empty */
    outline: string;
    /** #rrggbb */
    colour: string;
    /** a text in its middle; may be empty */
    label: string;
    /** its middle, where the label is, from the left */
    x: number;
    /** the same, from the top */
    y: number;
    /** font size of the label */
    size: number;
    /** colour of the label, #rrggbb */
    ink: string;
    /** name of the place where it is */
    place: string;
};
export type Place = {
    /** name of the place */
    name: string;
    /** from the left */
    x: number;
    /** from the top */
    y: number;
};
export type About = {
    /** name in addresses */
    name: string;
    /** name for people */
    title: string;
    /** name of its family */
    family: string;
    /** number of states; null if not known */
    states: number | null;
    /** largest distance of any state; null if not known */
    gods_number: number | null;
    /** the source of answers: table, oracle, construction, layers (the states nearest the goal, for searches), patterns (the tables of abstractions, for searches) or none (searches) */
    coverage: string;
    /** who invented it; null if not known */
    inventor: string | null;
    /** address of a page about it; null if there is none */
    link: string | null;
    /** a description in a sentence; null if there is none */
    about: string | null;
    /** how to play, and when it is solved; null if the puzzle does not say */
    instructions: string | null;
    /** a move, as an example of the notation; null if there is none */
    example: ExampleMove | null;
    /** words for distances, easiest first; none where a search answers */
    difficulties: Array<Difficulty>;
    /** the same in finer steps, by number; the last one is the hardest */
    levels: Array<Difficulty>;
    /** every move, in the puzzle's order; of the goal's start where moves depend on the state */
    moves: Array<MoveName>;
    /** every named goal, the default first */
    goals: Array<GoalSummary>;
    /** how states and moves are written */
    notation: Notation;
    /** the table; null if there is none */
    table: Table | null;
    /** the stored layers around the goal; null if there are none */
    layers: Layers | null;
    /** the abstractions whose tables searches to the goal need; may be none */
    patterns: Array<Pattern>;
};
export type Summary = {
    /** name in addresses */
    name: string;
    /** name for people */
    title: string;
    /** name of its family */
    family: string;
    /** number of states; null if not known */
    states: number | null;
    /** largest distance of any state; null if not known */
    gods_number: number | null;
    /** the source of answers: table, oracle, construction, layers (the states nearest the goal, for searches), patterns (the tables of abstractions, for searches) or none (searches) */
    coverage: string;
};
export type Catalog = {
    /** the puzzles, by family */
    puzzles: Array<Summary>;
};
export type Random = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether the goal can be reached; null if that is not known */
    solvable: boolean | null;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** whether distance is proven; otherwise only the bounds are */
    exact: boolean;
    /** proven: every solution has at least this many moves */
    lower_bound: Count | null;
    /** proven: there is a solution of this many moves */
    upper_bound: Count | null;
    /** where the answer comes from: table, oracle, search or construction */
    source: string;
    /** uniform: each state is equally likely; walk: found by random moves, as states have no index; scattered: by random numbers, not equally likely; turns: by random turns from solved, or from a game's start, which may lose */
    drawn: string;
    /** per cent of the states with a distance that are at most as far; null without a table or a distance */
    percentile: number | null;
    /** the difficulty that its distance lies in, as a word; null if solved, or in none */
    difficulty: string | null;
    /** fewest moves from solved to the state, or the random turns; null if more than 10,000, or not known, as where moves may be one-way or only a long search would tell */
    scramble: Array<string> | null;
};
export type Shape = {
    /** its id, also in the picture */
    id: string;
    /** SVG path data, only M, L, A (of circles) and Z, in absolute coordinates; may be empty */
    outline: string;
    /** #rrggbb */
    colour: string;
    /** a text in its middle; may be empty */
    label: string;
    /** its middle, where the label is, from the left */
    x: number;
    /** the same, from the top */
    y: number;
    /** font size of the label */
    size: number;
    /** colour of the label, #rrggbb */
    ink: string;
};
export type Solution = {
    /** name of the puzzle */
    puzzle: string;
    /** name of the goal */
    goal: string;
    /** a state, in the caller's own letters */
    state: string;
    /** whether the goal can be reached; null if that is not known */
    solvable: boolean | null;
    /** whether no goal can be reached any more; null if that is not known; only of games and levels */
    lost?: boolean | null;
    /** fewest moves to the goal; null if it cannot be reached or the distance is not known */
    distance: Count | null;
    /** whether distance is proven; otherwise only the bounds are */
    exact: boolean;
    /** proven: every solution has at least this many moves */
    lower_bound: Count | null;
    /** proven: there is a solution of this many moves */
    upper_bound: Count | null;
    /** where the answer comes from: table, oracle, search or construction */
    source: string;
    /** its moves from `offset` on, none if there is nothing to do; a name may say an amount */
    solution: Array<string>;
    /** the offset of the next part; null if the solution ends here */
    next: Count | null;
    /** where the moves of a method that does not solve it end */
    stuck?: string;
    /** the states passed, the one before the first move given included */
    states?: Array<string>;
    /** as many as `all` says, or as there are: `solution` first, the others in the puzzle's order of moves; fewer if a search's time ends, and then `optimal_count` is null */
    solutions?: Array<Array<string>>;
    /** number of shortest solutions; null if it is not known */
    optimal_count?: Count | null;
};
export type Table = {
    /** name of the goal */
    goal: string;
    /** the things with a stored distance: states, or orbits of states */
    encoding: string;
    /** size of the file in bytes */
    bytes: number;
    /** digest of the content; equal builds have equal digests */
    digest: string;
    /** time of the build, ISO 8601 */
    built: string | null;
    /** the checks that prove its distances */
    certificates: Array<Certificate>;
};
export type Turn = {
    /** from the left */
    x: number;
    /** from the top */
    y: number;
    /** degrees clockwise on the screen, -180 to 180 */
    degrees: number;
};
/** What every answer about a state has. */
export type Answer = Omit<Lookup, "moves">;
export type SearchOptions = {
    signal?: AbortSignal;
    maxSeconds?: number;
    maxStates?: number;
};
/** Equal seeds and days give equal states. */
export type RandomOptions = {
    distance?: number;
    min?: number;
    max?: number;
    percentile?: number;
    /** A word or a level of `about()`. */
    difficulty?: string | number;
    lost?: boolean;
    daily?: string;
    seed?: string;
    turns?: number;
};
export type SolveOptions = SearchOptions & {
    offset?: Count | bigint;
    limit?: number;
    states?: boolean;
    /** So many solutions, and how many there are. */
    all?: number;
    /** Solutions of Sokoban in one word each, as luurD; by a service alone. */
    lurd?: boolean;
};
export type HintOptions = {
    /** Moves played from the state, after which help is wanted. */
    moves?: string[];
    signal?: AbortSignal;
};
export type GradeOptions = {
    /** The most wasted moves for all stars, for one less, and so on; null: any. */
    stars?: (number | null)[];
    /** The levels of the hints shown; 3 and 4 cost the third star. */
    hints?: number[];
};
export type PageOptions = {
    offset?: number;
    limit?: number;
};
export type Connection = EventTarget & {
    readonly connected: boolean;
    readonly base: URL;
};
/** Answers about one puzzle and goal, by the last part of their address and its fields. */
export type Source = {
    name: string;
    goal: string | null;
    service: Connection;
    picture: (state: string) => URL;
    answer: (verb: string, fields: Fields, signal?: AbortSignal) => Promise<any>;
};
/** One puzzle and one goal, of a service or of a published table. */
export type PuzzleClient = Puzzle;

/** The service refused: a problem of RFC 9457, whose hint names the remedy. */
export declare class Problem extends Error {
    status: number;
    type: string;
    title: string;
    hint: string;
    constructor(problem: {
        type?: string;
        title?: string;
        status?: number;
        detail?: string;
        hint?: string;
    });
}
export declare class Offline extends Error {
    constructor();
}

/**
 * One puzzle and one goal, of a service or of a published table. States are texts, in the caller's own letters. What is
 * known is kept, so that a game can go on while the connection is down.
 */
export declare class Puzzle {
    name: string;
    /** A goal's name or a state; null is the puzzle's first goal. */
    goal: string | null;
    /** It dispatches `connection` when it stops or starts to answer. */
    service: Connection;
    constructor(source: Source);
    /** All about the puzzle: its moves, goals, notation and table. */
    about(): Promise<About>;
    /**
     * A state's distance and its moves, best first.
     */
    lookup(state: string, { signal, maxSeconds, maxStates }?: SearchOptions): Promise<Lookup>;
    /** The lookup of a state, if it is here already. */
    knownLookup(state: string): Lookup | undefined;
    /**
     * The distance of a state, if it is here: null where the goal cannot be reached, undefined where it is not known.
     */
    knownDistance(state: string): Count | null | undefined;
    /** Ask for the lookups of states that may be wanted soon. It never fails. */
    lookAhead(states: string[]): Promise<void>;
    /**
     * How a state is drawn, by default the goal's start, and what each legal move does to its pieces.
     */
    board(state?: string): Promise<Board>;
    /** The board of a state, if it is here already. */
    knownBoard(state: string): Board | undefined;
    /** Keep a board that was worked out here. */
    keepBoard(board: Board): void;
    /** The address of a picture of a state; of a published table, of its goal. */
    picture(state: string): URL;
    /** A shortest solution, or a part of it. */
    solve(state: string, { signal, maxSeconds, maxStates, ...options }?: SolveOptions): Promise<Solution>;
    /**
     * Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also a solution.
     */
    hint(state: string, level: number, { moves, signal }?: HintOptions): Promise<Hint>;
    /**
     * What a game was worth.
     */
    grade(state: string, moves: string[], options?: GradeOptions): Promise<Grade>;
    /** A random state. */
    random(options?: RandomOptions): Promise<Random>;
    /** How many states lie at each distance. */
    histogram(): Promise<Histogram>;
    /** The states farthest from the goal, a page at a time. */
    antipodes(options?: PageOptions): Promise<Antipodes>;
}
/**
 * A table that was published as static files: it has the methods of a puzzle, and needs no service. Raises Problem.
 */
export declare function table(address: string | URL, options?: {
    whole?: number;
    fetching?: typeof fetch;
}): Promise<Puzzle>;

/** Fields of a request; those that are null are left out. */
export type Fields = Record<string, string | number | bigint | boolean | string[] | (number | null)[] | null | undefined>;
/** A service. It dispatches `connection` events when it stops or starts to answer. */
export declare class Service extends EventTarget {
    base: URL;
    connected: boolean;
    fetching: typeof fetch;
    constructor(base: string | URL, fetching?: typeof fetch);
    puzzles(): Promise<Catalog>;
    puzzle(name: string, { goal }?: {
        goal?: string | null | undefined;
    }): Puzzle;
    /**
     * Raises Problem, or Offline where the service cannot be reached.
     */
    get(path: string, fields: Fields, signal?: AbortSignal): Promise<any>;
    /** As `get`. */
    post(path: string, fields: Fields, signal?: AbortSignal): Promise<any>;
    /** Look no more whether it is there again. */
    close(): void;
}

export type MoveDetail = {
    kind: string;
    move: string;
    state: string;
    moves: string[];
};
export type SolvedDetail = {
    state: string;
    moves: string[];
    stars: number;
    wasted: Count | bigint | null;
    fewest: Count | null;
    /** The levels of help shown, in order. */
    hints: number[];
    /** Whether the whole solution was shown. */
    shown: boolean;
};
export type ProblemDetail = {
    error: unknown;
};
/** The properties of <puzzle-base>, one for each attribute. */
declare class PuzzleAttributes extends HTMLElement {
    /** The puzzle's name. */
    get puzzle(): string;
    set puzzle(name: string | null);
    /** The goal: a name or a state; empty for the puzzle's first one. */
    get goal(): string;
    set goal(goal: string | null);
    /** Where the service is; empty for the one that this module comes from. */
    get service(): string;
    set service(address: string | URL | null);
    /** The folder of a published table, in place of a service and the puzzle's name. */
    get src(): string;
    set src(address: string | URL | null);
    /** A word or a level: where no state is given, the game begins at such a state. */
    get difficulty(): string;
    set difficulty(difficulty: string | number | null);
    /** Whether the game begins at the position of the day, where no state is given. */
    get daily(): boolean;
    set daily(on: boolean);
    /** Whether there is a hint button. */
    get hints(): boolean;
    set hints(on: boolean);
    /** Whether the end shows stars. */
    get stars(): boolean;
    set stars(on: boolean);
    /** The buttons that are shown: some of undo, redo, restart and next. */
    get buttons(): string;
    set buttons(names: string | null);
    /** Whether there is a picture of the goal. */
    get picture(): boolean;
    set picture(on: boolean);
    /** How pieces are told apart: letters, colours or patterns. */
    get theme(): string;
    set theme(theme: string | null);
    /** Whether a cube is shown as its net. */
    get net(): boolean;
    set net(on: boolean);
    /** The address of each piece's picture, with {id}, {colour} or {label}. */
    get sprites(): string;
    set sprites(address: string | null);
    /** What is left out: some of moves and letters. */
    get hide(): string;
    set hide(names: string | null);
}

/**
 * A puzzle on a game's own page, whatever its origin. What cannot be played ends in words in place of the board, and in
 * a `problem` event.
 */
declare class PuzzleBase extends PuzzleAttributes {
    /** The present state. Setting another one begins there; the present one, and the game goes on. */
    get state(): string;
    set state(state: string | null);
    /** The moves made so far. */
    get moves(): string[];
    /** Take the last move back. */
    undo(): void;
    /** Make a move again that was taken back. */
    redo(): void;
    /** Go back to where the game began. */
    restart(): void;
    /** Make a move by its name; false if it is not legal. */
    play(move: string): boolean;
    /** The next step of help. */
    hint(): Promise<void>;
    /** Begin at a random state, by default at any. Tells whether it began. */
    scramble(options?: RandomOptions): Promise<boolean>;
    /** Begin at another position of the same difficulty: that of the attribute, else that of the present start. */
    next(): Promise<boolean>;
}

/**
 * A puzzle of the service that this module comes from, or of another. Raises Problem.
 */
export declare function puzzle(name: string, { goal, service }?: {
    goal?: string | null;
    service?: string | URL;
}): Puzzle;

export interface PuzzleBaseEventMap extends HTMLElementEventMap {
    move: CustomEvent<MoveDetail>;
    solved: CustomEvent<SolvedDetail>;
    problem: CustomEvent<ProblemDetail>;
}
export type { PuzzleAttributes, PuzzleBase };
interface PuzzleBase {
    addEventListener<K extends keyof PuzzleBaseEventMap>(type: K, listener: (this: PuzzleBase, event: PuzzleBaseEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof PuzzleBaseEventMap>(type: K, listener: (this: PuzzleBase, event: PuzzleBaseEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}
declare global {
    interface HTMLElementTagNameMap {
        "puzzle-base": PuzzleBase;
    }
}
