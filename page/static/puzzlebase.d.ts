/// <reference lib="dom" />
// The types of puzzlebase.js, made from it by `make docs`.
/** The shapes of the service's answers, as /openapi.json has them. */
/** A number; above 2^53 a decimal string, which BigInt reads. */
export type Count = number | string;
export type Answer = {
    puzzle: string;
    goal: string;
    state: string;
    solvable: boolean | null;
    /** of games and levels: whether no goal can be reached any more */
    lost?: boolean | null;
    distance: Count | null;
    exact: boolean;
    lower_bound: Count | null;
    upper_bound: Count | null;
    /** table, oracle, search or construction */
    source: string;
};
export type Move = {
    move: string;
    state: string;
    distance: Count | null;
    /** as in an answer */
    lost?: boolean | null;
    /** change of distance, -1 at best */
    delta: number | null;
    optimal: boolean | null;
};
export type Lookup = Answer & {
    moves: Move[];
};
export type Solution = Answer & {
    solution: string[];
    next: Count | null;
    states?: string[];
    solutions?: string[][];
    optimal_count?: Count | null;
};
export type Hint = Answer & {
    level: number;
    groups?: string[];
    move?: string | null;
    solution?: string[];
    take_back?: number | null;
};
export type Random = Answer & {
    drawn: string;
    percentile: number | null;
    difficulty: string | null;
    scramble: string[] | null;
};
export type Grade = Answer & {
    legal: boolean;
    solved: boolean;
    length: number;
    optimal_length: Count | null;
    wasted: Count | null;
    against_bound: boolean;
    stars: number;
    steps: Move[];
    illegal: {
        step: number;
        played: string;
        reason: string;
    } | null;
    first_mistake: {
        step: number;
        played: string;
        better: string[];
    } | null;
    lost_at?: {
        step: number;
        played: string;
        better: string[];
    } | null;
};
export type Histogram = {
    puzzle: string;
    goal: string;
    layers: number[];
    lost?: number;
    states: number;
    gods_number: number | null;
    mean: number;
};
export type Antipodes = {
    puzzle: string;
    goal: string;
    distance: number | null;
    count: number;
    states: string[];
    next: number | null;
};
export type Summary = {
    name: string;
    title: string;
    family: string;
    states: Count | null;
    gods_number: Count | null;
    /** table, oracle, construction, patterns, layers or none */
    coverage: string;
};
export type Catalog = {
    puzzles: Summary[];
};
export type Difficulty = {
    name: string;
    min: number;
    max: number;
    percentile: number;
};
export type About = Summary & {
    moves: {
        move: string;
        group: string;
    }[];
    goals: {
        name: string;
        start: string;
        solved: string | null;
    }[];
    notation: {
        state: string;
        moves: string;
        examples: string[];
    };
    inventor: string | null;
    link: string | null;
    about: string | null;
    instructions: string | null;
    example: {
        state: string;
        move: string;
        meaning: string;
    } | null;
    difficulties: Difficulty[];
    levels: Difficulty[];
    table: {
        goal: string;
        encoding: string;
        bytes: number;
        digest: string;
    } | null;
    layers: {
        depth: number;
    } | null;
};
export type Shape = {
    id: string;
    outline: string;
    colour: string;
    label: string;
    x: number;
    y: number;
    size: number;
    ink: string;
};
export type Piece = Shape & {
    place: string;
};
export type Turn = {
    x: number;
    y: number;
    degrees: number;
};
export type Motion = {
    piece: string;
    turn: Turn | null;
    /** legs dx, dy, dx, dy, ... */
    slide: number[] | null;
    /** whether it passes above other pieces */
    lift: boolean;
    /** whether it is turned over on the way */
    flip: boolean;
    becomes: {
        colour: string;
        label: string;
        ink: string;
    } | null;
};
export type BoardMove = {
    move: string;
    group: string;
    /** the state after it */
    after: string;
    /** the pieces that one may touch to make the move */
    handle: string[];
    /** null where what moves is not told */
    motions: Motion[] | null;
};
export type Board = {
    puzzle: string;
    goal: string;
    state: string;
    /** a state that is solved */
    solved: string | null;
    width: number;
    height: number;
    places: {
        name: string;
        x: number;
        y: number;
    }[];
    marks: Shape[];
    pieces: Piece[];
    moves: BoardMove[];
    permutations: Record<string, number[]> | null;
};
export type SearchOptions = {
    signal?: AbortSignal;
    maxSeconds?: number;
    maxStates?: number;
};
export type RandomOptions = {
    distance?: number;
    min?: number;
    max?: number;
    percentile?: number;
    difficulty?: string | number;
    lost?: boolean;
    daily?: string;
    seed?: string;
    turns?: number;
    walk?: string;
};
export type Connection = EventTarget & {
    readonly connected: boolean;
    readonly base: URL;
};
/** One puzzle and one goal, of a service or of a published table. */
export type PuzzleClient = Puzzle;

/** What goes wrong: the service refuses, or cannot be reached. */
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
/** The service cannot be reached. */
export declare class Offline extends Error {
    constructor();
}

/**
 * The client of one puzzle: what its source answers, with what is known kept. The source is a service over HTTP, or the
 * folder of a published table.
 *
 * An exact answer about a state stays right as long as its table does, so each is asked for once. A game can then go on
 * while the connection is down: {@link Puzzle.lookup} gives what is kept, and {@link Offline} where nothing is.
 */
