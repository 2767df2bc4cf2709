/** The first page: search, the position of the day, and what this browser's player did last. */

import { dateInWords, daysInARow, progress, today } from "./modules/progress.js";
import { all, byId, counted, html, svg } from "./modules/dom.js";
import { keepForLater } from "./modules/offline.js";

const WORTH_FINDING = 6;

const published = document.querySelector("main")?.dataset["published"] !== undefined;
const find = /** @type {HTMLInputElement} */ (byId("find"));
const groups = all(".group").map((group) => ({ group, folded: group.querySelector("details"), rows: [...group.querySelectorAll("li")] }));
const every = groups.flatMap(({ rows }) => rows);
const apart = all(".today, #last");

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { group, folded, rows } of groups) {
    for (const row of rows) {
      const said = (row.dataset["words"] ?? "").toLowerCase();
      row.hidden = !words.every((word) => said.includes(word));
    }
    const shown = rows.filter((row) => !row.hidden);
    count += shown.length;
    group.hidden = shown.length === 0;
    if (folded) folded.open = words.length > 0 && shown.some((row) => folded.contains(row));
    for (const kin of group.querySelectorAll("h3")) kin.hidden = shown.every((row) => row.parentElement !== kin.nextElementSibling);
  }
  for (const each of apart) each.hidden = words.length > 0 || each.querySelector("a") === null;
  const told = count > 0 ? counted(count, "puzzle") : `No puzzle is called ${find.value.trim()}.`;
  byId("found").textContent = words.length > 0 ? told : "";
}

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !find.value.trim()) return;
  every.find((row) => !row.hidden)?.querySelector("a")?.click();
});
byId("find-bar").hidden = every.length < WORTH_FINDING;

const known = progress();
for (const row of every) {
  const times = known.solved[row.dataset["puzzle"] ?? ""];
  if (times) row.querySelector(".row-title")?.append(solvedMark(times));
}
const list = document.querySelector("#last ul");
for (const { puzzle, query } of known.last) {
  const row = every.find((each) => each.dataset["puzzle"] === puzzle);
  const copy = row && /** @type {HTMLElement} */ (row.cloneNode(true));
  const link = copy?.querySelector("a");
  if (!copy || !link) continue;
  link.search = query;
  list?.append(copy);
}
filter();

const [card] = all(".today");
if (card) {
  await choose(card, today());
  byId("next-day").textContent = `The next one comes within ${counted(24 - new Date().getUTCHours(), "hour")}.`;
  byId("archive").addEventListener("toggle", showArchive, { once: true });
}

async function showArchive() {
  const { calendar, showResults } = await import("./modules/calendar.js");
  calendar(byId("month"), bestOf, (day) => card && choose(card, day));
  showResults(byId("results"));
}

/** The stars of the best daily game of a day. @param {string} day */
function bestOf(day) {
  const stars = Object.values(known.days[day] ?? {});
  return stars.length > 0 ? Math.max(...stars) : undefined;
}

/** @param {string} day @param {string} puzzle */
function whatCameOf(day, puzzle) {
  const stars = known.days[day]?.[puzzle];
  const days = daysInARow(known);
  if (day !== today()) return stars === undefined ? "" : `You solved it, with ${stars} of 3 stars.`;
  if (days === 0) return "";
  if (known.daily.day !== day) return `${counted(days, "day")} in a row; today’s game is still to be solved.`;
  if (!known.daily.of.includes(puzzle)) return `${counted(days, "day")} in a row, with another daily game today.`;
  return days > 1 ? `${counted(days, "day")} in a row, with today.` : "You solved it today.";
}

/** @param {number} times */
function solvedMark(times) {
  const mark = svg("svg", { class: "mark", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: "m4 10.5 4 4 8-9" }));
  const words = `solved ${times === 1 ? "once" : counted(times, "time")}`;
  return html("span", { class: "done", title: words }, mark, html("span", { class: "unseen" }, ` ${words}`));
}

/** The puzzle of a day is that of the least hash of the day and its name. @param {HTMLElement} place @param {string} day */
async function choose(place, day) {
  const { blake2b } = await import("./source/blake2b.js");
  const tables = every.filter((row) => row.dataset["table"] !== undefined);
  const hashed = tables.map((row) => ({ row, hash: String.fromCharCode(...blake2b(new TextEncoder().encode(`${day} ${nameOf(row)}`))) }));
  const row = hashed.sort((one, other) => (one.hash < other.hash ? -1 : 1))[0]?.row;
  const link = row?.querySelector("a");
  if (!row || !link) return;
  const puzzle = nameOf(row);
  Object.assign(place.dataset, { puzzle, day });
  place.querySelector("img")?.setAttribute("src", row.querySelector("img")?.getAttribute("src") ?? "");
  byId("which-day").textContent = day === today() ? "Today’s puzzle" : `Puzzle of ${dateInWords(day, "numeric")}`;
  byId("day-title").textContent = row.querySelector(".row-title")?.firstChild?.textContent ?? "";
  byId("day-text").textContent = row.querySelector(".row-line")?.textContent ?? "";
  const streak = byId("streak");
  streak.textContent = whatCameOf(day, puzzle);
  streak.hidden = streak.textContent === "";
  place.querySelector("a")?.setAttribute("href", `${link.getAttribute("href")}?daily=${day}`);
  place.classList.remove("choosing");
  if (!published) showDay(place, `v1/puzzles/${puzzle}`, day).catch(() => null);
}

/** @param {HTMLElement} row */
function nameOf(row) {
  return row.dataset["puzzle"] ?? "";
}

/** @param {HTMLElement} place @param {string} path @param {string} day */
async function showDay(place, path, day) {
  const drawn = await fetch(`${path}/random?daily=${day}&difficulty=medium`);
  if (!drawn.ok) return;
  const { state } = await drawn.json();
  if (place.dataset["day"] === day) place.querySelector("img")?.setAttribute("src", `${path}/picture?${new URLSearchParams({ state })}`);
}

/** HEAD goes past what the browser keeps. */
const unreached = () => byId("offline").hidden = false;
fetch("app.webmanifest", { method: "HEAD", cache: "no-store" }).catch(unreached);
keepForLater(new URL("./", location.href));
