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
  if (!found) throw illegal(legal, source.text(state), move);
  return found.state;
}

/** @param {Next[]} legal @param {string} text @param {string} move */
function illegal(legal, text, move) {
  const detail = `${quoted(move)} is not legal in ${quoted(text)}`;
  const hint = `legal moves are: ${legal.map((each) => each.move).join(" ") || "none"}`;
  return new Problem({ type: "illegal-move", title: "Illegal move", status: 400, detail, hint });
}
