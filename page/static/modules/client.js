/** @import * as api from "../puzzlebase.js" */

const KEPT = 4000;

/** @implements {api.Puzzle} */
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
    this.goal = source.goal;
    this.service = source.service;
  }

  about() {
    return this.#once("about", () => this.#source.answer("", {}));
  }

  /** @param {string} state @param {SearchOptions} [options] */
  lookup(state, { signal, maxSeconds, maxStates } = {}) {
    const ask = () => this.#source.answer("lookup", { state, max_seconds: maxSeconds, max_states: maxStates }, signal);
    return this.#once(`lookup ${state}`, ask, signal !== undefined || maxStates !== undefined);
  }

  /** @param {string} state */
  knownLookup(state) {
    return this.#known(`lookup ${state}`);
  }

  /** @param {string} state */
  knownDistance(state) {
    return this.#known(`distance ${state}`);
  }

  /** @param {string[]} states */
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

  /** @param {string} [state] */
  board(state) {
    return this.#once(`board ${state ?? ""}`, () => this.#source.answer("board", { state }));
  }

  /** @param {string} state */
  knownBoard(state) {
    return this.#known(`board ${state}`);
  }

  /** @param {Board} board */
  keepBoard(board) {
    this.#set(`board ${board.state}`, board);
  }

  /** @param {string} state */
  picture(state) {
    return this.#source.picture(state);
  }

  /** @param {string} state @param {SolveOptions} [options] */
  solve(state, { signal, maxSeconds, maxStates, ...options } = {}) {
    return this.#source.answer("solve", { state, max_seconds: maxSeconds, max_states: maxStates, ...options }, signal);
  }

  /** @param {string} state @param {number} level @param {HintOptions} [options] */
  hint(state, level, { moves, signal } = {}) {
    return this.#source.answer("hint", { state, level, moves }, signal);
  }

  /** @param {string} state @param {string[]} moves @param {GradeOptions} [options] */
  grade(state, moves, options = {}) {
    return this.#source.answer("grade", { state, moves, ...options });
  }

  /** A random state. @param {RandomOptions} [options] */
  random(options = {}) {
    return this.#source.answer("random", options);
  }

  histogram() {
    return this.#once("histogram", () => this.#source.answer("histogram", {}));
  }

  /** @param {PageOptions} [options] */
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

/** @param {string | URL} address @param {{ whole?: number, fetching?: typeof fetch }} [options] */
export async function table(address, options) {
  const { opened } = await import("../source/folder.js");
  return new Puzzle(await opened(address, options));
}

/** The hint for who plays: a table is built by who runs the service. @param {Problem} problem */
export function remedyOf({ type, hint }) {
  return type.endsWith("#missing-table") ? "Whoever runs this page can build what is missing." : hint;
}
