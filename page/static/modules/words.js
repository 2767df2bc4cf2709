/** A board in words, for those who do not see it. */

/** Marks that show where pieces should go. */
const WANTED = /^(goal|exit|plate)/;
/** Places of a change that is told in full. */
const FEW = 8;
/** How many times larger than its places a grid may be. */
const SPARSE = 2.5;
const COLOURS = Object.entries({
  white: "#e9e6df", grey: "#8b8478", black: "#2b2b2b", red: "#d8433b", orange: "#e8842a", yellow: "#f2c230", brown: "#8a5a34",
  lime: "#9bbf30", green: "#2e9e4f", teal: "#23958f", blue: "#2f6fde", violet: "#5b4fc4", purple: "#9a4fc4", pink: "#c2458b",
});

/** As box at c4; goal at d3; empty at d4, e4. @param {Board} board */
export function boardInWords({ places, pieces, marks }) {
  const lying = nounsOf(pieces).flatMap(({ piece, noun }) => below(piece, places).map((place) => ({ noun, place })));
  const goals = marks.filter(({ id }) => WANTED.test(id));
  const wanted = goals.flatMap((mark) => below(mark, places).map((place) => ({ noun: nounOf(mark), place })));
  const sorted = places.flatMap(({ name }) => lying.filter(({ place }) => place === name));
  const free = places.filter(({ name }) => !sorted.some(({ place }) => place === name));
  const empty = free.map(({ name }) => ({ noun: "empty", place: name }));
  return Array.from(listed([...sorted, ...wanted, ...empty], places), ([noun, at]) => `${noun} at ${at.join(", ")}`).join("; ");
}

/** What lies elsewhere or looks otherwise, as box from c4 to d4. @param {Board} before @param {Board} after */
export function changesInWords(before, after) {
  const [was, is] = [before, after].map(({ places, pieces }) => listed(nounsOf(pieces), places));
  let count = 0;
  const changes = Array.from(is ?? [], ([noun, now]) => {
    const then = was?.get(noun) ?? [];
    const from = then.filter((place) => !now.includes(place));
    const to = now.filter((place) => !then.includes(place));
    count += to.length;
    return to.length > 0 && `${noun} ${from.length > 0 ? `from ${from.join(", ")} to` : "at"} ${to.join(", ")}`;
  });
  return count > FEW ? `${count} places changed` : changes.filter(Boolean).join("; ");
}

/**
 * Nouns with the names of their places. Short names are as they are; numbers and long ones by column and row, as c4, if
 * there are such.
 * @param {{ noun: string, place: string }[]} said @param {Board["places"]} places
 */
function listed(said, places) {
  const lines = (/** @type {"x" | "y"} */ axis) => [...new Set(places.map((place) => place[axis]))].sort((one, other) => one - other);
  const [columns, rows] = [lines("x"), lines("y")];
  const inRows = columns.length * rows.length <= SPARSE * places.length;
  const names = new Map(places.map(({ name, x, y }, at) => {
    const cell = inRows ? String.fromCharCode(97 + columns.indexOf(x)) + (rows.indexOf(y) + 1) : `${at}`;
    return [name, /^(?=.*\D).{1,5}$/.test(name) ? name : cell];
  }));
  const groups = Map.groupBy(said, ({ noun }) => noun);
  return new Map(Array.from(groups, ([noun, group]) => [noun, group.map(({ place }) => names.get(place))]));
}

/** What each piece is called, with its colour where kind and label leave that open. @param {Piece[]} pieces */
function nounsOf(pieces) {
  const kinds = Map.groupBy(pieces, kindOf);
  const seen = pieces.filter(({ label, place }) => label || !pieces.some((other) => other.label && other.place === place));
  return seen.map((piece) => {
    const alike = kinds.get(kindOf(piece)) ?? [];
    const colours = new Set(alike.map(({ colour }) => colour)).size;
    const looks = new Set(alike.map(({ colour, label }) => colour + label)).size;
    return { piece, noun: nounOf(piece, colours > 1 && (!piece.label || looks > colours)), place: piece.place };
  });
}

/** @param {Shape} shape @param {boolean} [coloured] */
function nounOf(shape, coloured) {
  return [coloured && colourName(shape.colour), kindOf(shape), shape.label].filter(Boolean).join(" ") || "piece";
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

/** The names of the places below a shape; of a piece at least its own. @param {Shape | Piece} shape @param {Board["places"]} places */
function below(shape, places) {
  const path = new Path2D(shape.outline);
  const pen = document.createElement("canvas").getContext("2d");
  const hit = places.filter(({ name, x, y }) => ("place" in shape && shape.place === name) || pen?.isPointInPath(path, x, y, "evenodd"));
  return hit.map(({ name }) => name);
}
