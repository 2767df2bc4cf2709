import { counted, number } from "./dom.js";
import { Events } from "./events.js";
import { Problem } from "./problem.js";

const SECONDS = [1, 3, 9, 30];
const AGAIN = 1000; // milliseconds after which a service that had no room, or is not ready to search, is asked again

const NOT_SERVED = 403; // by a service without answers: it tells only whether a game is solved

export const PART = 500;

/** While a search runs it dispatches `progress`; its detail is null at the end. */
export class Truth extends Events {
  /** @type {{ key: string, stop: AbortController, found: Promise<any> } | null} */
  #search = null;

  /** @param {Puzzle} puzzle @param {About} about */
  constructor(puzzle, about) {
    super();
    this.puzzle = puzzle;
    /** Whether nothing is built and no oracle knows, so that answers take a search. */
    this.searched = about.table === null && about.coverage !== "oracle";
  }

  /** From a table, or as far as a search sees at once. @param {string} state */
  async solved(state) {
    const known = this.puzzle.knownDistance(state);
    if (known !== undefined) return known === 0;
    try {
      const found = await this.puzzle.lookup(state, this.searched ? { maxStates: 1 } : {});
      return found.distance === 0;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== NOT_SERVED) throw error;
      return (await this.puzzle.grade(state, [])).solved;
    }
  }

  /**
   * A search is given more time in steps, so that what it has proven can be told on the way. It ends when another state
   * is asked for, and rejects then, as after `giveUp`.
   * @param {string} state @param {number} [steps]
   */
  async ask(state, steps) {
    if (!this.searched || this.puzzle.knownLookup(state)) return this.puzzle.lookup(state);
    return this.#searchFor(`lookup ${state}`, (options) => this.puzzle.lookup(state, options), steps);
  }

  /**
   * Perhaps of more moves than `limit`, so that two who ask a search can share it.
   * @param {string} state @param {{ offset?: bigint, limit?: number }} [part]
   */
  async solution(state, { offset = 0n, limit = PART } = {}) {
    if (!this.searched) return this.puzzle.solve(state, { offset, limit, states: true });
    const wanted = { offset, limit: PART, states: true };
    return this.#searchFor(`solution ${state} ${offset}`, (options) => this.puzzle.solve(state, { ...wanted, ...options }));
  }

  giveUp() {
    const search = this.#search;
    if (!search) return;
    this.#search = null;
    search.stop.abort();
    this.tell("progress", null);
  }

  /** @template {Answer} A @param {string} key @param {Ask<A>} ask @param {number} [steps] @returns {Promise<A>} */
  async #searchFor(key, ask, steps = SECONDS.length) {
    if (this.#search?.key === key) return this.#search.found;
    this.giveUp();
    const stop = new AbortController();
    const found = this.#inSteps(ask, stop.signal, SECONDS.slice(0, steps));
    this.#search = { key, stop, found };
    return found.finally(() => {
      if (this.#search?.found === found) this.giveUp();
    });
  }

  /** @template {Answer} A @param {Ask<A>} ask @param {AbortSignal} signal @param {number[]} steps */
  async #inSteps(ask, signal, steps) {
    const begun = performance.now();
    /** @type {A | null} */
    let found = null;
    const told = () => {
      const detail = { seconds: (performance.now() - begun) / 1000, most: steps.reduce((sum, each) => sum + each), lowerBound: found?.lower_bound ?? null };
      if (!signal.aborted) this.tell("progress", detail);
    };
    const timer = setInterval(told, 250);
    try {
      for (const maxSeconds of steps) {
        try {
          found = await ask({ maxSeconds, signal });
          if (found.exact || found.source !== "search") break;
        } catch (error) {
          const busy = error instanceof Problem && error.status === 503;
          if (!busy || maxSeconds === steps.at(-1)) throw error;
          await new Promise((resolve) => setTimeout(resolve, AGAIN));
        }
      }
      return /** @type {A} */ (found);
    } finally {
      clearInterval(timer);
    }
  }
}

/** @param {Difficulty[]} words @param {Count | null | undefined} distance */
export function wordFor(words, distance) {
  const far = Number(distance ?? 0);
  return words.find(({ min, max }) => min <= far && far <= max);
}

/** @param {Searching | null} progress */
export function searchingFor(progress) {
  if (!progress) return "Searching";
  const bound = progress.lowerBound ? `, at least ${counted(progress.lowerBound, "move")}` : "";
  return `Searching for ${progress.seconds.toFixed(0)} of at most ${progress.most} s${bound}`;
}

/** @param {Lookup} found */
export function unknown(found) {
  if (found.lost) return "This can no longer be won.";
  if (found.solvable === false) return "The goal cannot be reached from here.";
  if (found.upper_bound !== null) return `At least ${number(found.lower_bound ?? 0)} moves to go, at most ${number(found.upper_bound)}.`;
  if (found.solvable === null && found.source !== "search") return "It is not known whether this can be solved.";
  return `At least ${counted(found.lower_bound ?? 0, "move")} to go. The search ended before it knew the way; nearer the goal it finds one.`;
}

/** Whether a method of the puzzle's own found the solution, whose moves may have amounts. @param {Lookup} found */
export function isConstructed(found) {
  return found.source === "construction";
}
