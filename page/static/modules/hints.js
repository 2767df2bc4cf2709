/** Help in four steps: how far, what to move, which move, the solution. */

import { counted } from "./dom.js";
import { Events } from "./events.js";
import { movesBack } from "./lost.js";
import { isConstructed, unknown } from "./truth.js";

const LISTED = 12;
/** Steps of a search if a way back is known in any case. */
const BRIEFLY = 2;

export const NEXT = ["how far it is", "what to move", "which move", "the solution", "play the next move"];

export class Hints extends Events {
  /** 0 none, 1 to 4. */
  step = 0;
  /** @type {Map<string, { found: Lookup, line: Line }>} */
  #back = new Map();

  /** @param {Player} player @param {Truth} truth */
  constructor(player, truth) {
    super();
    this.player = player;
    this.truth = truth;
    player.on("change", ({ kind }) => {
      if (this.step < 4 || kind === "begin") this.clear();
    });
    player.on("board", () => this.#drawn());
  }

  /** After the last step, each one plays a move of the solution. */
  async next() {
    const { state } = this.player.game;
    if (this.step === 4) {
      await this.player.settled;
      await this.#play(await this.#ask(state));
      return;
    }
    const found = await this.#ask(state);
    await this.player.settled;
    if (this.player.game.state !== state) return;
    this.step = found.upper_bound ? this.step + 1 : 0;
    await this.#show(found);
  }

  clear() {
    this.step = 0;
    this.#back.clear();
    this.player.view.unmark();
    this.#tell("", null);
  }

  async #drawn() {
    if (this.step < 4) return;
    const { state } = this.player.game;
    const found = await this.#ask(state).catch(() => null);
    if (this.step < 4 || this.player.game.state !== state) return;
    if (found) await this.#show(found);
    else this.clear();
  }

  /**
   * Where a search soon ends with a bound, but a way back is known, that has a solution; states along it are not
   * searched.
   * @param {string} state @returns {Promise<Lookup>}
   */
  async #ask(state) {
    const known = this.#back.get(state)?.found;
    const way = !known && this.truth.searched && (await (await import("./walks.js")).wayBack(this.player));
    const found = known ?? (await this.truth.ask(state, way ? BRIEFLY : undefined));
    if (!way || found.upper_bound !== null || found.solvable === false) return found;
    for (const [at, each] of way.states.entries()) {
      const [left, lower] = [way.moves.length - at, Math.max(1, Number(found.lower_bound) - at)];
      const bounds = { lower_bound: lower, upper_bound: left, distance: left > 0 ? null : 0 };
      const line = { moves: way.moves.slice(at), states: way.states.slice(at) };
      this.#back.set(each, { found: { ...found, ...bounds, state: each }, line });
    }
    return this.#ask(state);
  }

  /** @param {Lookup} found */
  async #lineOf(found) {
    const line = this.#back.get(found.state)?.line;
    if (line || !isConstructed(found)) return line;
    const { solution, states, next } = await this.player.puzzle.solve(found.state, { limit: LISTED, states: true });
    return { moves: solution, states: states ?? [], more: next !== null };
  }

  /** @param {Lookup} found */
  async #show(found) {
    const { view, board } = this.player;
    if (!board) return;
    if (found.distance === 0) {
      this.clear();
      this.#tell("It is solved.", 0);
      return;
    }
    if (found.upper_bound === null) {
      view.unmark();
      this.#tell(unknown(found), null);
      const back = found.lost ? await movesBack(this.player) : null;
      if (back && this.player.game.state === found.state) this.#tell(unknown(found), null, back);
      return;
    }
    const toGo = found.distance === null ? unknown(found) : `${counted(found.distance, "move")} to go.`;
    const line = await this.#lineOf(found);
    if (this.player.game.state !== found.state || board !== this.player.board) return;
    const best = line ? this.#begun(line.moves[0] ?? "") : this.#optimal(found);
    const first = best[0];
    this.player.game.help(this.step);
    if (this.step === 1) {
      this.#tell(toGo, found.distance);
      return;
    }
    if (this.step === 2) {
      const groups = [...new Set(best.map(({ group }) => group))];
      view.mark(board.moves.filter(({ group }) => groups.includes(group)).flatMap(({ handle }) => handle));
      this.#tell(`${toGo} ${line ? "A way begins with" : "Best"}: ${groups.join(" or ")}.`, found.distance);
      return;
    }
    if (first) view.mark(first.handle, first);
    if (this.step === 3) {
      this.#tell(`${toGo} Play ${line?.moves[0] ?? first?.move}: ${first?.group}.`, found.distance);
    } else if (line) {
      const more = line.more || line.moves.length > LISTED ? " …" : "";
      this.#tell(`${toGo} A solution: ${line.moves.slice(0, LISTED).join(" ")}${more}`, found.distance);
    } else {
      const { state } = this.player.game;
      const asked = this.truth.solution(state, { limit: LISTED }).catch(() => ({ solution: [first?.move] }));
      const solution = (await asked).solution.slice(0, LISTED);
      if (this.player.game.state !== state) return;
      const more = BigInt(found.distance ?? 0) > solution.length ? " …" : "";
      this.#tell(`${toGo} A shortest solution: ${solution.join(" ")}${more}`, found.distance);
    }
  }

  /** A move of a construction may have an amount, which the board does not list. @param {Lookup} found */
  async #play(found) {
    const line = await this.#lineOf(found);
    if (!line) {
      const [best] = this.#optimal(found);
      if (best) this.player.make(best);
      return;
    }
    const [move, after] = [line.moves[0], line.states[1]];
    if (!move || !after || this.player.game.state !== found.state) return;
    this.player.game.play(move, after);
  }

  /** The move of the board that a move with an amount is made of: T1:1-4 of T1:1-4*37. @param {string} name */
  #begun(name) {
    const one = name.split("*")[0];
    return this.player.board?.moves.filter(({ move }) => move === name || move === one).slice(-1) ?? [];
  }

  /** @param {Lookup} found */
  #optimal(found) {
    const optimal = new Set(found.moves.filter((move) => move.optimal).map(({ move }) => move));
    return this.player.board?.moves.filter(({ move }) => optimal.has(move)) ?? [];
  }

  /** @param {string} text @param {Count | null} distance @param {number | null} [back] */
  #tell(text, distance, back = null) {
    this.tell("hint", { text, distance, step: this.step, back });
  }
}
