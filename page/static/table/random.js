/** Random states: those that the service draws for equal seeds and days, since both draw by the same hash. */

/** @import { Random, RandomOptions } from "../modules/answers.js" */
/** @import { StaticPuzzle } from "./table.js" */
/** @import { Read } from "./types.d.ts" */
import { Problem } from "../modules/problem.js";
import { blake2b } from "./blake2b.js";
import { Blocks } from "./files.js";
import { quoted } from "./texts.js";

const WORDS = ["first", "easy", "medium", "hard", "hardest"];
const TRIES = 1 << 14; // numbers that are drawn to find a state that can reach the goal
const SCRAMBLE = 10_000; // moves of the longest one

/**
 * A random state, in the letters that it has after the scramble is played from solved.
 * @param {StaticPuzzle} puzzle
 * @param {RandomOptions} options
 * @returns {Promise<Random>}
 */
export async function drawn(puzzle, options) {
  const { distance, min, max, percentile, difficulty, daily, seed, turns, lost } = options;
  const ranged = min !== undefined || max !== undefined;
  if ([distance, percentile, difficulty, turns, lost || undefined].filter((each) => each !== undefined).length + Number(ranged) > 1) {
    throw refused("give one of distance, min and max, percentile, difficulty, lost, or turns", "leave out all of them but one");
  }
  const day = daily === "today" ? new Date().toISOString().slice(0, 10) : daily;
  const key = day ? `day ${day}` : seed === undefined ? null : `seed ${seed}`;
  if (turns !== undefined) return turned(puzzle, turns, options.walk ?? "any", key);
  const [own, states] = [`${puzzle.name} ${puzzle.goal}`, new Numbered(puzzle)];
  const keyed = (/** @type {string} */ what) => key && `${own} ${what}${key}`;
  const { layers } = puzzle.header.histogram;
  if (lost) {
    const { histogram } = puzzle.header;
    if (!puzzle.isGame) throw refused(`no state of ${puzzle.name} is lost: its moves can be taken back`, "leave out lost");
    if (!histogram.lost) throw refused(`no state of ${puzzle.name} is lost: all can reach this goal`, "leave out lost");
    return answer(puzzle, await states.ranked(-1, -1, draw(histogram.lost, keyed("lost "))));
  }
  if (layers.length === 0) throw refused(`no state of ${puzzle.name} can reach this goal`, "choose another goal");
  let [least, most] = [distance ?? min ?? 0, distance ?? max ?? layers.length - 1];
  if (percentile !== undefined) least = most = atPercentile(layers, percentile);
  else if (difficulty !== undefined) {
    const range = named(puzzle, String(difficulty));
    least = most = range.min + draw(range.max - range.min + 1, keyed(`from ${range.min} to ${range.max} `));
  } else if (distance === undefined && !ranged) return answer(puzzle, await states.any(keyed("")));
  if (least > Math.min(most, layers.length - 1)) {
    throw refused(`no state of ${puzzle.name} has a distance from ${least} to ${most}`, `distances go from 0 to ${layers.length - 1}`);
  }
  most = Math.min(most, layers.length - 1);
  const rank = draw(total(layers.slice(least, most + 1)), keyed(`${least} ${most} `));
  return answer(puzzle, await states.ranked(least, most, rank));
}

/** The states by the indices that the service has for them. */
class Numbered {
  /** @param {StaticPuzzle} puzzle */
  constructor(puzzle) {
    const { draws, digest } = puzzle.header;
    this.puzzle = puzzle;
    this.draws = draws;
    this.counts = new Blocks(puzzle.folder, draws.counts, digest);
    this.order = draws.order ? new Blocks(puzzle.folder, draws.order, digest) : null;
  }

  /**
   * The states of some indices, null for none.
   * @param {number[]} indices
   */
  async states(indices) {
    await this.order?.fetch(indices);
    const { ranking, header } = this.puzzle;
    return indices.map((index) => {
      const number = this.order ? (this.order.at(index) ?? -1) : index;
      return number < 0 ? null : { codes: ranking.unrank(number), letters: header.states.alphabet };
    });
  }

  /**
   * A state that can reach the goal, each equally likely.
   * @param {string | null} key
   * @returns {Promise<Read>}
   */
  async any(key) {
    for (let tried = 0; tried < TRIES; tried++) {
      const [state] = await this.states([draw(this.draws.size, key && `${key} ${tried}`)]);
      if (!state) continue;
      await this.puzzle.fetch([state]);
      if (this.puzzle.known(state) >= 0) return state;
    }
    const { layers } = this.puzzle.header.histogram;
    return this.ranked(0, layers.length - 1, draw(total(layers), key && `${key} ${TRIES}`));
  }

  /**
   * The state of a rank among those at some distances, in the order of indices; at -1 those that cannot reach the goal.
   * @param {number} least
   * @param {number} most
   * @param {number} rank
   * @returns {Promise<Read>}
   */
  async ranked(least, most, rank) {
    const { block, size } = this.draws;
    const ranges = Math.ceil(size / block);
    const rows = most < 0 ? [this.puzzle.header.histogram.layers.length] : span(least, most + 1);
    await this.counts.fetch(rows.flatMap((row) => [row * ranges, ...span(0, ranges, this.counts.header.block).map((at) => row * ranges + at), (row + 1) * ranges - 1]));
    let [range, left] = [0, rank];
    for (; range < ranges; range++) {
      const here = total(rows.map((row) => this.counts.at(row * ranges + range) ?? 0));
      if (left < here) break;
      left -= here;
    }
    const states = await this.states(span(range * block, Math.min((range + 1) * block, size)));
    await this.puzzle.fetch(states.flatMap((state) => state ?? []));
    for (const state of states) {
      const distance = state ? this.puzzle.known(state) : -2;
      if (state && least <= distance && distance <= most && left-- === 0) return state;
    }
    throw refused(`no state of ${this.puzzle.name} has this rank`, "publish the table once more");
  }
}

