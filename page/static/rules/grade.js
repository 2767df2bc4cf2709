import { invalid, shortened } from "./errors.js";
import { about, optimal, step } from "./lookup.js";
import { play } from "./play.js";
import { firstMistake, STARS, starsOf } from "./stars.js";

const MOST_STARS = 10;

/** @type {Rule<{ state: string, moves?: string[] } & GradeOptions, Grade>} */
export async function answer(source, { state, moves = [], stars = STARS, hints = [] }) {
  check(stars, hints);
  const passed = [source.read(state)];
  /** @type {Grade["illegal"]} */
  let illegal = null;
  for (const [at, move] of moves.entries()) {
    try {
      passed.push(play(source, /** @type {Read} */ (passed.at(-1)), move));
    } catch (error) {
      illegal = { step: at + 1, played: shortened(move), reason: /** @type {Error} */ (error).message };
      break;
    }
  }
  const distances = await source.distances(passed);
  const known = distances.map((distance) => (distance < 0 ? null : distance));
  const [first, last, length] = [known[0] ?? null, known.at(-1) ?? null, passed.length - 1];
  const wasted = first === null || last === null ? null : length + last - first;
  const solved = illegal === null && last === 0;
  const mistake = async (/** @type {number} */ number) => {
    const better = await optimal(source, /** @type {Read} */ (passed[number - 1]), distances[number - 1] ?? -1);
    return { step: number, played: moves[number - 1] ?? "", better: better.map(({ move }) => move) };
  };
  const [wrong, lost] = [firstMistake(known), distances.indexOf(-1)];
  return {
    ...about(source, state, distances[0] ?? -1), legal: illegal === null, illegal, solved, length,
    optimal_length: first, wasted, against_bound: false, stars: solved && wasted !== null ? starsOf(wasted, hints, stars) : 0,
    steps: passed.slice(1).map((to, at) => step(source, moves[at] ?? "", to, distances[at + 1] ?? -1, distances[at] ?? -1)),
    first_mistake: wrong === null ? null : await mistake(wrong),
    ...(source.isGame ? { lost_at: lost > 0 ? await mistake(lost) : null } : {}),
  };
}

/** @param {(number | null)[]} stars @param {number[]} hints */
function check(stars, hints) {
  const limits = stars.map((most) => most ?? Infinity);
  const rising = limits.every((most, at) => most >= (limits[at - 1] ?? 0));
  if (stars.length < 1 || stars.length > MOST_STARS || !rising) {
    const remedy = `give 1 to ${MOST_STARS} numbers of wasted moves, for the most stars first, none less than the one before; null is any number`;
    throw invalid(`stars cannot be ${listed(stars)}`, remedy);
  }
  if (!hints.every((level) => [1, 2, 3, 4].includes(level))) throw invalid(`hints cannot be ${listed(hints)}`, "give the levels shown, each from 1 to 4");
}

/** @param {(number | null)[]} numbers */
function listed(numbers) {
  return shortened(`[${numbers.map((each) => each ?? "None").join(", ")}]`);
}
