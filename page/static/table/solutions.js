/** Solutions of a state and hints; all shortest solutions: how many there are, and the first of them. */

/** @import { Count, Hint, Solution } from "../modules/answers.js" */
/** @import { StaticPuzzle } from "./table.js" */
/** @import { Next, Read } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";
import { Unreadable } from "./files.js";

const COUNTED = 1_000_000; // states that may be visited to count
const LISTED = 100_000; // moves in all solutions of one answer

/**
 * A shortest solution, as `StaticPuzzle.solve` gives it.
 * @param {StaticPuzzle} puzzle
 * @param {string} state
 * @param {{ offset?: Count | bigint, limit?: number, states?: boolean, all?: number }} [options]
 * @returns {Promise<Solution>}
 */
export async function solved(puzzle, state, { offset: skipped = 0, limit = 10_000, states = false, all } = {}) {
  const [start, offset] = [puzzle.texts.read(state), Number(skipped)];
  await puzzle.fetch([start]);
  const distance = puzzle.known(start);
  const [moves, passed] = [/** @type {string[]} */ ([]), [state]];
  let here = start;
  for (let left = distance; left > 0 && moves.length < offset + limit; left--) {
    const best = (await puzzle.optimal(here, left))[0];
    if (!best) throw new Unreadable("blocks", "have no move that is nearer");
    here = best.state;
    moves.push(best.move);
    passed.push(puzzle.texts.text(here));
  }
  const end = Math.min(offset + limit, Math.max(distance, 0));
  return {
    ...puzzle.answer(state, distance), solution: moves.slice(offset, end), next: end < distance ? end : null,
    ...(states ? { states: passed.slice(Math.min(offset, passed.length - 1), end + 1) } : {}),
    ...(all === undefined ? {} : await several(puzzle, start, distance, all)),
  };
}

/**
 * Help by level, as `StaticPuzzle.hint` gives it.
 * @param {StaticPuzzle} puzzle
 * @param {string} state
 * @param {number} level
 * @param {{ moves?: string[] }} [options]
 * @returns {Promise<Hint>}
 */
export async function helped(puzzle, state, level, { moves = [] } = {}) {
  const passed = puzzle.passed(state, moves);
  await puzzle.fetch(passed);
  const here = /** @type {Read} */ (passed.at(-1));
  const distance = puzzle.known(here);
  const text = puzzle.texts.text(here);
  const best = distance > 0 ? await puzzle.optimal(here, distance) : [];
  const parts = level >= 2 && puzzle.header.labelled ? (await puzzle.board(text)).moves : [];
  const solution = level >= 3 ? (await solved(puzzle, text, { limit: level >= 4 ? 10_000 : 1 })).solution : [];
  const lost = passed.findIndex((each) => puzzle.known(each) < 0);
  const back = lost < 0 ? 0 : lost === 0 ? null : passed.length - lost;
  return {
    ...puzzle.answer(text, distance), level,
    ...(level >= 2 ? { groups: [...new Set(best.map((each) => parts.find(({ move }) => move === each.move)?.group ?? each.group))] } : {}),
    ...(level >= 3 ? { move: solution[0] ?? null } : {}),
    ...(level >= 4 ? { solution } : {}),
    ...(puzzle.isGame ? { take_back: back } : {}),
  };
}

/**
 * So many solutions of a state, in the puzzle's order of moves, and how many there are.
 * @param {StaticPuzzle} puzzle
 * @param {Read} state
 * @param {number} distance
 * @param {number} most
 * @returns {Promise<Pick<Solution, "solutions" | "optimal_count">>}
 */
async function several(puzzle, state, distance, most) {
  const count = distance <= LISTED ? await counted(puzzle, state, distance) : null;
  const listed = count === null || count > most ? most : Number(count);
  if (listed * distance > LISTED) {
    const fewer = Math.floor(LISTED / distance);
    throw new Problem({
      type: "invalid-parameter", title: "Invalid parameter", status: 400,
      detail: `${listed} solutions of ${distance} moves are too long for one answer`,
      hint: fewer ? `ask for at most ${fewer} of them` : "leave out `all`",
    });
  }
  const optimal_count = count === null ? null : count <= Number.MAX_SAFE_INTEGER ? Number(count) : String(count);
  return { solutions: distance < 0 ? [] : await first(puzzle, state, distance, most), optimal_count };
}

/**
 * The number of shortest solutions, counted from layer to layer; null where too many states would be visited.
 * @param {StaticPuzzle} puzzle
 * @param {Read} state
 * @param {number} distance
 */
async function counted(puzzle, state, distance) {
  if (distance < 0) return 0n;
  let layer = new Map([[0, { state, paths: 1n }]]);
  let visited = 0;
  for (let left = distance; left > 0; left--) {
    visited += layer.size;
    if (visited > COUNTED) return null;
    /** @type {typeof layer} */
    const nearer = new Map();
    for (const { state: here, paths } of layer.values()) {
      for (const next of await puzzle.optimal(here, left)) {
        const number = puzzle.ranking.rank(next.state.codes);
        nearer.set(number, { state: next.state, paths: (nearer.get(number)?.paths ?? 0n) + paths });
      }
    }
    layer = nearer;
  }
  return [...layer.values()].reduce((sum, { paths }) => sum + paths, 0n);
}

/**
 * The first shortest solutions.
 * @param {StaticPuzzle} puzzle
 * @param {Read} start
 * @param {number} distance
 * @param {number} most
 */
async function first(puzzle, start, distance, most) {
  /** @type {string[][]} */
  const found = [];
  /** @type {string[]} */
  const moves = [];
  const branches = [distance > 0 ? await puzzle.optimal(start, distance) : []];
  while (branches.length > 0 && found.length < most) {
    if (moves.length === distance) found.push([...moves]);
    const next = /** @type {Next[]} */ (branches.at(-1)).shift();
    if (next) {
      moves.push(next.move);
      branches.push(moves.length < distance ? await puzzle.optimal(next.state, distance - moves.length) : []);
    } else {
      branches.pop();
      moves.pop();
    }
  }
  return found;
}
