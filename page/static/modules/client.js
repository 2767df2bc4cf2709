/**
 * The client: what the service answers, over its documented addresses, with what is known kept. A published table answers
 * in the same way, with no service: both are a {@link PuzzleClient}.
 *
 * An exact answer about a state stays right as long as its table does, so each is asked for once. A game can then go on
 * while the connection is down: {@link Puzzle.lookup} gives what is kept, and {@link Offline} where nothing is.
 */

/** @import { About, Antipodes, Board, Catalog, Count, Grade, Hint, Histogram, Lookup, PuzzleClient, Random, RandomOptions, SearchOptions, Solution } from "./answers.js" */

import { Offline, Problem } from "./problem.js";
export { Offline, Problem } from "./problem.js";

const KEPT = 4000;
const RETRY = 1500;
/** The header of an answer that the service worker gives while the service cannot be reached. */
const KEPT_HEADER = "X-Puzzlebase-Kept";

/** Answers by key, the last ones asked for: the oldest go first. */
class AnswerCache {
  /** @type {Map<string, unknown>} */
  #values = new Map();

  /** @param {string} key */
  get(key) {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    this.#values.set(key, value);
    if (this.#values.size > KEPT) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
  }
}

/** A service. It dispatches `connection` events when it stops or starts to answer. */
export class Service extends EventTarget {
  #closed = false;

  /**
   * @param {string | URL} base where the service is
   * @param {typeof fetch} [fetching] how to ask; for tests, and for answers that a page has asked for ahead
   */
  constructor(base, fetching) {
    super();
    this.base = new URL(base);
    this.connected = true;
    /** @type {typeof fetch} */
    this.fetching = fetching ?? ((...asked) => fetch(...asked));
  }

  /**
   * The puzzles there are.
   * @returns {Promise<Catalog>}
   */
  puzzles() {
    return this.get("v1/puzzles", {});
  }

  /**
   * One puzzle of the service.
   * @param {string} name
   * @param {{ goal?: string | null | undefined }} [options]
   */
  puzzle(name, { goal = null } = {}) {
    return new Puzzle(this, name, goal);
  }

  /**
   * An answer to a GET. Raises Problem, or Offline where the service cannot be reached.
   * @param {string} path relative to the base
   * @param {Record<string, string | number | bigint | boolean | null | undefined>} fields those that are null are left out
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  get(path, fields, signal) {
    const address = new URL(path, this.base);
    for (const [name, value] of Object.entries(fields)) {
      if (value !== null && value !== undefined) address.searchParams.set(name, String(value));
    }
    return this.#answer(address, signal ? { signal } : {});
  }

  /**
   * An answer to a POST. Raises as `get` does.
   * @param {string} path
   * @param {Record<string, unknown>} fields
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  post(path, fields, signal) {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
    const body = JSON.stringify(given);
    const headers = { "Content-Type": "application/json" };
    return this.#answer(new URL(path, this.base), { method: "POST", body, headers, ...(signal ? { signal } : {}) });
  }

  /**
   * @param {URL} address
   * @param {RequestInit} request
   */
  async #answer(address, request) {
    /** @type {Response} */
    let response;
    try {
      response = await this.fetching(address, { credentials: "same-origin", ...request });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      this.#noted(false);
      throw new Offline();
    }
    this.#noted(!response.headers.has(KEPT_HEADER));
    const body = await response.json().catch(() => null);
    if (!body) throw this.#stranger(response);
    if (!response.ok) throw new Problem(body);
    return body;
  }

  /** Why an answer that is no JSON cannot be one. @param {Response} response */
  #stranger({ status, statusText }) {
    const detail = `The answer of ${this.base.href} is not that of a service: ${status} ${statusText}`.trim();
    return new Problem({ status, title: statusText, detail, hint: "Is this the address of a service of puzzles? See its /v1." });
  }

  /** Look no more whether it is there again. */
  close() {
    this.#closed = true;
  }

  /** @param {boolean} connected */
  #noted(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.dispatchEvent(new Event("connection"));
    if (!connected) this.#knock();
  }

  /** Ask now and then whether the service is there again. */
  #knock() {
    setTimeout(async () => {
      if (this.#closed) return;
      await this.get("healthz", {}).catch(() => null);
      if (!this.connected) this.#knock();
    }, RETRY);
  }
}

