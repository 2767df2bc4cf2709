const SVG = "http://www.w3.org/2000/svg";
const LATE = 100;

/** @param {string} id */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} selector */
export function all(selector) {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
}

/** A function is a listener, true and false set and leave out an attribute. @type {Maker<HTMLElementTagNameMap>} */
export const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** @type {Maker<SVGElementTagNameMap>} */
export const svg = (tag, attributes = {}, ...children) => filled(/** @type {any} */ (document.createElementNS(SVG, tag)), attributes, children);

/** @template {Element} E @param {E} element @param {Record<string, Value>} attributes @param {Child[]} [children] */
export function filled(element, attributes, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} words @param {() => unknown} click @param {Record<string, Value>} [more] */
export function button(words, click, more) {
  return html("button", { type: "button", click, ...more }, words);
}

/** When the next frame has been drawn, or soon where none is: a page in the background draws nothing. */
export function nextFrame() {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, LATE);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve, 0);
    });
  });
}

/** @param {Count | bigint} value @param {0 | 1 | 2 | 3} [digits] */
export function number(value, digits = 0) {
  const exact = typeof value === "string" ? BigInt(value) : value;
  return exact.toLocaleString("en", { maximumFractionDigits: digits });
}

/** A large one as 7.2·10²⁹. @param {Count | bigint} value */
export function brief(value) {
  if (BigInt(value) < 10_000_000n) return number(value);
  const [digits, power] = Number(value).toExponential(1).split("e+");
  return `${digits}·10${[...(power ?? "")].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}

/** 1 move, 2 moves. @param {Count | bigint} count @param {string} thing */
export function counted(count, thing) {
  return `${number(count)} ${thing}${Number(count) === 1 ? "" : "s"}`;
}
