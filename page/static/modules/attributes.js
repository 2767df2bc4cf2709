/** The attributes of <puzzle-base>, set as text: whatever a page gives, nothing is thrown. */

/** Attributes that begin a game. */
export const BEGIN = ["puzzle", "state", "goal", "service", "src", "difficulty", "daily"];
export const LOOKS = ["hints", "stars", "buttons", "picture"];

const SWITCHES = ["daily", "hints", "stars", "picture"];

/** @type {typeof import("./properties.js").PuzzleAttributes} */
export const PuzzleAttributes = /** @type {any} */ (class extends HTMLElement {});

for (const name of [...BEGIN, ...LOOKS]) {
  const absent = name === "buttons" ? "undo" : "";
  /** @type {PropertyDescriptor & ThisType<HTMLElement>} */
  const text = {
    get() {
      return this.getAttribute(name) ?? absent;
    },
    set(value) {
      setText(this, name, value);
    },
  };
  /** @type {PropertyDescriptor & ThisType<HTMLElement>} */
  const onOrOff = {
    get() {
      return this.hasAttribute(name);
    },
    set(on) {
      this.toggleAttribute(name, Boolean(on));
    },
  };
  Object.defineProperty(PuzzleAttributes.prototype, name, { ...(SWITCHES.includes(name) ? onOrOff : text), configurable: true });
}

/** Properties that were set before the element was known hide those of its class: set them anew. @param {HTMLElement} element */
export function upgrade(element) {
  const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
  for (const name of [...BEGIN, ...LOOKS]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = own[name];
    delete own[name];
    own[name] = value;
  }
}

/** Null, undefined and false take an attribute away. @param {HTMLElement} element @param {string} name @param {unknown} value */
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
