import { counted, html, number, svg } from "./dom.js";
import { starsOf } from "../rules/stars.js";

/** The service's grade, or what distances that are known here give while the connection is down. @param {Player} player */
export async function worthOf(player) {
  player.recall();
  const { game, puzzle } = player;
  const [start, moves, hints] = [game.start, game.made, [...game.hints]];
  try {
    const { stars, length, optimal_length: fewest, wasted } = await puzzle.grade(start, moves, { hints });
    return { stars, length, fewest, wasted, hints };
  } catch {
    const fewest = puzzle.knownDistance(start) ?? null;
    const wasted = fewest === null ? null : BigInt(moves.length) - BigInt(fewest);
    return { stars: starsOf(wasted ?? Infinity, hints), length: moves.length, fewest, wasted, hints };
  }
}

/** @param {Worth} worth */
export function sentence({ length, fewest, wasted, hints }) {
  const solved = `Solved in ${counted(length, "move")}`;
  const most = Math.max(0, ...hints);
  const help = most === 4 ? " You were shown the solution." : most === 3 ? " You were shown a move." : "";
  if (wasted === null) return `${solved}.${help}`;
  if (fewest === null) return `${solved}; at most ${counted(wasted, "move")} went to waste.${help}`;
  if (Number(wasted) <= 0) return `${solved}, the fewest there are.${help}`;
  return `${solved}; the fewest are ${number(fewest)}, so ${counted(wasted, "move")} went to waste.${help}`;
}

/** @param {number} stars */
export function starRow(stars) {
  const row = [1, 2, 3].map((star) => svg("path", { class: star <= stars ? "full" : "empty", d: STAR, transform: `translate(${22 * star - 11} 11)` }));
  return html("span", { class: "stars", part: "stars", role: "img", "aria-label": `${stars} of 3 stars` }, svg("svg", { viewBox: "0 0 66 22", "aria-hidden": "true" }, ...row));
}

/** What leads to a game says what came of it. @param {HTMLElement} link @param {string} name @param {number | undefined} stars */
export function markStars(link, name, stars) {
  link.querySelector(".stars")?.remove();
  if (stars !== undefined) link.append(starRow(stars));
  link.setAttribute("aria-label", stars === undefined ? name : `${name}, ${stars} of 3 stars`);
}

const STAR = "M0 -9.00L2.47 -3.40L8.56 -2.78L3.99 1.30L5.29 7.28L0 4.20L-5.29 7.28L-3.99 1.30L-8.56 -2.78L-2.47 -3.40Z";
