import { legsOf } from "./motion.js";

const ARROWS = new Map([
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
]);
const WAIT = 900;

/** @param {string} key */
export function isTyped(key) {
  return key.length === 1 || key === "Enter" || key === "Backspace" || ARROWS.has(key);
}

/** A name that begins a longer one waits a moment, or for Enter. @param {Player} player */
export function typedMoves(player) {
  let typed = "";
  let timer = 0;

  /** Tells whether the key meant something here. @param {string} key */
  function take(key) {
    const arrow = ARROWS.get(key);
    if (arrow) return slide(arrow[0] ?? 0, arrow[1] ?? 0);
    if (key === "Enter") return typed !== "" && (named(typed) ? make(named(typed)) : unknown(typed));
    if (key === "Backspace" && typed) return keep(typed.slice(0, -1));
    if (key === "Escape") return typed !== "" && keep("");
    if (key.length !== 1) return false;
    for (const keys of [typed + key, key]) {
      const possible = player.legal.filter(({ move }) => move.toLowerCase().startsWith(keys.toLowerCase()));
      if (possible.length === 0) continue;
      if (possible.length === 1 && named(keys)) return make(possible[0]);
      return keep(keys);
    }
    return unknown(typed + key);
  }

  /** @param {string} keys */
  function unknown(keys) {
    if (keys.trim() && player.legal.length > 0) player.tell("told", `No move begins with ${keys} here.`);
    return keep("");
  }

  /** @param {string} keys */
  function named(keys) {
    return player.legal.find(({ move }) => move.toLowerCase() === keys.toLowerCase());
  }

  /** @param {BoardMove | undefined} move */
  function make(move) {
    keep("");
    if (move) player.make(move);
    return move !== undefined;
  }

  /** @param {string} keys */
  function keep(keys) {
    clearTimeout(timer);
    typed = keys;
    player.tell("typed", keys);
    const move = named(keys);
    if (move) timer = setTimeout(() => make(move), WAIT);
    return keys !== "";
  }

  /** @param {number} x @param {number} y */
  function slide(x, y) {
    const there = player.legal.filter((move) => {
      const legs = legsOf(move.motions?.length === 1 ? (move.motions[0]?.slide ?? []) : []);
      const [dx, dy] = legs[0] ?? [0, 0];
      return legs.length === 1 && Math.sign(dx) === x && Math.sign(dy) === y;
    });
    return there.length === 1 && make(there[0]);
  }

  return take;
}
