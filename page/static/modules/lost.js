import { button, counted } from "./dom.js";

/** The fewest moves to take back until a lost game can be won; null where none help, or nobody knows. @param {Player} player */
export async function movesBack({ game, puzzle }) {
  const { state, start, made } = game;
  const found = await puzzle.hint(start, 1, { moves: made }).catch(() => null);
  return game.state === state ? (found?.take_back ?? null) : null;
}

/** @param {Player} player @param {number | null} moves */
export function backButton({ game }, moves) {
  if (!moves) return "";
  return button(backWords(moves), () => game.goTo(game.at - moves), { class: "back", part: "button" });
}

/** @param {number} moves */
export function backWords(moves) {
  return `Take back ${counted(moves, "move")}`;
}
