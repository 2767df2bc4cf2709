import { store, stored } from "./storage.js";

const PLACE = "puzzlebase";
const LISTED = 4;
const DAY = 86_400_000;
/** Moves that a game wasted; the last stands for more, too. */
const MOST_WASTED = 6;

export function today() {
  return new Date().toISOString().slice(0, 10);
}

/** As November 2026, or 3 November 2026. @param {string} date @param {"numeric"} [day] */
export function dateInWords(date, day) {
  return new Date(date).toLocaleDateString("en-GB", { day, month: "long", year: "numeric", timeZone: "UTC" });
}

/** @returns {Progress} */
export function progress() {
  const { solved, best, last, daily, longest, days, wasted } = stored("localStorage", PLACE) ?? {};
  const streak = { day: "", days: 0, of: [], ...daily };
  return {
    solved: { ...solved },
    best: { ...best },
    last: Array.isArray(last) ? last : [],
    daily: streak,
    longest: Math.max(longest ?? 0, streak.days),
    days: { ...days },
    wasted: Array.from({ length: MOST_WASTED + 1 }, (_, moves) => wasted?.[moves] ?? 0),
  };
}

/** @param {string} puzzle @param {string} query */
export function noteLeft(puzzle, query) {
  const known = progress();
  known.last = [{ puzzle, query }, ...known.last.filter((each) => each.puzzle !== puzzle)].slice(0, LISTED);
  store("localStorage", PLACE, known);
}

/**
 * A daily game of today counts once a day. It is no feat where the whole solution was shown.
 * @param {string} puzzle @param {string} difficulty @param {Best} result @param {boolean} feat @param {string | undefined} daily
 */
export function noteSolved(puzzle, difficulty, result, feat, daily) {
  const known = progress();
  known.solved[puzzle] = (known.solved[puzzle] ?? 0) + 1;
  const key = `${puzzle} ${difficulty}`;
  const before = known.best[key] ?? null;
  const better = feat && (before === null || rank(result) > rank(before));
  if (better) known.best[key] = result;
  if (feat && result.wasted !== null) {
    const moves = Math.min(Math.max(result.wasted, 0), MOST_WASTED);
    known.wasted[moves] = (known.wasted[moves] ?? 0) + 1;
  }
  if (daily) {
    const stars = known.days[daily]?.[puzzle] ?? 0;
    known.days[daily] = { ...known.days[daily], [puzzle]: Math.max(stars, result.stars) };
  }
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
