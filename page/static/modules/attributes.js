export const BEGIN = ["puzzle", "state", "goal", "service", "src", "difficulty", "daily"];
export const LOOKS = ["hints", "stars", "buttons", "picture", "theme", "net", "sprites", "hide"];

const SWITCHES = ["daily", "hints", "stars", "picture", "net"];

/** @type {typeof import("../puzzlebase.js").PuzzleAttributes} */
export const PuzzleAttributes = /** @type {any} */ (class extends HTMLElement {});

for (const name of [...BEGIN, ...LOOKS]) {
  const absent = name === "buttons" ? "undo" : "";
  Object.defineProperty(PuzzleAttributes.prototype, name, {
    configurable: true,
    get() {
      return SWITCHES.includes(name) ? this.hasAttribute(name) : (this.getAttribute(name) ?? absent);
    },
    set(value) {
      if (SWITCHES.includes(name)) this.toggleAttribute(name, Boolean(value));
      else setText(this, name, value);
    },
  });
}

/** Properties that were set before the element was known hide those of its class: set them anew. @param {any} element */
export function upgrade(element) {
  for (const name of [...BEGIN, ...LOOKS]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

/** @param {HTMLElement} element @param {string} name @param {unknown} value */
export function setText(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, textOf(value));
}

/** No value that a page may set throws. @param {unknown} value */
export function textOf(value) {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
