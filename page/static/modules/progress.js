/** What this browser keeps of its player: solved games, the best of each difficulty, days in a row. */

/** @typedef {{ stars: number, wasted: number | null }} Best */
/** @typedef {{ solved: Record<string, number>, best: Record<string, Best>, last: { puzzle: string, query: string }[], daily: { day: string, days: number, of: string[] } }} Progress
 *   `of` are the puzzles whose daily game was solved that day */
/** @typedef {{ difficulty?: string, daily?: string, scramble?: string[] | null | undefined }} Kind what a game was begun as; the scramble if it is known */

import { store, stored } from "./storage.js";

const PLACE = "puzzlebase";
const LISTED = 4;
const DAY = 86_400_000;

/** Today in UTC, as 2026-11-25. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/** The progress stored in this browser. @returns {Progress} */
export function progress() {
  const { solved, best, last, daily } = stored(() => localStorage, PLACE) ?? {};
  return { solved: { ...solved }, best: { ...best }, last: Array.isArray(last) ? last : [], daily: { day: "", days: 0, of: [], ...daily } };
}

/**
 * Note where a puzzle was left, for the first page.
 * @param {string} puzzle
 * @param {string} query
 */
export function noteLeft(puzzle, query) {
  const known = progress();
  known.last = [{ puzzle, query }, ...known.last.filter((each) => each.puzzle !== puzzle)].slice(0, LISTED);
  store(() => localStorage, PLACE, known);
}

/**
 * Note a solved game. A daily one of today counts once a day.
 * @param {string} puzzle
 * @param {string} difficulty
 * @param {Best | null} result null where it is no feat, as after the whole solution was shown
 * @param {string | undefined} daily the day of a daily game
 * @returns {{ best: Best | null, better: boolean, days: number }} the best so far, whether it was beaten, days in a row
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
  store(() => localStorage, PLACE, known);
  return { best: known.best[key] ?? null, better: better && before !== null, days: daily === today() ? known.daily.days : 0 };
}

/**
 * Days in a row up to today or yesterday on which a daily game was solved.
 * @param {Progress} known
 */
export function daysInARow({ daily }) {
  return Date.parse(today()) - Date.parse(daily.day) <= DAY ? daily.days : 0;
}

/**
 * The name under which a game's kind is kept.
 * @param {{ name: string, goal: string | null }} puzzle
 * @param {string} start
 */
export function gameOf({ name, goal }, start) {
  return [name, goal ?? "", start].join(" ");
}

/**
 * What the game with this start was begun as, in this tab.
 * @param {string} game the puzzle, the goal and the start
 * @returns {Kind}
 */
export function kindOf(game) {
  return stored(() => sessionStorage, `begun ${game}`) ?? {};
}

/**
 * @param {string} game
 * @param {Kind} kind
 */
export function noteKind(game, kind) {
  store(() => sessionStorage, `begun ${game}`, kind);
}

/** More stars are better, then fewer wasted moves. @param {Best} best */
function rank({ stars, wasted }) {
  return stars - Math.min(wasted ?? 1000, 1000) / 10_000;
}
