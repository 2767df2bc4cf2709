/** Random states: for equal seeds and days the same ones, by the service's hash. */

import { invalid, quoted } from "./errors.js";
import { blake2b } from "../source/blake2b.js";
import { Blocks } from "../source/files.js";
import { about } from "./lookup.js";
import { solution } from "./solutions.js";

const WORDS = ["first", "easy", "medium", "hard", "hardest"];
const TRIES = 1 << 14; // numbers that are drawn to find a state that can reach the goal
const SCRAMBLE = 10_000; // moves of the longest one

/** @type {Rule<RandomOptions, Random>} */
export async function answer(source, { distance, min, max, percentile, difficulty, daily, seed, turns, lost }) {
  const ranged = min !== undefined || max !== undefined;
  if ([distance, percentile, difficulty, turns, lost || undefined].filter((each) => each !== undefined).length + Number(ranged) > 1) {
    throw invalid("give one of distance, min and max, percentile, difficulty, lost, or turns", "leave out the others");
  }
  if (seed !== undefined && daily !== undefined) throw invalid("give one of seed and daily", "leave out the other");
  const key = daily ? `day ${dayOf(daily)}` : seed === undefined ? null : `seed ${seed}`;
  if (turns !== undefined) return turned(source, turns, key);
  const [own, states] = [`${source.name} ${source.goal}`, new Numbered(source)];
  const keyed = (/** @type {string} */ what) => key && `${own} ${what}${key}`;
  const { layers, lost: out } = source.header.histogram;
  if (lost) {
    if (!source.isGame) throw invalid(`no state of ${source.name} is lost: its moves can be taken back`, "leave out lost");
    if (!out) throw invalid(`no state of ${source.name} is lost: all can reach this goal`, "leave out lost");
    return scrambled(source, await states.ranked(-1, -1, draw(out, keyed("lost "))));
  }
  if (layers.length === 0) throw invalid(`no state of ${source.name} can reach this goal`, "choose another goal");
  let [least, most] = [distance ?? min ?? 0, distance ?? max ?? layers.length - 1];
  if (percentile !== undefined) least = most = atPercentile(layers, percentile);
  else if (difficulty !== undefined) {
    const range = named(source, String(difficulty));
    least = most = range.min + draw(range.max - range.min + 1, keyed(`from ${range.min} to ${range.max} `));
  } else if (distance === undefined && !ranged) return scrambled(source, await states.any(keyed("")));
  if (least > Math.min(most, layers.length - 1)) {
    throw invalid(`no state of ${source.name} has a distance from ${least} to ${most}`, `distances go from 0 to ${layers.length - 1}`);
  }
  most = Math.min(most, layers.length - 1);
  const rank = draw(total(layers.slice(least, most + 1)), keyed(`${least} ${most} `));
  return scrambled(source, await states.ranked(least, most, rank));
}

/** @param {string} daily */
function dayOf(daily) {
  if (daily === "today") return new Date().toISOString().slice(0, 10);
  const date = new Date(daily);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== daily) throw invalid(`there is no day ${quoted(daily)}`, "a day is written YYYY-MM-DD, or today");
  return daily;
}

/** The states by their numbers. */
class Numbered {
  /** @param {Table} source */
  constructor(source) {
    const { draws, digest } = source.header;
    this.source = source;
    this.draws = draws;
    this.counts = new Blocks(source.folder, draws.counts, digest);
  }

  /** @param {number} number */
  state(number) {
    const { ranking, header } = this.source;
    return { codes: ranking.unrank(number), letters: header.states.alphabet };
  }

  /** A state that can reach the goal, each equally likely. @param {string | null} key */
  async any(key) {
    for (let tried = 0; tried < TRIES; tried++) {
      const state = this.state(draw(this.draws.size, key && `${key} ${tried}`));
      if (((await this.source.distances([state]))[0] ?? -1) >= 0) return state;
    }
    const { layers } = this.source.header.histogram;
    return this.ranked(0, layers.length - 1, draw(total(layers), key && `${key} ${TRIES}`));
  }