export type Source = {
    name: string;
    goal: string | null;
    service: Connection;
    picture: (state: string) => URL;
    answer: (verb: string, fields: Fields, signal?: AbortSignal) => Promise<any>;
};
/** One puzzle and one goal, of a service or of a published table. States are texts, in the caller's own letters. */
export declare class Puzzle {
    #private;
    name: string;
    /** A goal's name or a state; null is the puzzle's first goal. */
    goal: string | null;
    /** Where answers come from; it dispatches `connection` when it stops or starts to answer. */
    service: Connection;
    constructor(source: Source);
    /**
     * All about the puzzle: its moves, goals, notation and table.
     */
    about(): Promise<About>;
    /**
     * A state's distance and its moves, best first.
     */
    lookup(state: string, { signal, maxSeconds, maxStates }?: SearchOptions): Promise<Lookup>;
    /**
     * The lookup of a state, if it is here already.
     */
    knownLookup(state: string): Lookup | undefined;
    /**
     * The distance of a state, if it is here: from its own lookup or from that of a state one move away.
     */
    knownDistance(state: string): Count | null | undefined;
    /**
     * Ask for the lookups of states that may be wanted soon, in one request. It never fails.
     */
    lookAhead(states: string[]): Promise<void>;
    /**
     * How a state is drawn, and what each legal move does to its pieces.
     */
    board(state?: string): Promise<Board>;
    /**
     * The board of a state, if it is here already.
     */
    knownBoard(state: string): Board | undefined;
    /**
     * Keep a board that was worked out here.
     */
    keepBoard(board: Board): void;
    /**
     * The address of a picture of a state; of a published table, of its goal.
     */
    picture(state: string): URL;
    /**
     * A shortest solution, or a part of it; with `all` so many, and how many there are.
     */
    solve(state: string, { signal, maxSeconds, maxStates, ...options }?: {
        offset?: Count | bigint;
        limit?: number;
        states?: boolean;
        all?: number;
    } & SearchOptions): Promise<Solution>;
    /**
     * Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also a solution.
     */
    hint(state: string, level: number, { moves, signal }?: {
        moves?: string[];
        signal?: AbortSignal;
    }): Promise<Hint>;
    /**
     * What a game was worth. `stars` are the most wasted moves for all stars, for one less, and so on. `hints` are the levels
     * of the hints shown; 3 and 4 cost the third star.
     */
    grade(state: string, moves: string[], options?: {
        stars?: (number | null)[];
        hints?: number[];
    }): Promise<Grade>;
    /**
     * A random state. A difficulty is a word or a level of `about()`. Equal seeds and days give equal states.
     */
    random(options?: RandomOptions): Promise<Random>;
    /**
     * How many states lie at each distance.
     */
    histogram(): Promise<Histogram>;
    /**
     * The states farthest from the goal, a page at a time.
     */
    antipodes(options?: {
        offset?: number;
        limit?: number;
    }): Promise<Antipodes>;
}
/**
 * A table that was published as static files: it has the methods of a puzzle, and needs no service. Raises Problem.
 */
export declare function table(address: string | URL, options?: {
    whole?: number;
    fetching?: typeof fetch;
}): Promise<Puzzle>;
/** The hint for who plays: a table is built by who runs the service.
 */
declare function remedyOf({ type, hint }: Problem): string;

/** A service over its documented addresses, which is a source of answers about each of its puzzles. */
export type Fields = Record<string, string | number | bigint | boolean | string[] | (number | null)[] | null | undefined>;
/** A service. It dispatches `connection` events when it stops or starts to answer. */
export declare class Service extends EventTarget {
    #private;
    base: URL;
    connected: boolean;
    fetching: typeof fetch;
    constructor(base: string | URL, fetching?: typeof fetch);
    /**
     * The puzzles there are.
     */
    puzzles(): Promise<Catalog>;
    /**
     * One puzzle of the service.
     */
    puzzle(name: string, { goal }?: {
        goal?: string | null | undefined;
    }): Puzzle;
    /**
     * An answer to a GET. Raises Problem, or Offline where the service cannot be reached.
     */
    get(path: string, fields: Fields, signal?: AbortSignal): Promise<any>;
    /**
     * An answer to a POST. Raises as `get` does.
     */
    post(path: string, fields: Fields, signal?: AbortSignal): Promise<any>;
    /** Look no more whether it is there again. */
    close(): void;
}

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
}

/** <puzzle-base>: a puzzle on a game's own page, from this service, whatever the page's origin. */
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
    hints: number[];
    shown: boolean;
};
export type ProblemDetail = {
    error: unknown;
};
/**
 * Each attribute is a property of that name, too. `puzzle`, `goal`, `state`, `difficulty` and `daily` say
 * what is played, `service` where the service is, by default where this module comes from, `src` where a published table
 * is, which needs no service; `hints`, `stars`, `buttons` and
 * `picture` say what is shown. What cannot be played ends in words in place of the board, and in a `problem` event.
 */
declare class PuzzleBase extends PuzzleAttributes {
    #private;
    static observedAttributes: string[];
    constructor();
    connectedCallback(): void;
    /** A game goes on where the element is put next; what could not begin looks for its service no longer. */
    disconnectedCallback(): void;
    attributeChangedCallback(name: string, before: string | null, after: string | null): void;
    /** The present state. Setting another one begins there; the present one, and the game goes on.
     */
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
    /**
     * Make a move by its name; false if it is not legal.
     */
    play(move: string): boolean;
    /** The next step of help. */
    hint(): Promise<void>;
    /**
     * Begin at a random state, by default at any. Tells whether it began.
     */
    scramble(options?: RandomOptions): Promise<boolean>;
    /** Begin at another position of the same difficulty: that of the attribute, else that of the present start. */
    next(): Promise<boolean>;
}

/** For pages of one's own: the client, and the element <puzzle-base> where there are elements. */
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
export type { PuzzleBase };
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
