/** The worth of a game, as the service grades it. */

/** @import { Grade } from "../modules/answers.js" */
/** @import { StaticPuzzle } from "./table.js" */
/** @import { Read } from "./types.d.ts" */
import { earned } from "../modules/game.js";

const STARS = [0, 4, null]; // the most wasted moves for three, two and one star; null: any

/**
 * @param {StaticPuzzle} puzzle
 * @param {string} state
 * @param {string[]} moves
 * @param {{ stars?: (number | null)[], hints?: number[] }} [options]
 * @returns {Promise<Grade>}
 */
export async function graded(puzzle, state, moves, { stars = STARS, hints = [] } = {}) {
  const passed = [puzzle.texts.read(state)];
  /** @type {Grade["illegal"]} */
  let illegal = null;
  for (const [at, move] of moves.entries()) {
    try {
      passed.push(puzzle.play(/** @type {Read} */ (passed.at(-1)), move));
    } catch (error) {
      illegal = { step: at + 1, played: move, reason: /** @type {Error} */ (error).message };
      break;
    }
  }
  await puzzle.fetch(passed);
  const distances = passed.map((each) => puzzle.known(each));
  const [first, last, length] = [distances[0] ?? -1, distances.at(-1) ?? -1, passed.length - 1];
  const steps = moves.slice(0, length).map((move, at) => puzzle.step(move, passed[at + 1], distances[at + 1] ?? -1, distances[at] ?? -1));
  const wasted = first >= 0 && last >= 0 ? length + last - first : null;
  const solved = illegal === null && last === 0;
  const lost = stars.findIndex((most) => most === null || (wasted ?? 0) <= most);
  const byWaste = solved && wasted !== null && lost >= 0 ? stars.length - lost : 0;
  const wrong = first < 0 ? -1 : steps.findIndex((step) => !step.optimal);
  const better = wrong < 0 ? [] : await puzzle.optimal(/** @type {Read} */ (passed[wrong]), distances[wrong] ?? 0);
  return {
    ...puzzle.answer(state, first), legal: illegal === null, illegal, solved, length,
    optimal_length: first >= 0 ? first : null, wasted, against_bound: false, stars: earned(byWaste, hints), steps,
    first_mistake: wrong < 0 ? null : { step: wrong + 1, played: moves[wrong] ?? "", better: better.map(({ move }) => move) },
  };
}
