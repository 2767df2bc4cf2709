/** New positions: of a named difficulty, of the day, the farthest, or at a distance. */

/** @import { About, Random } from "./answers.js" */
/** @import { Puzzle } from "./client.js" */
import { counted, html } from "./dom.js";

const FARTHEST = 1000;

/**
 * Buttons for new positions.
 * @param {About} about
 * @param {(state: Promise<string>) => void} chosen
 * @param {Puzzle} puzzle
 * @returns {HTMLElement[]}
 */
export function newPositions(about, puzzle, chosen) {
  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => Promise<string>} */ ask) =>
    html("button", { type: "button", title, click: () => chosen(ask()) }, text);
  const drawn = (/** @type {object} */ fields) => puzzle.random(fields).then((/** @type {Random} */ { state }) => state);
  const start = button("Start", "where play begins", async () => (await puzzle.board()).state);
  const daily = button("Daily", "the same for everyone today", () => drawn({ daily: "today" }));
  if (about.table === null || about.gods_number === null) {
    return [start, button("Scramble", "a random position", () => drawn({})), daily];
  }
  const levels = about.difficulties.map(({ name, distance }) =>
    button(capital(name), distance === null ? name : `${counted(distance, "move")} from solved`, () => drawn({ difficulty: name })),
  );
  return [start, ...levels, daily, button("Farthest", "one of the states farthest from solved", () => farthest(puzzle))];
}

/**
 * One of the farthest states, at random.
 * @param {Puzzle} puzzle
 */
async function farthest(puzzle) {
  const { states } = await puzzle.antipodes({ limit: FARTHEST });
  return states[Math.floor(Math.random() * states.length)] ?? "";
}

/** @param {string} name */
function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
