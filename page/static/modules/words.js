/** A board in words, for those who do not see it. */

/** Marks that show where pieces should go. */
const GOAL = /^(goal|exit|plate)/;
/** Names of places for people, as c4, L1 or 2-3. */
const READABLE = /^(?=.*\D).{1,5}$/;
/** The most that a grid may be larger than its places. */
const SPARSE = 2.5;
/** Letters of changes. */
const MOST = 160;
const COLOURS = Object.entries({
  white: "#e9e6df", grey: "#8b8478", black: "#2b2b2b", red: "#d8433b", orange: "#e8842a", yellow: "#f2c230", brown: "#8a5a34",
  lime: "#9bbf30", green: "#2e9e4f", teal: "#23958f", blue: "#2f6fde", violet: "#5b4fc4", purple: "#9a4fc4", pink: "#c2458b",
});

/** As box at c4; goal at d3; empty at d4, e4. @param {Board} board */
export function boardInWords(board) {
  const pen = document.createElement("canvas").getContext("2d");
  const below = (/** @type {Shape} */ { outline }, /** @type {Point} */ { x, y }) => pen?.isPointInPath(new Path2D(outline), x, y, "evenodd");
  const { empty = [], ...lists } = listed(board, below);
  return Object.entries({ ...lists, empty }).flatMap(([noun, at]) => (at.length > 0 ? `${noun} at ${at.join(", ")}` : [])).join("; ");
}

/** What lies elsewhere or looks otherwise, as box from c4 to d4. @param {Board} before @param {Board} after */
export function changesInWords(before, after) {
  const was = listed(before);
  const changes = Object.entries(listed(after)).flatMap(([noun, now]) => {
    const then = was[noun] ?? [];
    const from = then.filter((place) => !now.includes(place)).join(", ");
    const to = now.filter((place) => !then.includes(place)).join(", ");
    return to && noun !== "empty" ? `${noun} ${from ? `from ${from} to` : "at"} ${to}` : [];
  }).join("; ");
  return changes.length > MOST ? "many places changed" : changes;
}

/**
 * The places of each noun. Numbers and long names become columns and rows, as c4, where there are such.
 * @param {Board} board @param {(shape: Shape, place: Point) => boolean | undefined} [below]
 */
function listed({ places, pieces, marks }, below = () => false) {
  const goals = marks.filter(({ id }) => GOAL.test(id));
  const lines = (/** @type {"x" | "y"} */ axis) => [...new Set(places.map((place) => place[axis]))].sort((one, other) => one - other);
  const [columns, rows] = [lines("x"), lines("y")];
  const inRows = columns.length * rows.length <= SPARSE * places.length;
  /** @type {Record<string, string[]>} */
  const lists = {};
  for (const [at, place] of places.entries()) {
    const cell = inRows ? String.fromCharCode(97 + columns.indexOf(place.x)) + (rows.indexOf(place.y) + 1) : `${at}`;
    const here = pieces.filter((piece) => piece.place === place.name || below(piece, place));
    const labels = here.filter(({ label }) => label);
    const nouns = (labels.length > 0 ? labels : here).map((piece) => nounOf(piece, pieces));
    if (here.length === 0) nouns.push("empty");
    for (const mark of goals) if (below(mark, place)) nouns.push(nounOf(mark, goals));
    for (const noun of nouns) (lists[noun] ??= []).push(READABLE.test(place.name) ? place.name : cell);
  }
  return lists;
}

/** Its kind and label, and its colour where these leave it open. @param {Shape} shape @param {Shape[]} shapes */
function nounOf(shape, shapes) {
  const kind = kindOf(shape);
  const alike = shapes.filter((other) => kindOf(other) === kind);
  const colours = new Set(alike.map(({ colour }) => colour)).size;
  const looks = new Set(alike.map(({ colour, label }) => colour + label)).size;
  const coloured = colours > 1 && (!shape.label || looks > colours);
  return [coloured && colourName(shape.colour), kind, shape.label].filter(Boolean).join(" ") || "piece";
}

/** Ids begin with it, but for plain pieces. @param {Shape} shape */
function kindOf({ id }) {
  return id.replace(/^(piece|slot)-.*|-.*/, "");
}

/** @param {string} colour */
function colourName(colour) {
  const far = (/** @type {string} */ known) =>
    Math.hypot(...[1, 3, 5].map((at) => Number.parseInt(known.slice(at, at + 2), 16) - Number.parseInt(colour.slice(at, at + 2), 16)));
  return COLOURS.reduce((best, each) => (far(each[1]) < far(best[1]) ? each : best))[0];
}
