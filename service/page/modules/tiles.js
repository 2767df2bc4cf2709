/** Every move as a coloured tile: nearer, as far, farther, with the state it leads to. */

/** @import { Lookup, Move } from "./answers.js" */
/** @import { Player } from "./player.js" */
import { html, number } from "./dom.js";
import { unknown } from "./hints.js";

/** The class and the sign of a tile, by the change of distance. @type {Record<string, [string, string]>} */
const TONES = { "-1": ["nearer", "−1"], 0: ["level", "0"], 1: ["farther", "+1"] };

/**
 * Fill an element with the distance and the tiles of a lookup.
 * @param {HTMLElement} element
 * @param {Player} player
 * @param {Lookup} found
 */
export function showTiles(element, player, found) {
  element.replaceChildren(
    html("p", { class: "distance" }, ...distanceOf(found)),
    html("ul", { class: "tiles", role: "list" }, ...found.moves.map((move) => html("li", {}, tileOf(move, player)))),
  );
}

/** @param {Lookup} found */
function distanceOf(found) {
  if (found.distance === null) return [unknown(found)];
  if (found.distance === 0) return ["This is solved."];
  return [html("strong", {}, number(found.distance)), ` move${found.distance === 1 ? "" : "s"} from solved`];
}

/**
 * @param {Move} move
 * @param {Player} player
 */
function tileOf(move, player) {
  const [tone, sign] = toneOf(move.delta);
  const show = () => {
    const drawn = player.board?.moves.find((each) => each.move === move.move);
    if (drawn && !player.lent) player.view.mark([], drawn, tone);
  };
  const hide = () => {
    if (!player.lent) player.view.mark([]);
  };
  return html(
    "button",
    {
      type: "button",
      class: `tile ${tone}`,
      title: `${move.move}: ${meaningOf(move.delta)}`,
      click: () => player.play(move.move),
      pointerenter: show,
      pointerleave: hide,
      focus: show,
      blur: hide,
    },
    html("span", { class: "name" }, move.move),
    html("span", { class: "delta" }, sign),
    html("span", { class: "leads" }, move.state),
    html("span", { class: "far" }, move.distance === null ? "?" : number(move.distance)),
    html("span", { class: "unseen" }, ` from solved, ${meaningOf(move.delta)}`),
  );
}

/** @param {number | null} delta */
function toneOf(delta) {
  if (delta === null) return ["unknown", "?"];
  return TONES[delta] ?? ["farther", `+${delta}`];
}

/** @param {number | null} delta */
function meaningOf(delta) {
  if (delta === null) return "not known";
  return delta < 0 ? "nearer" : delta === 0 ? "as far" : "farther";
}
