/**
 * The shapes of the service's answers, as /openapi.json has them, and what gives them: a {@link PuzzleClient}.
 *
 * @typedef {number | string} Count a number; above 2^53 a decimal string, which BigInt reads
 *
 * @typedef {object} Answer what every answer about a state has
 * @property {string} puzzle
 * @property {string} goal
 * @property {string} state
 * @property {boolean | null} solvable
 * @property {boolean | null} [lost] of games and levels: whether no goal can be reached any more
 * @property {Count | null} distance
 * @property {boolean} exact
 * @property {Count | null} lower_bound
 * @property {Count | null} upper_bound
 * @property {string} source table, oracle, search or construction
 *
 * @typedef {object} Move a move and the state it leads to
 * @property {string} move
 * @property {string} state
 * @property {Count | null} distance
 * @property {boolean | null} [lost] as in an answer
 * @property {number | null} delta change of distance, -1 at best
 * @property {boolean | null} optimal
 *
 * @typedef {Answer & { moves: Move[] }} Lookup
 * @typedef {Answer & { solution: string[], next: Count | null, states?: string[], solutions?: string[][],
 *   optimal_count?: Count | null }} Solution
 * @typedef {Answer & { level: number, groups?: string[], move?: string | null, solution?: string[],
 *   take_back?: number | null }} Hint
 * @typedef {Answer & { drawn: string, percentile: number | null, difficulty: string | null,
 *   scramble: string[] | null }} Random
 * @typedef {Answer & { legal: boolean, solved: boolean, length: number, optimal_length: Count | null,
 *   wasted: Count | null, against_bound: boolean, stars: number, steps: Move[], illegal: { step: number, played: string, reason: string } | null,
 *   first_mistake: { step: number, played: string, better: string[] } | null,
 *   lost_at?: { step: number, played: string, better: string[] } | null }} Grade
 *
 * @typedef {{ puzzle: string, goal: string, layers: number[], lost?: number, states: number, gods_number: number | null,
 *   mean: number }} Histogram
 * @typedef {{ puzzle: string, goal: string, distance: number | null, count: number, states: string[], next: number | null }} Antipodes
 *
 * @typedef {object} Summary a puzzle in the list of puzzles
 * @property {string} name
 * @property {string} title
 * @property {string} family
 * @property {Count | null} states
 * @property {Count | null} gods_number
 * @property {string} coverage table, oracle, construction, patterns, layers or none
 *
 * @typedef {{ puzzles: Summary[] }} Catalog
 *
 * @typedef {{ name: string, min: number, max: number, percentile: number }} Difficulty a word or a level, and its
 *   distances from the smallest to the largest
 *
 * @typedef {Summary & {
 *   moves: { move: string, group: string }[],
 *   goals: { name: string, start: string, solved: string | null }[],
 *   notation: { state: string, moves: string, examples: string[] },
 *   inventor: string | null, link: string | null, about: string | null, instructions: string | null,
 *   example: { state: string, move: string, meaning: string } | null,
 *   difficulties: Difficulty[], levels: Difficulty[],
 *   table: { goal: string, encoding: string, bytes: number, digest: string } | null,
 *   layers: { depth: number } | null,
 * }} About
 *
 * @typedef {{ id: string, outline: string, colour: string, label: string, x: number, y: number, size: number,
 *   ink: string }} Shape a drawn thing, in board coordinates
 * @typedef {Shape & { place: string }} Piece
 * @typedef {{ x: number, y: number, degrees: number }} Turn about a point, clockwise on the screen
 *
 * @typedef {object} Motion what a move does to a piece
 * @property {string} piece
 * @property {Turn | null} turn
 * @property {number[] | null} slide legs dx, dy, dx, dy, ...
 * @property {boolean} lift whether it passes above other pieces
 * @property {boolean} flip whether it is turned over on the way
 * @property {{ colour: string, label: string, ink: string } | null} becomes
 *
 * @typedef {object} BoardMove
 * @property {string} move
 * @property {string} group
 * @property {string} after the state after it
 * @property {string[]} handle the pieces that one may touch to make the move
 * @property {Motion[] | null} motions null where what moves is not told
 *
 * @typedef {object} Board
 * @property {string} puzzle
 * @property {string} goal
 * @property {string} state
 * @property {string | null} solved a state that is solved
 * @property {number} width
 * @property {number} height
 * @property {{ name: string, x: number, y: number }[]} places
 * @property {Shape[]} marks
 * @property {Piece[]} pieces
 * @property {BoardMove[]} moves
 * @property {Record<string, number[]> | null} permutations
 *
 * @typedef {{ signal?: AbortSignal, maxSeconds?: number, maxStates?: number }} SearchOptions what a search may take, and how to stop it
 *
 * @typedef {{ distance?: number, min?: number, max?: number, percentile?: number, difficulty?: string | number,
 *   lost?: boolean, daily?: string, seed?: string, turns?: number, walk?: string }} RandomOptions which random state is wanted; a difficulty is a word or
 *   a level of `about()`
 *
 * @typedef {EventTarget & { readonly connected: boolean, readonly base: URL }} Connection where answers come from; it
 *   dispatches `connection` when it stops or starts to answer
 *
 * @typedef {object} PuzzleClient one puzzle and one goal, of a service or of a published table; states are texts, in the
 *   caller's own letters
 * @property {string} name
 * @property {string | null} goal a goal's name or a state; null is the puzzle's first goal
 * @property {Connection} service
 * @property {() => Promise<About>} about all about the puzzle
 * @property {(state: string, options?: SearchOptions) => Promise<Lookup>} lookup a state's distance and its moves, best first
 * @property {(state: string) => Lookup | undefined} knownLookup the lookup of a state, if it is here already
 * @property {(state: string) => Count | null | undefined} knownDistance the distance of a state, if it is here: null where
 *   the goal cannot be reached, undefined where it is not known
 * @property {(states: string[]) => Promise<void>} lookAhead asks for what may be wanted soon; it never fails
 * @property {(state?: string) => Promise<Board>} board how a state is drawn, and what each legal move does to its pieces
 * @property {(state: string) => Board | undefined} knownBoard the board of a state, if it is here already
 * @property {(board: Board) => void} keepBoard keeps a board that was worked out here
 * @property {(state: string) => URL} picture the address of a picture of a state
 * @property {(state: string, options?: { offset?: Count | bigint, limit?: number, states?: boolean, all?: number } & SearchOptions) => Promise<Solution>} solve
 *   a shortest solution, or a part of it
 * @property {(state: string, level: number, options?: { moves?: string[], signal?: AbortSignal }) => Promise<Hint>} hint
 *   help in steps
 * @property {(state: string, moves: string[], options?: { stars?: (number | null)[], hints?: number[] }) => Promise<Grade>} grade
 *   what a game was worth
 * @property {(options?: RandomOptions) => Promise<Random>} random a random state
 * @property {() => Promise<Histogram>} histogram how many states lie at each distance
 * @property {(options?: { offset?: number, limit?: number }) => Promise<Antipodes>} antipodes the states farthest from the
 *   goal, a page at a time
 */

export {};
