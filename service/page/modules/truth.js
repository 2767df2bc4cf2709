/** The distance of a state and its moves: at once from a table, or by a search that tells how far it is. */

/** @import { About, Lookup } from "./answers.js" */
/** @import { Puzzle } from "./client.js" */

const SECONDS = [1, 3, 9, 30];

/** @typedef {{ seconds: number, lowerBound: number | null }} Progress */

/** Asks for lookups. While a search runs it dispatches `progress`; its detail is a Progress, or null at the end. */
export class Truth extends EventTarget {
  /** @type {{ state: string, stop: AbortController, found: Promise<Lookup> } | null} */
  #search = null;

  /**
   * @param {Puzzle} puzzle
   * @param {About} about
   */
  constructor(puzzle, about) {
    super();
    this.puzzle = puzzle;
    /** Whether there is no table, so that answers take a search. */
    this.searched = about.table === null;
  }

  /**
   * Whether a state is solved; from a table, or as far as a search sees at once.
   * @param {string} state
   */
  async solved(state) {
    const known = this.puzzle.knownDistance(state);
    if (known !== undefined) return known === 0;
    const found = await this.puzzle.lookup(state, this.searched ? { maxStates: 1 } : {});
    return found.distance === 0;
  }

  /**
   * The lookup of a state. A search is given more time in steps, so that what it has proven can be told on the way. It
   * ends when that of another state is asked for, and rejects then, as after `giveUp`.
   * @param {string} state
   * @returns {Promise<Lookup>} not exact if the last step ended before the search knew
   */
  async ask(state) {
    const known = this.puzzle.knownLookup(state);
    if (known || !this.searched) return known ?? this.puzzle.lookup(state);
    if (this.#search?.state === state) return this.#search.found;
    this.giveUp();
    const stop = new AbortController();
    const found = this.#searchFor(state, stop.signal);
    const search = (this.#search = { state, stop, found });
    try {
      return await found;
    } finally {
      if (this.#search === search) this.giveUp();
    }
  }

  /** End the search that runs: the service stops it too. */
  giveUp() {
    const search = this.#search;
    if (!search) return;
    this.#search = null;
    search.stop.abort();
    this.dispatchEvent(new CustomEvent("progress", { detail: null }));
  }

  /**
   * @param {string} state
   * @param {AbortSignal} signal
   */
  async #searchFor(state, signal) {
    const begun = performance.now();
    /** @type {Lookup | null} */
    let found = null;
    const told = () => {
      const detail = { seconds: (performance.now() - begun) / 1000, lowerBound: found?.lower_bound ?? null };
      if (!signal.aborted) this.dispatchEvent(new CustomEvent("progress", { detail }));
    };
    const timer = setInterval(told, 250);
    try {
      for (const maxSeconds of SECONDS) {
        found = await this.puzzle.lookup(state, { maxSeconds, signal });
        if (found.exact || found.source !== "search") break;
      }
      return /** @type {Lookup} */ (found);
    } finally {
      clearInterval(timer);
    }
  }
}
