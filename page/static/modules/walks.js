import { boardAfter } from "./motion.js";
import { gameOf, kindOf } from "./progress.js";

const TURNS = 3;

/** A game's own start where it has one. @param {Puzzle} puzzle */
export async function walk(puzzle) {
  let board = await puzzle.board();
  const passed = [board.state];
  while (passed.length <= TURNS && passed[0] === board.solved) {
    /** @type {Board | null} */
    let next = null;
    const moves = board.moves.filter(({ after }) => !passed.includes(after)).sort(() => Math.random() - 0.5);
    for (const move of moves) next ??= boardAfter(board, move) ?? (await puzzle.board(move.after).catch(() => null));
    if (!next) break;
    puzzle.keepBoard((board = next));
    passed.push(next.state);
  }
  return board;
}

/** Seldom the shortest; null where the scramble is not known, or moves do not lead back. @param {Player} player */
export async function wayBack({ game, puzzle }) {
  const { scramble } = kindOf(gameOf(puzzle, game.start));
  if (!scramble) return null;
  const path = [(await puzzle.board()).solved ?? ""];
  for (const name of scramble) {
    const { moves } = await puzzle.board(path[0]);
    path.unshift(moves.find(({ move }) => move === name)?.after ?? "");
  }
  if (path[0] !== game.start) return null;
  path.unshift(...game.passed.slice(1).reverse());
  /** @type {Line} */
  const way = { moves: [], states: [game.state] };
  for (let at = path.lastIndexOf(game.state); at + 1 < path.length; at = path.lastIndexOf(path[at + 1] ?? "")) {
    const { moves } = await puzzle.board(path[at]);
    const back = moves.find(({ after }) => after === path[at + 1]);
    if (!back) return null;
    way.moves.push(back.move);
    way.states.push(back.after);
  }
  return way;
}
