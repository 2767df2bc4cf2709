import { counted } from "./dom.js";
import { Events } from "./events.js";
import { movesBack } from "./lost.js";
import { isConstructed, unknown } from "./truth.js";

const LISTED = 12;
/** Steps of a search if a way back is known in any case. */
const BRIEFLY = 2;

export const NEXT = ["how far it is", "what to move", "which move", "the solution", "play the next move"];

/** @param {Player} player @param {Truth} truth */
export function hintsOf(player, truth) {
  const { game, puzzle, view } = player;
  const events = new Events();
  let step = 0;
  /** @type {Map<string, { found: Lookup, line: Line }>} */
  const back = new Map();

  player.on("change", ({ kind }) => {
    if (step < 4 || kind === "begin") clear();
  });
  player.on("board", async () => {
    if (step < 4) return;
    const { state } = game;
    const found = await ask(state).catch(() => null);
    if (step < 4 || game.state !== state) return;
    if (found) await show(found);
    else clear();
  });

  /** After the last step, each one plays a move of the solution. */
  async function next() {
    const { state } = game;
    if (step === 4) {
      await player.settled;
      await play(await ask(state));
      return;
    }
    const found = await ask(state);
    await player.settled;
    if (game.state !== state) return;
    step = found.upper_bound ? step + 1 : 0;
    await show(found);
  }

  function clear() {
    step = 0;
    back.clear();
    view.unmark();
    tell("", null);
  }

  /**
   * Where a search soon ends with a bound, but a way back is known, that has a solution; states along it are not
   * searched.
   * @param {string} state @returns {Promise<Lookup>}
   */
  async function ask(state) {
    const known = back.get(state)?.found;
    const way = !known && truth.searched && (await (await import("./walks.js")).wayBack(player));
    const found = known ?? (await truth.ask(state, way ? BRIEFLY : undefined));
    if (!way || found.upper_bound !== null || found.solvable === false) return found;
    for (const [at, each] of way.states.entries()) {
      const [left, lower] = [way.moves.length - at, Math.max(1, Number(found.lower_bound) - at)];
      const bounds = { lower_bound: lower, upper_bound: left, distance: left > 0 ? null : 0 };
      const line = { moves: way.moves.slice(at), states: way.states.slice(at) };
      back.set(each, { found: { ...found, ...bounds, state: each }, line });
    }
    return ask(state);
  }

  /** @param {Lookup} found */
  async function lineOf(found) {
    const line = back.get(found.state)?.line;
    if (line || !isConstructed(found)) return line;
    const { solution, states = [], next: more } = await puzzle.solve(found.state, { limit: LISTED, states: true });
    return { moves: solution, states, more: more !== null };
  }

  /** @param {Lookup} found */
  async function show(found) {
    const { board } = player;
    if (!board) return;
    if (found.distance === 0) {
      clear();
      tell("It is solved.", 0);
      return;
    }
    if (found.upper_bound === null) {
      view.unmark();
      tell(unknown(found), null);
      const moves = found.lost ? await movesBack(player) : null;
      if (moves && game.state === found.state) tell(unknown(found), null, moves);
      return;
    }
    const toGo = found.distance === null ? unknown(found) : `${counted(found.distance, "move")} to go.`;
    const line = await lineOf(found);
    if (game.state !== found.state || board !== player.board) return;
    const best = line ? begun(line.moves[0] ?? "") : optimal(found);
    const first = best[0];
    game.help(step);
    if (step === 1) {
      tell(toGo, found.distance);
      return;
    }
    if (step === 2) {
      const groups = [...new Set(best.map(({ group }) => group))];
      view.mark(board.moves.filter(({ group }) => groups.includes(group)).flatMap(({ handle }) => handle));
      tell(`${toGo} ${line ? "A way begins with" : "Best"}: ${groups.join(" or ")}.`, found.distance);
      return;
    }
    if (first) view.mark(first.handle, first);
    if (step === 3) {
      tell(`${toGo} Play ${line?.moves[0] ?? first?.move}: ${first?.group}.`, found.distance);
    } else if (line) {
      const more = line.more || line.moves.length > LISTED ? " …" : "";
      tell(`${toGo} A solution: ${line.moves.slice(0, LISTED).join(" ")}${more}`, found.distance);
    } else {
      const asked = truth.solution(found.state, { limit: LISTED }).catch(() => ({ solution: [first?.move] }));
      const solution = (await asked).solution.slice(0, LISTED);
      if (game.state !== found.state) return;
      const more = BigInt(found.distance ?? 0) > solution.length ? " …" : "";
      tell(`${toGo} A shortest solution: ${solution.join(" ")}${more}`, found.distance);
    }
  }

  /** A move of a construction may have an amount, which the board does not list. @param {Lookup} found */
  async function play(found) {
    const line = await lineOf(found);
    const [best] = optimal(found);
    const [move, after] = [line?.moves[0], line?.states[1]];
    if (!line && best) player.make(best);
    else if (move && after && game.state === found.state) game.play(move, after);
  }

  /** The move of the board that a move with an amount is made of: T1:1-4 of T1:1-4*37. @param {string} name */
  function begun(name) {
    const one = name.split("*")[0];
    return player.board?.moves.filter(({ move }) => move === name || move === one).slice(-1) ?? [];
  }

  /** @param {Lookup} found */
  function optimal(found) {
    const names = new Set(found.moves.filter((move) => move.optimal).map(({ move }) => move));
    return player.board?.moves.filter(({ move }) => names.has(move)) ?? [];
  }

  /** @param {string} text @param {Count | null} distance @param {number | null} [moves] */
  function tell(text, distance, moves = null) {
    events.tell("hint", { text, distance, back: moves });
  }

  return {
    events,
    next,
    clear,
    get step() {
      return step;
    },
  };
}
