/** The worth of a game, as the service grades it. */

/** @import { Grade } from "../modules/answers.js" */
/** @import { StaticPuzzle } from "./table.js" */
/** @import { Read } from "./types.d.ts" */
import { earned } from "../modules/game.js";
import { Problem } from "../modules/problem.js";
import { quoted } from "./texts.js";

const STARS = [0, 4, null]; // the most wasted moves for three, two and one star; null: any
const MOST_STARS = 10;
const ALIKE = 0.6; // of names that are meant

/**
 * @param {StaticPuzzle} puzzle
 * @param {string} state
 * @param {string[]} moves
 * @param {{ stars?: (number | null)[], hints?: number[] }} [options]
 * @returns {Promise<Grade>}
 */
export async function graded(puzzle, state, moves, { stars = STARS, hints = [] } = {}) {
  check(stars, hints);
  const passed = [puzzle.texts.read(state)];
  /** @type {Grade["illegal"]} */
  let illegal = null;
  for (const [at, move] of moves.entries()) {
    const here = /** @type {Read} */ (passed.at(-1));
    try {
      passed.push(puzzle.play(here, move));
    } catch (error) {
      const known = puzzle.header.no_move ? puzzle.header.about.moves : puzzle.next(here);
      const names = known.map((each) => each.move);
      const close = names.includes(move) ? [] : meant(move, names);
      const asked = close.length > 0 ? `; did you mean ${close.map((name) => quoted(name)).join(" or ")}?` : "";
      illegal = { step: at + 1, played: shortened(move), reason: /** @type {Error} */ (error).message + asked };
      break;
    }
  }
  await puzzle.fetch(passed);
  const distances = passed.map((each) => puzzle.known(each));
  const [first, last, length] = [distances[0] ?? -1, distances.at(-1) ?? -1, passed.length - 1];
  const steps = moves.slice(0, length).map((move, at) => puzzle.step(move, passed[at + 1], distances[at + 1] ?? -1, distances[at] ?? -1));
  const wasted = first >= 0 && last >= 0 ? length + last - first : null;
  const solved = illegal === null && last === 0;
  const fewer = stars.findIndex((most) => most === null || (wasted ?? 0) <= most);
  const byWaste = solved && wasted !== null && fewer >= 0 ? stars.length - fewer : 0;
  const mistake = async (/** @type {number} */ step) => {
    const [before, distance] = [/** @type {Read} */ (passed[step]), distances[step] ?? 0];
    const better = distance > 0 ? await puzzle.optimal(before, distance) : [];
    return { step: step + 1, played: moves[step] ?? "", better: better.map(({ move }) => move) };
  };
  const wrong = first < 0 ? -1 : steps.findIndex((step) => !step.optimal);
  const lost = distances.indexOf(-1);
  return {
    ...puzzle.answer(state, first), legal: illegal === null, illegal, solved, length,
    optimal_length: first >= 0 ? first : null, wasted, against_bound: false, stars: earned(byWaste, hints), steps,
    first_mistake: wrong < 0 ? null : await mistake(wrong),
    ...(puzzle.isGame ? { lost_at: lost > 0 ? await mistake(lost - 1) : null } : {}),
  };
}

/**
 * @param {(number | null)[]} stars
 * @param {number[]} hints
 */
function check(stars, hints) {
  const limits = stars.map((most) => most ?? Infinity);
  const rising = limits.every((most, at) => most >= (limits[at - 1] ?? 0));
  if (stars.length < 1 || stars.length > MOST_STARS || !rising) {
    throw refused(
      `stars cannot be ${listed(stars)}`,
      `give 1 to ${MOST_STARS} numbers of wasted moves, for the most stars first, none less than the one before; null is any number`,
    );
  }
  if (!hints.every((level) => [1, 2, 3, 4].includes(level))) throw refused(`hints cannot be ${listed(hints)}`, "give the levels shown, each from 1 to 4");
}

/** @param {(number | null)[]} numbers */
function listed(numbers) {
  return shortened(`[${numbers.map((each) => each ?? "None").join(", ")}]`);
}

/**
 * @param {string} detail
 * @param {string} hint
 */
function refused(detail, hint) {
  return new Problem({ type: "invalid-parameter", title: "Invalid parameter", status: 400, detail, hint });
}

/** @param {string} text */
function shortened(text) {
  return quoted(text).slice(1, -1);
}

/**
 * The two names most like a wrong one, the best first: those of Ratcliff and Obershelp, as Python's difflib finds them.
 * @param {string} wrong
 * @param {string[]} names
 */
function meant(wrong, names) {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const asked = wrong.slice(0, 100).toLowerCase();
  const scored = [...known].map(([name, own]) => ({ name, own, score: (2 * common(name, asked)) / (name.length + asked.length || 1) }));
  const close = scored.filter(({ score }) => score >= ALIKE);
  return close.sort((one, other) => other.score - one.score || (one.name < other.name ? 1 : -1)).slice(0, 2).map(({ own }) => own);
}

/**
 * How many letters two texts have in common: in the longest part of both, the first one, and on either side of it.
 * @param {string} one
 * @param {string} other
 * @returns {number}
 */
function common(one, other) {
  let [best, from, to] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    for (let there = 0; there < other.length; there++) {
      let length = 0;
      while (at + length < one.length && one[at + length] === other[there + length]) length++;
      if (length > best) [best, from, to] = [length, at, there];
    }
  }
  if (best === 0) return 0;
  return best + common(one.slice(0, from), other.slice(0, to)) + common(one.slice(from + best), other.slice(to + best));
}
