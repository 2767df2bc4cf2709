import type { Count } from "./answers.js";

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
export declare class PuzzleAttributes extends HTMLElement {
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
