/** The worth of a game by the distances along it. */

/** @import { Count } from "../modules/answers.js" */

/** The most wasted moves for three, two and one star; null: any. @type {(number | null)[]} */
export const STARS = [0, 4, null];

/**
 * The stars of a solved game. A move or a solution that was shown costs the third.
 * @param {number | bigint} wasted
 * @param {number[]} hints the levels shown
 * @param {(number | null)[]} limits the most wasted moves for all stars, for one less, and so on
 */
export function starsOf(wasted, hints, limits = STARS) {
  const passed = limits.findIndex((most) => most === null || wasted <= most);
  const stars = passed < 0 ? 0 : limits.length - passed;
  return hints.some((level) => level >= 3) ? Math.min(2, stars) : stars;
}

/**
 * The first move of a game that was not optimal, as far as distances are known.
 * @param {(Count | null | undefined)[]} distances of the states passed, null where the game is lost
 * @returns {number | null} its number, from 1
 */
export function firstMistake(distances) {
  for (let step = 1; step < distances.length; step++) {
    const [before, after] = [distances[step - 1], distances[step]];
    if (before === null || before === undefined || after === undefined) return null;
    if (after === null || BigInt(after) !== BigInt(before) - 1n) return step;
  }
  return null;
}
