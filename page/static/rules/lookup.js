/** Of many states, a wrong one spoils itself alone. @param {Table} source @param {{ state: string, states?: string[] }} fields */
export async function answer(source, { state, states }) {
  if (!states) return lookup(source, state);
  const each = (/** @type {string} */ text) => lookup(source, text).catch((problem) => ({ state: text, problem }));
  return { results: await Promise.all(states.map(each)) };
}

/** @param {Table} source @param {string} text */
async function lookup(source, text) {
  const state = source.read(text);
  const next = source.moves(state);
  const [distance = -1, ...after] = await source.distances([state, ...next.map((each) => each.state)]);
  const moves = next.map((each, at) => step(source, each.move, each.state, after[at] ?? -1, distance));
  const far = (/** @type {Move} */ { distance: to }) => (to === null ? Infinity : Number(to));
  moves.sort((one, other) => far(one) - far(other) || 0);
  return { ...about(source, text, distance), moves };
}

/** @param {Table} source @param {string} state @param {number} distance @returns {Answer} */
export function about({ name, goal, isGame }, state, distance) {
  const known = distance >= 0 ? distance : null;
  return {
    ...(isGame ? { lost: known === null } : {}),
    puzzle: name, goal, state, solvable: known !== null, distance: known, exact: true,
    lower_bound: known, upper_bound: known, source: "table",
  };
}

/**
 * @param {Table} source @param {string} move @param {Read} state @param {number} distance @param {number} before
 * @returns {Move}
 */
export function step(source, move, state, distance, before) {
  const known = distance >= 0;
  return {
    move, state: source.text(state), distance: known ? distance : null,
    delta: known && before >= 0 ? distance - before : null, optimal: known && distance <= before - 1,
    ...(source.isGame ? { lost: !known } : {}),
  };
}

/** In the puzzle's order. @param {Table} source @param {Read} state @param {number} distance */
export async function optimal(source, state, distance) {
  if (distance <= 0) return [];
  const next = source.moves(state);
  const distances = await source.distances(next.map((each) => each.state));
  return next.filter((_, at) => distances[at] === distance - 1);
}
