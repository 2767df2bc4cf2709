/** The browser keeps what help was shown for a day, so that no second tab earns the star again. */

import { store, stored } from "./storage.js";

const KEY = "puzzlebase-help";
const DAY = 24 * 60 * 60 * 1000;
const MOST = 200;

/** @param {Puzzle} puzzle @param {string} state */
export function helpGiven(puzzle, state) {
  const position = positionOf(puzzle, state);
  return noted().find((each) => each.position === position)?.levels ?? [];
}

/** @param {Puzzle} puzzle @param {Game} game @param {number} level */
export function noteHelp(puzzle, { start, state }, level) {
  let notes = noted();
  for (const position of new Set([positionOf(puzzle, start), positionOf(puzzle, state)])) {
    const levels = notes.find((each) => each.position === position)?.levels ?? [];
    notes = notes.filter((each) => each.position !== position);
    notes.push({ position, until: Date.now() + DAY, levels: [...new Set([...levels, level])] });
  }
  store("localStorage", KEY, notes.slice(-MOST));
}

function noted() {
  const notes = stored("localStorage", KEY);
  return /** @type {Noted[]} */ (Array.isArray(notes) ? notes : []).filter(({ until }) => until > Date.now());
}

/** @param {Puzzle} puzzle @param {string} state */
function positionOf({ service, name, goal }, state) {
  return `${service.base.href} ${name} ${goal ?? ""} ${state}`;
}
