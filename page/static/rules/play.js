import { Problem } from "../modules/problem.js";
import { quoted } from "./errors.js";

/** @param {Table} source @param {string} start @param {string[]} moves */
export function passed(source, start, moves) {
  let state = source.read(start);
  return [state, ...moves.map((move) => (state = play(source, state, move)))];
}

/** Raises Problem. @param {Table} source @param {Read} state @param {string} move */
export function play(source, state, move) {
  const legal = source.moves(state);
  const found = legal.find((next) => next.move === move);
  if (!found) throw illegal(source, legal, source.text(state), move);
  return found.state;
}

/**
 * In the service's words but for why a legal name is none here.
 * @param {Table} source @param {Next[]} legal @param {string} text @param {string} move
 */
function illegal({ header: { about, no_move } }, legal, text, move) {
  const names = legal.map((each) => each.move);
  let [detail, hint] = [`${move} is not legal in ${quoted(text)}`, `legal moves are: ${names.join(" ")}`];
  if (no_move === null) [detail, hint] = [`${quoted(move)} is not legal in ${quoted(text)}`, `legal moves are: ${names.join(", ") || "none"}`];
  else if (about.moves.every((each) => each.move !== move)) [detail, hint] = [no_move[0].replace("'?'", () => quoted(move)), no_move[1]];
  return new Problem({ type: "illegal-move", title: "Illegal move", status: 400, detail, hint });
}
