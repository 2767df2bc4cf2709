/** The attributes of <puzzle-base>, each with its property: whatever a page sets, nothing is thrown. */

/** Attributes that begin a game, and those that only change what is seen. */
export const BEGIN = ["puzzle", "state", "goal", "service", "difficulty", "daily"];
export const LOOKS = ["hints", "stars", "buttons", "picture"];

/** An element whose attributes are properties too. */
export class PuzzleAttributes extends HTMLElement {
  /** The puzzle's name. */
  get puzzle() {
    return this.getAttribute("puzzle") ?? "";
  }

  set puzzle(name) {
    setText(this, "puzzle", name);
  }

  /** The goal: a name or a state; empty for the puzzle's first one. */
  get goal() {
    return this.getAttribute("goal") ?? "";
  }

  set goal(goal) {
    setText(this, "goal", goal);
  }

  /** Where the service is; empty for the one that this module comes from. @returns {string} */
  get service() {
    return this.getAttribute("service") ?? "";
  }

  set service(/** @type {string | URL} */ address) {
    setText(this, "service", address);
  }

  /** A word or a level: where no state is given, the game begins at such a state. @returns {string} */
  get difficulty() {
    return this.getAttribute("difficulty") ?? "";
  }

  set difficulty(/** @type {string | number} */ difficulty) {
    setText(this, "difficulty", difficulty);
  }

  /** Whether the game begins at the position of the day, where no state is given. */
  get daily() {
    return this.hasAttribute("daily");
  }

  set daily(on) {
    this.toggleAttribute("daily", Boolean(on));
  }

  /** Whether there is a hint button. */
  get hints() {
    return this.hasAttribute("hints");
  }

  set hints(on) {
    this.toggleAttribute("hints", Boolean(on));
  }

  /** Whether the end shows stars. */
  get stars() {
    return this.hasAttribute("stars");
  }

  set stars(on) {
    this.toggleAttribute("stars", Boolean(on));
  }

  /** The buttons that are shown: some of undo, redo, restart and next. */
  get buttons() {
    return this.getAttribute("buttons") ?? "undo";
  }

  set buttons(names) {
    setText(this, "buttons", names);
  }

  /** Whether there is a picture of the goal. */
  get picture() {
    return this.hasAttribute("picture");
  }

  set picture(on) {
    this.toggleAttribute("picture", Boolean(on));
  }
}

/**
 * Properties that were set before the element was known hide those of its class: set them anew.
 * @param {PuzzleAttributes} element
 */
export function upgrade(element) {
  const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
  for (const name of [...BEGIN, ...LOOKS]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = own[name];
    delete own[name];
    own[name] = value;
  }
}

/**
 * Set an attribute; null, undefined and false take it away.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {unknown} value
 */
export function setText(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, textOf(value));
}

/** Anything as text: no value that a page may set throws. @param {unknown} value */
export function textOf(value) {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
