import { store, stored } from "./storage.js";

const PLACE = "puzzlebase";
const LISTED = 4;
const DAY = 86_400_000;

export function today() {
  return new Date().toISOString().slice(0, 10);
}

/** @returns {Progress} */
export function progress() {
  const { solved, best, last, daily } = stored("localStorage", PLACE) ?? {};
  return { solved: { ...solved }, best: { ...best }, last: Array.isArray(last) ? last : [], daily: { day: "", days: 0, of: [], ...daily } };
}

/** @param {string} puzzle @param {string} query */
export function noteLeft(puzzle, query) {
  const known = progress();
  known.last = [{ puzzle, query }, ...known.last.filter((each) => each.puzzle !== puzzle)].slice(0, LISTED);
  store("localStorage", PLACE, known);
}

/**
 * A daily game of today counts once a day. No result where it is no feat, as after the whole solution was shown.
 * @param {string} puzzle @param {string} difficulty @param {Best | null} result @param {string | undefined} daily
 */
export function noteSolved(puzzle, difficulty, result, daily) {
  const known = progress();
  known.solved[puzzle] = (known.solved[puzzle] ?? 0) + 1;
  const key = `${puzzle} ${difficulty}`;
  const before = known.best[key] ?? null;
  const better = result !== null && (before === null || rank(result) > rank(before));
  if (better) known.best[key] = result;
  if (daily === today()) {
    if (known.daily.day !== daily) known.daily = { day: daily, days: daysInARow(known) + 1, of: [] };
    if (!known.daily.of.includes(puzzle)) known.daily.of.push(puzzle);
  }
  store("localStorage", PLACE, known);
  return { best: known.best[key] ?? null, better: better && before !== null, days: daily === today() ? known.daily.days : 0 };
}

/** @param {Progress} known */
export function daysInARow({ daily }) {
  return Date.parse(today()) - Date.parse(daily.day) <= DAY ? daily.days : 0;
}

/** @param {{ name: string, goal: string | null }} puzzle @param {string} start */
export function gameOf({ name, goal }, start) {
  return [name, goal ?? "", start].join(" ");
}

/** @param {string} game @returns {Kind} */
export function kindOf(game) {
  return stored("sessionStorage", `begun ${game}`) ?? {};
}

/** @param {string} game @param {Kind} kind */
export function noteKind(game, kind) {
  store("sessionStorage", `begun ${game}`, kind);
}

/** @param {Best} best */
function rank({ stars, wasted }) {
  return stars - Math.min(wasted ?? 1000, 1000) / 10_000;
}
