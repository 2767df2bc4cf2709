import { brief, html, number } from "./dom.js";
import { backButton, movesBack } from "./lost.js";
import { unknown } from "./truth.js";

/** @param {HTMLElement} element @param {Player} player @param {Lookup} found */
export function showTiles(element, player, found) {
  const distance = html("p", { class: "distance" }, ...distanceOf(found));
  if (found.lost) movesBack(player).then((moves) => distance.append(" ", backButton(player, moves)));
  const lost = found.moves.some((move) => move.lost) ? " × can no longer be won." : "";
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
  const [tone, sign, meaning] = toneOf(move);
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

/** @param {Move} move */
function toneOf({ delta, lost }) {
  if (lost) return ["lost", "×", "can no longer be won"];
  if (delta === null) return ["unknown", "?", "not known"];
  if (delta < 0) return ["nearer", `−${-delta}`, "nearer"];
  return delta === 0 ? ["level", "0", "as far"] : ["farther", `+${delta}`, "farther"];
}
