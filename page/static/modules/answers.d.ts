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
export type PuzzleClient = import("./client.js").Puzzle;
