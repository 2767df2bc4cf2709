/** What help was shown of which positions: the browser keeps it for a day, so that no second tab earns the star again. */

/** @import { PuzzleClient } from "./answers.js" */
/** @import { Game } from "./game.js" */
import { store, stored } from "./storage.js";

/** @typedef {{ position: string, until: number, levels: number[] }} Noted */

const KEY = "puzzlebase-help";
const DAY = 24 * 60 * 60 * 1000;
const MOST = 200;

/**
 * The levels of help that were shown of a position.
 * @param {PuzzleClient} puzzle
 * @param {string} state
 */
export function helpGiven(puzzle, state) {
  const position = positionOf(puzzle, state);
  return noted().find((each) => each.position === position)?.levels ?? [];
}

/**
 * Note help for where a game is and where it began. The oldest notes go first.
 * @param {PuzzleClient} puzzle
 * @param {Game} game
 * @param {number} level
 */
export function noteHelp(puzzle, { start, state }, level) {
  let notes = noted();
  for (const position of new Set([positionOf(puzzle, start), positionOf(puzzle, state)])) {
    const levels = notes.find((each) => each.position === position)?.levels ?? [];
    notes = notes.filter((each) => each.position !== position);
    notes.push({ position, until: Date.now() + DAY, levels: [...new Set([...levels, level])] });
  }
  store(() => localStorage, KEY, notes.slice(-MOST));
}

function noted() {
  const notes = stored(() => localStorage, KEY);
  return /** @type {Noted[]} */ (Array.isArray(notes) ? notes : []).filter(({ until }) => until > Date.now());
}

/**
 * @param {PuzzleClient} puzzle
 * @param {string} state
 */
function positionOf({ service, name, goal }, state) {
  return `${service.base.href} ${name} ${goal ?? ""} ${state}`;
}