  /**
   * The state of a rank among those at some distances, in the order of numbers; at -1 those that cannot reach the goal.
   * @param {number} least @param {number} most @param {number} rank
   */
  async ranked(least, most, rank) {
    const { block, size } = this.draws;
    const ranges = Math.ceil(size / block);
    const rows = most < 0 ? [this.source.header.histogram.layers.length] : span(least, most + 1);
    const counts = await Promise.all(rows.map((row) => this.counts.values(span(row * ranges, (row + 1) * ranges))));
    let [range, left] = [0, rank];
    for (; range < ranges; range++) {
      const here = total(counts.map((row) => row[range] ?? 0));
      if (left < here) break;
      left -= here;
    }
    const states = span(range * block, Math.min((range + 1) * block, size)).map((number) => this.state(number));
    const distances = await this.source.distances(states);
    const found = states.find((_, at) => least <= (distances[at] ?? -1) && (distances[at] ?? -1) <= most && left-- === 0);
    if (!found) throw invalid(`no state of ${this.source.name} has this rank`, "publish the table once more");
    return found;
  }
}

/** From solved, or from the start of a game that can be lost. @param {Table} source @param {number} turns @param {string | null} key */
async function turned(source, turns, key) {
  const { one_way, solved, start } = source.header;
  let state = source.read((one_way ? undefined : solved[0]) ?? start);
  let near = new Set();
  const scramble = [];
  for (let number = 0; number < turns; number++) {
    const legal = source.moves(state);
    if (legal.length === 0) break;
    const free = legal.filter((next) => !near.has(source.text(next.state)));
    const from = free.length > 0 ? free : legal;
    const next = /** @type {Next} */ (from[draw(from.length, key && `${key} ${number}`)]);
    near = new Set([{ state }, ...legal].map((each) => source.text(each.state)));
    state = next.state;
    scramble.push(next.move);
  }
  return told(source, state, "turns", scramble);
}

/** A shortest solution reversed, whose letters the state has. @param {Table} source @param {Read} found */
async function scrambled(source, found) {
  const [distance = -1] = await source.distances([found]);
  if (source.header.one_way || distance < 0 || distance > SCRAMBLE) return told(source, found, "uniform", null);
  const passed = [found, ...(await solution(source, found, distance, distance)).map((next) => next.state)];
  const [end = -1, ...path] = passed.reverse().map((each) => source.number(each));
  const solved = source.header.solved.map((text) => source.read(text)).find((each) => source.number(each) === end);
  let state = solved ?? { codes: source.ranking.unrank(end), letters: source.header.states.alphabet };
  const scramble = [];
  for (const to of path) {
    const next = source.moves(state).find((each) => source.number(each.state) === to);
    if (!next) return told(source, found, "uniform", null); // no move takes this one back
    scramble.push(next.move);
    state = next.state;
  }
  return told(source, state, "uniform", scramble);
}

/** @param {Table} source @param {Read} state @param {string} how @param {string[] | null} scramble */
async function told(source, state, how, scramble) {
  const [distance = -1] = await source.distances([state]);
  const { layers } = source.header.histogram;
  const percentile = distance >= 0 ? (100 * total(layers.slice(0, distance + 1))) / total(layers) : null;
  const difficulty = source.header.about.difficulties.find(({ min, max }) => min <= distance && distance <= max)?.name ?? null;
  return { ...about(source, source.text(state), distance), drawn: how, percentile, difficulty, scramble };
}

/** A word without a range means the one before it. @param {Table} source @param {string} name */
function named({ header }, name) {
  const { difficulties, levels } = header.about;
  if (header.histogram.layers.length < 2) return { min: 1, max: 1 };
  const meant = WORDS.includes(name) ? WORDS.slice(0, WORDS.indexOf(name) + 1) : [name];
  const found = [...difficulties, ...levels].findLast((each) => meant.includes(each.name));
  if (found) return found;
  const last = `${levels.length}, which is distance ${header.histogram.layers.length - 1}`;
  throw invalid(`no difficulty is ${quoted(name)}`, `give one of ${WORDS.join(", ")}, or a level from 1 to ${last}`);
}

/** @param {number[]} layers @param {number} percentile */
function atPercentile(layers, percentile) {
  const [reached, upTo] = [total(layers), layers.map((_, far) => total(layers.slice(0, far + 1)))];
  return upTo.findIndex((states) => (100 * states) / reached >= percentile);
}

/** By a hash of the key, or without one by the system. @param {number} below @param {string | null} key */
function draw(below, key) {
  const bytes = key === null ? crypto.getRandomValues(new Uint8Array(32)) : blake2b(new TextEncoder().encode(key));
  return Number(bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) % BigInt(below));
}

/** @param {number[]} counts */
function total(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param {number} from @param {number} to */
function span(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