/**
 * One puzzle and one goal of a service. States are texts, in the caller's own letters.
 * @implements {PuzzleClient}
 */
export class Puzzle {
  #cache = new AnswerCache();
  /** @type {Map<string, Promise<any>>} */
  #asked = new Map();

  /**
   * @param {Service} service
   * @param {string} name
   * @param {string | null} goal a goal's name or a state; null is the puzzle's first goal
   */
  constructor(service, name, goal) {
    this.service = service;
    this.name = name;
    this.goal = goal;
  }

  /**
   * All about the puzzle: its moves, goals, notation and table.
   * @returns {Promise<About>}
   */
  about() {
    return this.#once("about", () => this.#get("", {}));
  }

  /**
   * A state's distance and its moves, best first.
   * @param {string} state
   * @param {SearchOptions} [options]
   * @returns {Promise<Lookup>}
   */
  lookup(state, { signal, maxSeconds, maxStates } = {}) {
    const ask = () => this.#get("/lookup", { state, max_seconds: maxSeconds, max_states: maxStates }, signal);
    return this.#once(`lookup ${state}`, ask, signal !== undefined || maxStates !== undefined);
  }

  /**
   * The lookup of a state, if it is here already.
   * @param {string} state
   * @returns {Lookup | undefined}
   */
  knownLookup(state) {
    return /** @type {Lookup | undefined} */ (this.#cache.get(`lookup ${state}`));
  }

  /**
   * The distance of a state, if it is here: from its own lookup or from that of a state one move away.
   * @param {string} state
   * @returns {Count | null | undefined} null where the goal cannot be reached, undefined where it is not known
   */
  knownDistance(state) {
    return /** @type {Count | null | undefined} */ (this.#cache.get(`distance ${state}`));
  }

  /**
   * Ask for the lookups of states that may be wanted soon, in one request. It never fails.
   * @param {string[]} states
   */
  async lookAhead(states) {
    const wanted = states.filter((state) => !this.knownLookup(state));
    if (wanted.length === 0) return;
    try {
      const { results } = await this.#post("/lookup", { states: wanted, moves: true });
      for (const result of results) if (!result.problem) this.#keep(`lookup ${result.state}`, result);
    } catch {
      // What is asked for ahead may be asked for again.
    }
  }

  /**
   * How a state is drawn, and what each legal move does to its pieces.
   * @param {string} [state] by default the goal's start
   * @returns {Promise<Board>}
   */
  board(state) {
    return this.#once(`board ${state ?? ""}`, () => this.#get("/board", { state }));
  }

  /**
   * The board of a state, if it is here already.
   * @param {string} state
   * @returns {Board | undefined}
   */
  knownBoard(state) {
    return /** @type {Board | undefined} */ (this.#cache.get(`board ${state}`));
  }

  /**
   * Keep a board that was worked out here.
   * @param {Board} board
   */
  keepBoard(board) {
    this.#cache.set(`board ${board.state}`, board);
  }

  /**
   * The address of a picture of a state.
   * @param {string} state
   */
  picture(state) {
    const address = new URL(`v1/puzzles/${encodeURIComponent(this.name)}/picture`, this.service.base);
    address.searchParams.set("state", state);
    if (this.goal) address.searchParams.set("goal", this.goal);
    return address;
  }

  /**
   * A shortest solution, or a part of it.
   * @param {string} state
   * @param {{ offset?: Count | bigint, limit?: number, states?: boolean, all?: number } & SearchOptions} [options]
   * @returns {Promise<Solution>}
   */
  solve(state, { signal, maxSeconds, maxStates, ...options } = {}) {
    return this.#get("/solve", { state, max_seconds: maxSeconds, max_states: maxStates, ...options }, signal);
  }

  /**
   * Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also a solution.
   * @param {string} state
   * @param {number} level
   * @param {{ moves?: string[], signal?: AbortSignal }} [options] `moves` played from the state, after which help is wanted
   * @returns {Promise<Hint>}
   */
  hint(state, level, { moves, signal } = {}) {
    return moves ? this.#post("/hint", { state, level, moves }, signal) : this.#get("/hint", { state, level }, signal);
  }

  /**
   * What a game was worth. `stars` are the most wasted moves for all stars, for one less, and so on. `hints` are the levels
   * of the hints shown; 3 and 4 cost the third star.
   * @param {string} state
   * @param {string[]} moves
   * @param {{ stars?: (number | null)[], hints?: number[] }} [options]
   * @returns {Promise<Grade>}
   */
  grade(state, moves, options = {}) {
    return this.#post("/grade", { state, moves, ...options });
  }

  /**
   * A random state. A difficulty is a word or a level of `about()`.
   * @param {RandomOptions} [options]
   * @returns {Promise<Random>}
   */
  random(options = {}) {
    return this.#get("/random", options);
  }

  /**
   * How many states lie at each distance.
   * @returns {Promise<Histogram>}
   */
  histogram() {
    return this.#once("histogram", () => this.#get("/histogram", {}));
  }

  /**
   * The states farthest from the goal, a page at a time.
   * @param {{ offset?: number, limit?: number }} [options]
   * @returns {Promise<Antipodes>}
   */
  antipodes(options = {}) {
    return this.#get("/antipodes", options);
  }

  /**
   * @param {string} verb
   * @param {Record<string, string | number | bigint | boolean | null | undefined>} fields
   * @param {AbortSignal} [signal]
   */
  #get(verb, fields, signal) {
    return this.service.get(`v1/puzzles/${encodeURIComponent(this.name)}${verb}`, { ...fields, goal: this.goal }, signal);
  }

  /**
   * @param {string} verb
   * @param {Record<string, unknown>} fields
   * @param {AbortSignal} [signal]
   */
  #post(verb, fields, signal) {
    return this.service.post(`v1/puzzles/${encodeURIComponent(this.name)}${verb}`, { ...fields, goal: this.goal }, signal);
  }

  /**
   * The answer that is kept under a key, or a new one, which is kept if it is exact. Two who ask at once share it.
   * @param {string} key
   * @param {() => Promise<any>} ask
   * @param {boolean} [alone] whether the caller may stop it, so that nobody else may wait for it
   */
  async #once(key, ask, alone = false) {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const asked = (!alone && this.#asked.get(key)) || ask();
    if (!alone) this.#asked.set(key, asked);
    try {
      return this.#keep(key, await asked);
    } finally {
      this.#asked.delete(key);
    }
  }

  /**
   * @param {string} key
   * @param {any} answer
   */
  #keep(key, answer) {
    if (answer.exact === false) return answer;
    this.#cache.set(key, answer);
    if (answer.exact) this.#cache.set(`distance ${answer.state}`, answer.distance);
    if (key.startsWith("board ")) this.#cache.set(`board ${answer.state}`, answer);
    for (const move of key.startsWith("lookup ") ? answer.moves : []) {
      if (move.distance !== null || move.lost) this.#cache.set(`distance ${move.state}`, move.distance);
    }
    return answer;
  }
}

/**
 * A table that was published as static files. It raises Unreadable where these are not whole.
 * @param {string} address of its folder
 * @returns {Promise<PuzzleClient>}
 */
export async function published(address) {
  const { table } = await import("../table/table.js");
  return table(address);
}

/** The hint for who plays: a table is built by who runs the service. @param {Problem} problem */
export function remedyOf({ type, hint }) {
  return type.endsWith("#missing-table") ? "Whoever runs this page can build what is missing." : hint;
}
