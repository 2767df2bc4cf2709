import { counted, html, number, svg } from "./dom.js";

const [WIDTH, HEIGHT] = [320, 150];
const [TOP, BOTTOM] = [16, 18];
const MOST_BARS = 40;

/**
 * @param {HTMLElement} element @param {Histogram} histogram @param {number | null | undefined} here
 * @param {(min: number, max: number) => void} chosen
 */
export function showHistogram(element, { layers, mean, lost }, here, chosen) {
  const width = Math.ceil(layers.length / MOST_BARS);
  const bars = Array.from({ length: Math.ceil(layers.length / width) }, (_, bar) => {
    const [min, max] = [bar * width, Math.min((bar + 1) * width, layers.length) - 1];
    return { min, max, states: layers.slice(min, max + 1).reduce((sum, states) => sum + states, 0) };
  });
  const all = bars.reduce((sum, { states }) => sum + states, 0);
  const most = Math.max(1, ...bars.map(({ states }) => states));
  const pitch = WIDTH / bars.length;
  const drawn = bars.map(({ min, max, states }, bar) => {
    const high = states === 0 ? 0 : Math.max(((HEIGHT - TOP - BOTTOM) * states) / most, 1.5);
    const isHere = typeof here === "number" && here >= min && here <= max;
    const range = min === max ? `${number(min)}` : `${number(min)} to ${number(max)}`;
    const label = `Distance ${range}: ${counted(states, "state")}, ${number((100 * states) / all, 3)} %`;
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      chosen(min, max);
    };
    const middle = (bar + 0.5) * pitch;
    return svg(
      "g",
      { class: `bar${isHere ? " here" : ""}`, role: "button", tabindex: 0, "aria-label": isHere ? `${label}; you are here` : label,
        click: () => chosen(min, max), keydown: press },
      svg("title", {}, label),
      svg("rect", { class: "hit", x: bar * pitch, y: 0, width: pitch, height: HEIGHT - BOTTOM }),
      svg("rect", { class: "fill", x: bar * pitch + 0.5, y: HEIGHT - BOTTOM - high, width: Math.max(pitch - 1, 0.5), height: high, rx: 1 }),
      isHere ? svg("path", { class: "you", d: `M${middle} ${HEIGHT - BOTTOM - high - 3}l-4 -7h8z` }) : null,
    );
  });
  const apart = Math.max(1, Math.ceil(bars.length / 10));
  const numbers = bars.flatMap(({ min }, bar) =>
    bar % apart === 0 ? svg("text", { x: (bar + 0.5) * pitch, y: HEIGHT - 4, class: "middle", "aria-hidden": "true" }, number(min)) : [],
  );
  const where = typeof here === "number" ? ` You are at ${number(here)}.` : "";
  element.replaceChildren(
    svg("svg", { class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": "States by distance" }, ...drawn, ...numbers),
    html("p", { class: "soft" }, `${number(all)} states, on average ${number(mean, 2)} moves from solved.${lost ? ` ${number(lost)} more are lost.` : ""}${where} Choose a bar for a random state there.`),
  );
}
