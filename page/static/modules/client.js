/** @import * as api from "../puzzlebase.js" */

const KEPT = 4000;

/**
 * One puzzle and one goal, of a service or of a published table. States are texts, in the caller's own letters. What is
 * known is kept, so that a game can go on while the connection is down.
 * @implements {api.Puzzle}
 */
export class Puzzle {
  /** @type {Map<string, any>} */
  #cache = new Map();
  /** @type {Map<string, Promise<any>>} */
  #asked = new Map();
  #source;

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
    this.name = source.name;
    /** A goal's name or a state; null is the puzzle's first goal. */
    this.goal = source.goal;
    /** It dispatches `connection` when it stops or starts to answer. */
    this.service = source.service;
  }

  /** All about the puzzle: its moves, goals, notation and table. @returns {Promise<About>} */
  about() {
    return this.#once("about", () => this.#source.answer("", {}));
  }

  /**
   * A state's distance and its moves, best first.
   * @param {string} state @param {SearchOptions} [options] @returns {Promise<Lookup>}
   */
  lookup(state, { signal, maxSeconds, maxStates } = {}) {
    const ask = () => this.#source.answer("lookup", { state, max_seconds: maxSeconds, max_states: maxStates }, signal);
    return this.#once(`lookup ${state}`, ask, signal !== undefined || maxStates !== undefined);
  }

  /** The lookup of a state, if it is here already. @param {string} state @returns {Lookup | undefined} */
  knownLookup(state) {
    return this.#known(`lookup ${state}`);
  }

  /**
   * The distance of a state, if it is here: null where the goal cannot be reached, undefined where it is not known.
   * @param {string} state @returns {Count | null | undefined}
   */
  knownDistance(state) {
    return this.#known(`distance ${state}`);
  }

  /** Ask for the lookups of states that may be wanted soon. It never fails. @param {string[]} states */
  async lookAhead(states) {
    const wanted = states.filter((state) => !this.knownLookup(state));
    if (wanted.length === 0) return;
    try {
      const { results } = await this.#source.answer("lookup", { states: wanted, moves: true });
      for (const result of results) if (!result.problem) this.#keep(`lookup ${result.state}`, result);
    } catch {
      // What is asked for ahead may be asked for again.
    }
  }

  /**
   * How a state is drawn, by default the goal's start, and what each legal move does to its pieces.
   * @param {string} [state] @returns {Promise<Board>}
   */
  board(state) {
    return this.#once(`board ${state ?? ""}`, () => this.#source.answer("board", { state }));
  }

  /** The board of a state, if it is here already. @param {string} state @returns {Board | undefined} */
  knownBoard(state) {
    return this.#known(`board ${state}`);
  }

  /** Keep a board that was worked out here. @param {Board} board */
  keepBoard(board) {
    this.#set(`board ${board.state}`, board);
  }

  /** The address of a picture of a state; of a published table, of its goal. @param {string} state */
  picture(state) {
    return this.#source.picture(state);
  }

  /** A shortest solution, or a part of it. @param {string} state @param {SolveOptions} [options] @returns {Promise<Solution>} */
  solve(state, { signal, maxSeconds, maxStates, ...options } = {}) {
    return this.#source.answer("solve", { state, max_seconds: maxSeconds, max_states: maxStates, ...options }, signal);
  }

  /**
   * Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also a solution.
   * @param {string} state @param {number} level @param {HintOptions} [options] @returns {Promise<Hint>}
   */
  hint(state, level, { moves, signal } = {}) {
    return this.#source.answer("hint", { state, level, moves }, signal);
  }

  /**
   * What a game was worth.
   * @param {string} state @param {string[]} moves @param {GradeOptions} [options] @returns {Promise<Grade>}
   */
  grade(state, moves, options = {}) {
    return this.#source.answer("grade", { state, moves, ...options });
  }

  /** A random state. @param {RandomOptions} [options] @returns {Promise<Random>} */
  random(options = {}) {
    return this.#source.answer("random", options);
  }

  /** How many states lie at each distance. @returns {Promise<Histogram>} */
  histogram() {
    return this.#once("histogram", () => this.#source.answer("histogram", {}));
  }

  /** The states farthest from the goal, a page at a time. @param {PageOptions} [options] @returns {Promise<Antipodes>} */
  antipodes(options = {}) {
    return this.#source.answer("antipodes", options);
  }

  /**
   * Two who ask at once share an answer, unless one of them may stop it.
   * @param {string} key @param {() => Promise<any>} ask @param {boolean} [alone]
   */
  async #once(key, ask, alone = false) {
    const cached = this.#known(key);
    if (cached !== undefined) return cached;
    if (alone) return this.#keep(key, await ask());
    const asked = this.#asked.get(key) ?? ask();
    this.#asked.set(key, asked);
    try {
      return this.#keep(key, await asked);
    } finally {
      this.#asked.delete(key);
    }
  }

  /** @param {string} key @param {any} answer */
  #keep(key, answer) {
    if (answer.exact === false) return answer;
    this.#set(key, answer);
    if (answer.exact) this.#set(`distance ${answer.state}`, answer.distance);
    if (key.startsWith("board ")) this.#set(`board ${answer.state}`, answer);
    for (const move of key.startsWith("lookup ") ? answer.moves : []) {
      if (move.distance !== null || move.lost) this.#set(`distance ${move.state}`, move.distance);
    }
    return answer;
  }

  /** @param {string} key */
  #known(key) {
    const value = this.#cache.get(key);
    if (value !== undefined) this.#set(key, value);
    return value;
  }

  /** @param {string} key @param {unknown} value */
  #set(key, value) {
    this.#cache.delete(key);
    this.#cache.set(key, value);
    if (this.#cache.size > KEPT) this.#cache.delete(this.#cache.keys().next().value ?? "");
  }
}

/**
 * A table that was published as static files: it has the methods of a puzzle, and needs no service. Raises Problem.
 * @param {string | URL} address @param {{ whole?: number, fetching?: typeof fetch }} [options]
 */
export async function table(address, options) {
  const { opened } = await import("../source/folder.js");
  return new Puzzle(await opened(address, options));
}

/** The hint for who plays: a table is built by who runs the service. @param {Problem} problem */
export function remedyOf({ type, hint }) {
  return type.endsWith("#missing-table") ? "Whoever runs this page can build what is missing." : hint;
}
