/** The most wasted moves for three, two and one star; null: any. @type {(number | null)[]} */
export const STARS = [0, 4, null];

/**
 * A move or a solution that was shown costs the third star.
 * @param {number | bigint} wasted @param {number[]} hints @param {(number | null)[]} limits
 */
export function starsOf(wasted, hints, limits = STARS) {
  const passed = limits.findIndex((most) => most === null || wasted <= most);
  const stars = passed < 0 ? 0 : limits.length - passed;
  return hints.some((level) => level >= 3) ? Math.min(2, stars) : stars;
}

/**
 * The number from 1 of the first move that was not optimal, as far as distances are known; null: the game is lost.
 * @param {Distances} distances @returns {number | null}
 */
export function firstMistake(distances) {
  for (let step = 1; step < distances.length; step++) {
    const [before, after] = [distances[step - 1], distances[step]];
    if (before === null || before === undefined || after === undefined) return null;
    if (after === null || BigInt(after) !== BigInt(before) - 1n) return step;
  }
  return null;
}
