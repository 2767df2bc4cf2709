import { svg } from "./dom.js";

/** On a square of 10: the pattern of each colour. */
const LINES = [
  "", "M0 10L10 0M-2 2L2-2M8 12L12 8", "M0 5H10", "M5 5h.01", "M5 0V10", "M0 0L10 10M-2 8L2 12M8-2L12 2", "M0 5H10M5 0V10",
  "M0 10L10 0M0 0L10 10", "M0 5Q2.5 0 5 5T10 5", "M2 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
];

/** What fills the shapes of a board, and which labels they have. */
export class Paint {
  /** @type {Wear} */
  wear = { theme: "letters", bare: false, sprites: "", net: false };
  definitions = svg("defs");
  /** By colour, in the order of their patterns. @type {Map<string, string>} */
  #labels = new Map();
  /** Whether pieces of one colour have different labels: then no colour tells its piece. */
  #alike = false;
  /** @type {Map<string, SVGElement>} */
  #made = new Map();

  /** @param {Look[]} looks */
  learn(looks) {
    for (const { colour, label } of [...looks].sort((one, other) => (one.colour < other.colour ? -1 : 1))) {
      if ((this.#labels.get(colour) ?? label) !== label) this.#alike = true;
      this.#labels.set(colour, label);
    }
  }

  /** @param {Look} look */
  label({ colour, label }) {
    const told = /colours|patterns/.test(this.wear.theme) && !this.#alike && this.#labels.get(colour) === label;
    return told || this.wear.bare ? "" : label;
  }

  /** @param {Look} look @param {string | null} piece its id */
  fill(look, piece) {
    const { theme, sprites } = this.wear;
    const { colour, label, ink } = look;
    if (piece && sprites) {
      const href = sprites.replace("{id}", encodeURIComponent(piece)).replace("{label}", encodeURIComponent(label)).replace("{colour}", colour.slice(1));
      return this.#defined(href, () => sprite(href, colour));
    }
    if (piece && !this.#labels.has(colour)) this.learn([look]);
    const number = [...this.#labels.keys()].indexOf(colour);
    if (theme === "patterns" && number >= 0) return this.#defined(`pattern ${colour}`, () => pattern(number, colour, ink));
    return number >= 0 ? this.#defined(colour, () => shade(colour)) : colour;
  }

  /** @param {string} key @param {() => SVGElement} make */
  #defined(key, make) {
    const paint = this.#made.get(key) ?? make();
    if (!paint.id) {
      paint.id = `paint-${this.#made.size}`;
      this.#made.set(key, paint);
      this.definitions.append(paint);
    }
    return `url(#${paint.id})`;
  }
}

/** A little lighter above than below. @param {string} colour */
function shade(colour) {
  const tones = ["#fff 17%", "#fff 0%", "#000 13%"];
  return svg("linearGradient", { x2: 0, y2: 1 }, ...tones.map((tone, at) =>
    svg("stop", { offset: at / 2, "stop-color": `color-mix(in srgb, ${tone}, ${colour})` })));
}

/** @param {number} number @param {string} colour @param {string} ink */
function pattern(number, colour, ink) {
  const scale = 1 + Math.floor(number / LINES.length);
  return svg("pattern", { width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: `scale(${scale})` },
    svg("rect", { width: 10, height: 10, fill: colour }),
    svg("path", { class: "pattern", d: LINES[number % LINES.length], stroke: ink }));
}

/** A picture over a whole piece; until it is here, the colour. @param {string} href @param {string} colour */
function sprite(href, colour) {
  const plain = svg("rect", { width: 1, height: 1, fill: colour });
  const picture = svg("image", { href, width: 1, height: 1, preserveAspectRatio: "none", load: () => plain.remove() });
  return svg("pattern", { width: 1, height: 1, patternContentUnits: "objectBoundingBox" }, plain, picture);
}
