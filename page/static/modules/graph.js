import { brief, html, number, svg } from "./dom.js";
import { firstMistake } from "../rules/stars.js";

const [WIDTH, HEIGHT] = [320, 130];
const [RIGHT, TOP, BOTTOM] = [8, 12, 20];
const DIGIT = 6;

/** @param {HTMLElement} element @param {Player} player */
export function showGraph(element, player) {
  const { game, puzzle } = player;
  if (game.moves.length === 0) {
    element.replaceChildren(html("p", { class: "soft" }, "Each move you make appears here, with the distance after it."));
    return;
  }
  const distances = game.states.map((state) => puzzle.knownDistance(state));
  const known = distances.flatMap((distance, step) => (distance === null || distance === undefined ? [] : [{ distance, step }]));
  const lost = distances.flatMap((distance, step) => (distance === null ? [step] : []));
  if (known.length === 0 && lost.length === 0) {
    element.replaceChildren(html("p", { class: "soft" }, "The distances of this game are not known."));
    return;
  }
  const most = known.reduce((far, { distance }) => (BigInt(distance) > BigInt(far) ? distance : far), /** @type {Count} */ (1));
  const farthest = brief(most);
  const left = 12 + DIGIT * farthest.length;
  const x = (/** @type {number} */ step) => left + ((WIDTH - left - RIGHT) * step) / Math.max(game.moves.length, 1);
  const y = (/** @type {Count} */ distance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Number(distance) / Number(most));
  const mistake = firstMistake(distances);
  const dots = [...known, ...lost.map((step) => ({ distance: null, step }))].map(({ distance, step }) => {
    const wrong = step === mistake || distance === null ? " mistake" : "";
    const here = step === game.at ? " here" : "";
    const r = step === mistake || here ? 5 : 3;
    const far = distance === null ? "lost" : number(distance);
    return svg("circle", { class: `step${wrong}${here}`, cx: x(step), cy: y(distance ?? most), r, click: () => game.goTo(step) },
      svg("title", {}, `${step === 0 ? "start" : `${step}. ${game.moves[step - 1]}`}: ${far}`));
  });
  const drawing = svg(
    "svg",
    { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": described(distances, mistake) },
    svg("path", { class: "axis", d: `M${left} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
    svg("text", { x: left - 8, y: TOP + 4, class: "end" }, farthest),
    svg("text", { x: left - 8, y: HEIGHT - BOTTOM, class: "end" }, "0"),
    svg("text", { x: left, y: HEIGHT - 5 }, "distance from solved, move by move"),
    svg("path", { class: "line", d: known.length === 0 ? "" : `M${known.map(({ distance, step }) => `${x(step)} ${y(distance)}`).join("L")}` }),
    ...dots,
  );
  const wrong = mistake !== null || lost.length > 0;
  element.replaceChildren(drawing, html("p", { class: wrong ? "mistake" : "soft" }, said(player, mistake, lostAt(distances))));
}

/** @param {Player} player @param {number | null} mistake @param {string} lost */
function said({ game, puzzle }, mistake, lost) {
  if (!mistake) return lost || "No mistake so far: every move was a best one.";
  const before = puzzle.knownLookup(game.states[mistake - 1] ?? "");
  const better = before?.moves.filter((move) => move.optimal).map(({ move }) => move) ?? [];
  const instead = better.length > 0 ? ` Better: ${better.join(" or ")}.` : "";
  if (instead) game.help(3);
  return `The first mistake was move ${mistake}, ${game.moves[mistake - 1]}.${instead} ${lost}`.trim();
}

/** @param {Distances} distances */
function lostAt(distances) {
  const step = distances.indexOf(null);
  if (step < 1) return step === 0 ? "It could not be won from its start." : "";
  return distances[step - 1] === undefined ? `After move ${step} it could no longer be won.` : `Move ${step} lost it.`;
}

/** @param {Distances} distances @param {number | null} mistake */
function described(distances, mistake) {
  const list = distances.map((distance) => (distance === null ? "lost" : (distance ?? "not known"))).join(", ");
  return `Distances from solved: ${list}.${mistake ? ` The first mistake was move ${mistake}.` : ""}`;
}
