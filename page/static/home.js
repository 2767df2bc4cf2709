/** The first page: search as one types, the position of the day, and what this browser's player did last. */

import { daysInARow, kept } from "./modules/progress.js";
import { counted } from "./modules/dom.js";
import { keepForLater } from "./modules/offline.js";

const find = /** @type {HTMLInputElement} */ (document.querySelector("#find"));
const groups = [...document.querySelectorAll(".group")].map((group) => ({
  group: /** @type {HTMLElement} */ (group),
  folded: group.querySelector("details"),
  rows: /** @type {HTMLElement[]} */ ([...group.querySelectorAll("li")]),
}));
const apart = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".today, #last")]);

/** Show the puzzles that have every word. */
function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { group, folded, rows } of groups) {
    for (const row of rows) row.hidden = !words.every((word) => row.dataset["words"]?.toLowerCase().includes(word));
    const shown = rows.filter((row) => !row.hidden);
    count += shown.length;
    group.hidden = shown.length === 0;
    if (folded) folded.open = words.length > 0 && shown.some((row) => folded.contains(row));
  }
  for (const each of apart) each.hidden = words.length > 0 || each.querySelector("a") === null;
  const told = count > 0 ? counted(count, "puzzle") : `No puzzle is called ${find.value.trim()}.`;
  /** @type {HTMLElement} */ (document.querySelector("#found")).textContent = words.length > 0 ? told : "";
}

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !find.value.trim()) return;
  groups.flatMap(({ rows }) => rows).find((row) => !row.hidden)?.querySelector("a")?.click();
});
/** @type {HTMLElement} */ (document.querySelector("#find-bar")).hidden = false;

const known = kept();
const list = document.querySelector("#last ul");
for (const { puzzle, query } of known.last) {
  const row = groups.flatMap(({ rows }) => rows).find((each) => each.dataset["puzzle"] === puzzle);
  const copy = row && /** @type {HTMLElement} */ (row.cloneNode(true));
  const link = copy?.querySelector("a");
  if (!copy || !link) continue;
  link.search = query;
  list?.append(copy);
}
filter();

const daily = /** @type {HTMLElement | null} */ (document.querySelector(".today"));
if (daily) {
  const { puzzle, day = "" } = daily.dataset;
  const streak = /** @type {HTMLElement} */ (daily.querySelector("#streak"));
  const days = daysInARow(known);
  streak.hidden = days === 0;
  if (known.daily.day !== day) streak.textContent = `${counted(days, "day")} in a row; today’s game is still to be solved.`;
  else streak.textContent = days > 1 ? `${counted(days, "day")} in a row, with today.` : "You solved a daily game today.";
  showDay(`v1/puzzles/${puzzle}`, day).catch(() => null);
}

/**
 * Show the position of the day in place of the goal.
 * @param {string} path of the puzzle
 * @param {string} day
 */
async function showDay(path, day) {
  const drawn = await fetch(`${path}/random?daily=${day}&difficulty=medium`);
  if (!drawn.ok) return;
  const { state } = await drawn.json();
  daily?.querySelector("img")?.setAttribute("src", `${path}/picture?${new URLSearchParams({ state })}`);
}

keepForLater(new URL("./", location.href));