/**
 * Random turns from solved, or from the start of a game that can be lost.
 * @param {StaticPuzzle} puzzle
 * @param {number} turns
 * @param {string} walk
 * @param {string | null} key
 * @returns {Promise<Random>}
 */
async function turned(puzzle, turns, walk, key) {
  const { one_way, solved, start, ranking } = puzzle.header;
  if (walk === "alternate" && !ranking.orbits) throw refused(`${puzzle.name} has no wheels that could alternate`, "take the walk any or no-undo");
  let state = puzzle.texts.read((one_way ? undefined : solved[0]) ?? start);
  let [before, group] = ["", ""];
  const scramble = [];
  for (let number = 0; number < turns; number++) {
    const legal = puzzle.next(state);
    if (legal.length === 0) break;
    const again = (/** @type {typeof legal[0]} */ next) => (ranking.orbits ? next.group === group : puzzle.texts.text(next.state) === before);
    const free = walk === "any" ? legal : legal.filter((next) => !again(next));
    const from = free.length > 0 ? free : legal;
    const next = /** @type {typeof legal[0]} */ (from[draw(from.length, key && `${key} ${number}`)]);
    [before, group] = [puzzle.texts.text(state), next.group];
    state = next.state;
    scramble.push(next.move);
  }
  await puzzle.fetch([state]);
  return told(puzzle, state, puzzle.known(state), "turns", scramble);
}

/**
 * @param {StaticPuzzle} puzzle
 * @param {Read} found
 * @returns {Promise<Random>}
 */
async function answer(puzzle, found) {
  const distance = puzzle.known(found);
  if (puzzle.header.one_way || distance < 0 || distance > SCRAMBLE) return told(puzzle, found, distance, "uniform", null);
  const number = (/** @type {Read} */ state) => puzzle.ranking.rank(state.codes);
  const passed = [found];
  for (let left = distance; left > 0; left--) passed.push(.../** @type {Read[]} */ ((await puzzle.optimal(/** @type {Read} */ (passed.at(-1)), left)).slice(0, 1).map((next) => next.state)));
  const end = /** @type {Read} */ (passed.pop());
  const solved = puzzle.header.solved.map((text) => puzzle.texts.read(text)).find((state) => number(state) === number(end));
  let state = solved ?? { codes: end.codes, letters: puzzle.header.states.alphabet };
  const scramble = [];
  for (const to of passed.reverse().map(number)) {
    const next = puzzle.next(state).find((each) => number(each.state) === to);
    if (!next) break;
    scramble.push(next.move);
    state = next.state;
  }
  return told(puzzle, state, distance, "uniform", scramble);
}

/**
 * @param {StaticPuzzle} puzzle
 * @param {Read} state
 * @param {number} distance
 * @param {string} how
 * @param {string[] | null} scramble
 * @returns {Random}
 */
function told(puzzle, state, distance, how, scramble) {
  const { layers } = puzzle.header.histogram;
  const percentile = distance >= 0 ? (100 * total(layers.slice(0, distance + 1))) / total(layers) : null;
  const difficulty = puzzle.header.about.difficulties.find(({ min, max }) => min <= distance && distance <= max)?.name ?? null;
  return { ...puzzle.answer(puzzle.texts.text(state), distance), drawn: how, percentile, difficulty, scramble };
}

/**
 * The distances of a word or a level; a word without a range means the one before it.
 * @param {StaticPuzzle} puzzle
 * @param {string} name
 */
function named({ header }, name) {
  const { difficulties, levels } = header.about;
  if (header.histogram.layers.length < 2) return { min: 1, max: 1 };
  const meant = WORDS.includes(name) ? WORDS.slice(0, WORDS.indexOf(name) + 1) : [name];
  const found = [...difficulties, ...levels].findLast((each) => meant.includes(each.name));
  if (found) return found;
  const last = `${levels.length}, which is distance ${header.histogram.layers.length - 1}`;
  throw refused(`no difficulty is ${quoted(name)}`, `give one of ${WORDS.join(", ")}, or a level from 1 to ${last}`);
}

/**
 * The smallest distance that so many per cent of the states do not exceed.
 * @param {number[]} layers
 * @param {number} percentile
 */
function atPercentile(layers, percentile) {
  const [reached, upTo] = [total(layers), layers.map((_, far) => total(layers.slice(0, far + 1)))];
  return upTo.findIndex((states) => (100 * states) / reached >= percentile);
}

/**
 * A number below another: by a hash of the key, or without one by the system.
 * @param {number} below
 * @param {string | null} key
 */
function draw(below, key) {
  const bytes = key === null ? crypto.getRandomValues(new Uint8Array(32)) : blake2b(new TextEncoder().encode(key));
  return Number(bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) % BigInt(below));
}

/** @param {number[]} counts */
function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} [step]
 */
function span(from, to, step = 1) {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, at) => from + at * step);
}

/**
 * @param {string} detail
 * @param {string} hint
 */
function refused(detail, hint) {
  return new Problem({ type: "invalid-parameter", title: "Invalid parameter", status: 400, detail, hint });
}
