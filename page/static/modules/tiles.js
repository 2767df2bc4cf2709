
import { brief, html, number } from "./dom.js";
import { backButton, movesBack } from "./lost.js";
import { unknown } from "./truth.js";

/** @type {Record<string, [string, string]>} */
const TONES = { "-1": ["nearer", "−1"], 0: ["level", "0"], 1: ["farther", "+1"] };

/** @type {[string, string]} */
const LOST = ["lost", "×"];

/** @param {HTMLElement} element @param {Player} player @param {Lookup} found */
export function showTiles(element, player, found) {
  const distance = html("p", { class: "distance" }, ...distanceOf(found));
  if (found.lost) movesBack(player).then((moves) => distance.append(" ", backButton(player, moves)));
  const lost = found.moves.some((move) => move.lost) ? ` ${LOST[1]} can no longer be won.` : "";
  element.replaceChildren(
    distance,
    html("ul", { class: "tiles", role: "list" }, ...found.moves.map((move) => html("li", {}, tileOf(move, player)))),
    html("p", { class: "soft legend", "aria-hidden": "true" }, "−1 is nearer, 0 as far, +1 farther; the last number is the distance then." + lost),
  );
}

/** @param {Lookup} found */
function distanceOf(found) {
  if (found.distance === null) return [unknown(found)];
  if (found.distance === 0) return ["This is solved."];
  return [html("strong", {}, number(found.distance)), ` move${found.distance === 1 ? "" : "s"} from solved`];
}

/** @param {Move} move @param {Player} player */
function tileOf(move, player) {
  const [tone, sign] = move.lost ? LOST : toneOf(move.delta);
  const meaning = move.lost ? "can no longer be won" : meaningOf(move.delta);
  return html(
    "button",
    {
      type: "button",
      class: `tile ${tone}`,
      title: `${move.move}: ${meaning}`,
      click: () => player.press(move.move),
      ...player.pointing(move.move, tone),
    },
    html("span", { class: "name" }, move.move),
    html("span", { class: "delta" }, sign),
    html("span", { class: "leads" }, move.state),
    html("span", { class: "far" }, move.distance === null ? (move.lost ? "" : "?") : brief(move.distance)),
    html("span", { class: "unseen" }, move.lost ? meaning : ` from solved, ${meaning}`),
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
