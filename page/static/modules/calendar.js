/** Daily games by the calendar, and what came of all games. */

import { button, counted, html } from "./dom.js";
import { dateInWords, daysInARow, progress, today } from "./progress.js";
import { markStars } from "./stars.js";

const MONDAY = 6;

/**
 * Days to come cannot be chosen. Returns what shows the month anew.
 * @param {HTMLElement} element @param {(day: string) => number | undefined} starsOf @param {(day: string) => void} choose
 */
export function calendar(element, starsOf, choose) {
  const first = new Date(`${today().slice(0, 7)}-01`);
  const later = button("›", () => turn(1), { "aria-label": "The month after" });
  const title = html("h3", { "aria-live": "polite" });
  const week = html("div", { class: "month soft", "aria-hidden": "true" }, ...Array.from("MTWTFSS", (letter) => html("span", {}, letter)));
  const days = html("ol", { class: "month", role: "list" });
  element.replaceChildren(html("div", { class: "month-bar" }, button("‹", () => turn(-1), { "aria-label": "The month before" }), title, later), week, days);

  /** @param {number} by */
  function turn(by) {
    first.setUTCMonth(first.getUTCMonth() + by);
    show();
  }

  /** @param {string} day */
  function dayButton(day) {
    const stars = starsOf(day);
    const date = dateInWords(day, "numeric");
    const press = button(`${Number(day.slice(8))}`, () => choose(day), { "aria-label": date, "aria-current": day === today() && "date", disabled: day > today() });
    markStars(press, date, stars);
    return html("li", {}, press);
  }

  function show() {
    const month = first.toISOString().slice(0, 7);
    const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    title.textContent = dateInWords(month);
    later.disabled = month === today().slice(0, 7);
    days.replaceChildren(...Array.from({ length: count }, (_, number) => dayButton(`${month}-${String(number + 1).padStart(2, "0")}`)));
    /** @type {HTMLElement} */ (days.firstElementChild).style.gridColumnStart = String(((first.getUTCDay() + MONDAY) % 7) + 1);
  }

  show();
  return show;
}

/** @param {HTMLElement} element */
export function showResults(element) {
  const known = progress();
  const games = Object.values(known.solved).reduce((sum, times) => sum + times, 0);
  const most = Math.max(1, ...known.wasted);
  const rows = known.wasted.map((count, moves) => {
    const more = moves === known.wasted.length - 1 ? " or more" : "";
    const bar = html("progress", { max: most, value: count, "aria-label": `${counted(count, "game")} wasted ${moves}${more}` });
    return html("tr", {}, html("th", { scope: "row" }, `${moves}${more}`), html("td", {}, bar), html("td", {}, String(count)));
  });
  element.replaceChildren(
    html("h3", {}, "Your games"),
    html("p", {}, `${counted(games, "game")} solved. Daily games: ${counted(daysInARow(known), "day")} in a row, ${known.longest} at best.`),
    html("table", { class: "wasted" }, html("caption", {}, "Games by moves wasted, without those whose solution was shown"), html("tbody", {}, ...rows)),
  );
}
