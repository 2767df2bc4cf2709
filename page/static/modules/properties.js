/** The properties of <puzzle-base>, one for each attribute. */

import { setText } from "./attributes.js";

/** An element whose attributes are properties too. */
export class PuzzleAttributes extends HTMLElement {
  /** The puzzle's name. @returns {string} */
  get puzzle() {
    return this.getAttribute("puzzle") ?? "";
  }

  set puzzle(/** @type {string | null} */ name) {
    setText(this, "puzzle", name);
  }

  /** The goal: a name or a state; empty for the puzzle's first one. @returns {string} */
  get goal() {
    return this.getAttribute("goal") ?? "";
  }

  set goal(/** @type {string | null} */ goal) {
    setText(this, "goal", goal);
  }

  /** Where the service is; empty for the one that this module comes from. @returns {string} */
  get service() {
    return this.getAttribute("service") ?? "";
  }

  set service(/** @type {string | URL | null} */ address) {
    setText(this, "service", address);
  }

  /** The folder of a published table, in place of a service and the puzzle's name. @returns {string} */
  get src() {
    return this.getAttribute("src") ?? "";
  }

  set src(/** @type {string | URL | null} */ address) {
    setText(this, "src", address);
  }

  /** A word or a level: where no state is given, the game begins at such a state. @returns {string} */
  get difficulty() {
    return this.getAttribute("difficulty") ?? "";
  }

  set difficulty(/** @type {string | number | null} */ difficulty) {
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

  /** The buttons that are shown: some of undo, redo, restart and next. @returns {string} */
  get buttons() {
    return this.getAttribute("buttons") ?? "undo";
  }

  set buttons(/** @type {string | null} */ names) {
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
