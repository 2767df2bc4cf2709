/** Random states of a published table: by distance, by difficulty, by percentile, of the day, or any. */

/** @import { Random, RandomOptions } from "../modules/answers.js" */
/** @import { StaticPuzzle } from "./table.js" */
/** @import { Read } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";

const FEW = 4000; // states of layers that are found by moves from the goal
const TRIES = 400; // numbers that are drawn to find a state at a distance, where enough states have it

/**
 * A random state, in the letters that it has after the scramble is played from solved.
 * @param {StaticPuzzle} puzzle
 * @param {RandomOptions} options
 * @returns {Promise<Random>}
 */
export async function drawn(puzzle, options) {
  const { layers } = puzzle.header.histogram;
  const range = asked(puzzle, options);
  const day = options.daily === "today" ? new Date().toISOString().slice(0, 10) : options.daily;
  const draw = numbers(day ? `day ${day}` : options.seed, `${puzzle.name} ${puzzle.goal} ${JSON.stringify(range)}`);
  if (!range) return answer(puzzle, await anywhere(puzzle, draw));
  const [least, most] = [Math.max(range[0], 0), Math.min(range[1], layers.length - 1)];
  if (least > most) {
    throw refused(`no state of ${puzzle.name} has a distance from ${range[0]} to ${range[1]}`, `distances go from 0 to ${layers.length - 1}`);
  }
  return answer(puzzle, await at(puzzle, least + draw(most - least + 1), draw));
}

/**
 * The distances asked for, null for any.
 * @param {StaticPuzzle} puzzle
 * @param {RandomOptions} options
 * @returns {[number, number] | null}
 */
function asked({ header }, { distance, min, max, percentile, difficulty }) {
  if (difficulty !== undefined) {
    const { difficulties, levels } = header.about;
    const known = [...difficulties, ...levels];
    const found = known.find(({ name }) => name === String(difficulty));
    if (found) return [found.min, found.max];
    throw refused(`there is no difficulty ${JSON.stringify(difficulty)}`, `there are ${known.map(({ name }) => name).join(", ")}`);
  }
  if (percentile !== undefined) {
    const { layers } = header.histogram;
    const [reached, upTo] = [total(layers), layers.map((_, far) => total(layers.slice(0, far + 1)))];
    const far = upTo.findIndex((states) => (100 * states) / reached >= percentile);
    return [far, far];
  }
  if (distance !== undefined) return [distance, distance];
  return min === undefined && max === undefined ? null : [min ?? 0, max ?? Infinity];
}

/**
 * A state at a distance: one of many by drawing, of few by moves from the goal, else one that the folder has.
 * @param {StaticPuzzle} puzzle
 * @param {number} distance
 * @param {(below: number) => number} draw
 * @returns {Promise<Read>}
 */
async function at(puzzle, distance, draw) {
  const { layers, states } = puzzle.header.histogram;
  const count = layers[distance] ?? 0;
  if (puzzle.blocks.small && (count / states) * TRIES > 20) {
    for (let tried = 0; tried < TRIES; tried++) {
      const state = numbered(puzzle, draw(puzzle.ranking.automaton.size));
      if (puzzle.known(state) === distance) return state;
    }
  }
  if (total(layers.slice(0, distance + 1)) <= FEW) {
    const layer = layerOf(puzzle, distance);
    if (layer.length === count) return /** @type {Read} */ (layer[draw(count)]);
  }
  const some = (await puzzle.drawn()).states[distance] ?? [];
  return puzzle.texts.read(some[draw(some.length)] ?? "");
}

/**
 * A state that can reach the goal, each equally likely.
 * @param {StaticPuzzle} puzzle
 * @param {(below: number) => number} draw
 * @returns {Promise<Read>}
 */
async function anywhere(puzzle, draw) {
  const state = numbered(puzzle, draw(puzzle.ranking.automaton.size));
  await puzzle.fetch([state]);
  return puzzle.known(state) >= 0 ? state : anywhere(puzzle, draw);
}

/**
 * All states at a distance from one solved state, found from there outwards.
 * @param {StaticPuzzle} puzzle
 * @param {number} distance
 */
function layerOf(puzzle, distance) {
  const number = (/** @type {Read} */ state) => puzzle.ranking.rank(state.codes);
  let layer = [puzzle.texts.read(puzzle.header.solved ?? puzzle.header.start)];
  const seen = new Set(layer.map(number));
  for (let far = 0; far < distance; far++) {
    const next = layer.flatMap((state) => puzzle.next(state).map((each) => each.state));
    layer = next.filter((state) => !seen.has(number(state)) && seen.add(number(state)));
  }
  return layer.sort((one, other) => number(one) - number(other));
}

/**
 * @param {StaticPuzzle} puzzle
 * @param {Read} state
 * @returns {Promise<Random>}
 */
async function answer(puzzle, state) {
  const { histogram, solved } = puzzle.header;
  let text = puzzle.texts.text(state);
  const { solution, states = [] } = await puzzle.solve(text, { limit: Infinity, states: true });
  const scramble = solution.map((_, step) => puzzle.back(states[step] ?? "", states[step + 1] ?? "")).reverse();
  if (puzzle.ranking.names && solved) {
    const named = new Map(Array.from(states.at(-1) ?? "", (letter, place) => [letter, solved[place] ?? letter]));
    text = Array.from(text, (letter) => named.get(letter) ?? letter).join("");
  }
  const percentile = (100 * total(histogram.layers.slice(0, solution.length + 1))) / total(histogram.layers);
  const { difficulties } = puzzle.header.about;
  const difficulty = difficulties.find(({ min, max }) => min <= solution.length && solution.length <= max)?.name ?? null;
  return { ...puzzle.answer(text, solution.length), drawn: "uniform", percentile, difficulty, scramble };
}

/**
 * @param {StaticPuzzle} puzzle
 * @param {number} number
 * @returns {Read}
 */
function numbered(puzzle, number) {
  return { codes: puzzle.ranking.unrank(number), letters: puzzle.header.states.alphabet };
}

/** @param {number[]} counts */
function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {string} detail
 * @param {string} hint
 */
function refused(detail, hint) {
  return new Problem({ type: "invalid-parameter", status: 400, detail, hint });
}

/**
 * Random numbers below some number: by a seed, or without one by the system.
 * @param {string | undefined} seed
 * @param {string} of what they are drawn for
 * @returns {(below: number) => number}
 */
function numbers(seed, of) {
  let state = 0x9e3779b9;
  for (const letter of `${of} ${seed}`) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x85ebca6b) ^ (state >>> 13);
  const word = () => {
    if (seed === undefined) return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (below) => Math.floor(((word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53) * below);
}
