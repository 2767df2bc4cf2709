import { invalid } from "./errors.js";
import { about, optimal } from "./lookup.js";

const COUNTED = 1_000_000; // states that may be visited to count
const LISTED = 100_000; // moves in all solutions of one answer

/** @type {Rule<{ state: string } & SolveOptions, Solution>} */
export async function answer(source, { state, offset: skipped = 0, limit = 10_000, states = false, all }) {
  const [start, offset] = [source.read(state), Number(skipped)];
  const [distance = -1] = await source.distances([start]);
  const moves = await solution(source, start, distance, offset + limit);
  const end = Math.min(offset + limit, Math.max(distance, 0));
  const passed = [state, ...moves.map((each) => source.text(each.state))];
  return {
    ...about(source, state, distance), solution: moves.slice(offset, end).map(({ move }) => move), next: end < distance ? end : null,
    ...(states ? { states: passed.slice(Math.min(offset, passed.length - 1), end + 1) } : {}),
    ...(all === undefined ? {} : await several(source, start, distance, all)),
  };
}

/** @param {Table} source @param {Read} start @param {number} distance @param {number} most */
export async function solution(source, start, distance, most) {
  /** @type {Next[]} */
  const moves = [];
  for (let left = distance; left > 0 && moves.length < most; left--) {
    moves.push(...(await optimal(source, moves.at(-1)?.state ?? start, left)).slice(0, 1));
  }
  return moves;
}

/** @param {Table} source @param {Read} state @param {number} distance @param {number} most */
async function several(source, state, distance, most) {
  const count = distance <= LISTED ? await counted(source, state, distance) : null;
  const listed = count === null || count > most ? most : Number(count);
  if (listed * distance > LISTED) {
    const fewer = Math.floor(LISTED / distance);
    const hint = fewer ? `ask for at most ${fewer} of them` : "leave out `all`";
    throw invalid(`${listed} solutions of ${distance} moves are too long for one answer`, hint);
  }
  const optimal_count = count === null ? null : count <= Number.MAX_SAFE_INTEGER ? Number(count) : String(count);
  return { solutions: distance < 0 ? [] : await first(source, state, distance, most), optimal_count };
}

/**
 * Counted from layer to layer; null where too many states would be visited.
 * @param {Table} source @param {Read} state @param {number} distance
 */
async function counted(source, state, distance) {
  if (distance < 0) return 0n;
  let layer = new Map([[0, { state, paths: 1n }]]);
  let visited = 0;
  for (let left = distance; left > 0; left--) {
    visited += layer.size;
    if (visited > COUNTED) return null;
    /** @type {typeof layer} */
    const nearer = new Map();
    for (const { state: here, paths } of layer.values()) {
      for (const next of await optimal(source, here, left)) {
        const number = source.number(next.state);
        nearer.set(number, { state: next.state, paths: (nearer.get(number)?.paths ?? 0n) + paths });
      }
    }
    layer = nearer;
  }
  return [...layer.values()].reduce((sum, { paths }) => sum + paths, 0n);
}

/** @param {Table} source @param {Read} start @param {number} distance @param {number} most */
async function first(source, start, distance, most) {
  /** @type {string[][]} */
  const found = [];
  /** @type {string[]} */
  const moves = [];
  const branches = [await optimal(source, start, distance)];
  while (branches.length > 0 && found.length < most) {
    if (moves.length === distance) found.push([...moves]);
    const next = branches.at(-1)?.shift();
    if (next) {
      moves.push(next.move);
      branches.push(await optimal(source, next.state, distance - moves.length));
    } else {
      branches.pop();
      moves.pop();
    }
  }
  return found;
}
