/** What <puzzle-base> shows: the board, what stands around it, and in place of both the words for what is wrong. */

import { html, svg } from "./dom.js";
import { NEXT } from "./hints.js";

/** Each in full, for bundlers: they look for files named like this. */
const STYLES = [new URL("../common.css", import.meta.url), new URL("../board.css", import.meta.url), new URL("../element.css", import.meta.url)];

const BUTTONS = { undo: "Undo", redo: "Redo", restart: "Restart", next: "Next" };

/** @typedef {Record<keyof typeof BUTTONS | "hint", () => unknown>} Presses what each button does */

export class Frame {
  /** @type {SVGSVGElement} */
  board = svg("svg");
  /** @type {Looks} */
  looks = { hints: false, picture: false, buttons: "" };
  typed = html("output", { class: "typed", part: "typed", "aria-hidden": "true" });
  end = html("div", { class: "solved", part: "end", hidden: true });
  chips = html("div", { class: "chips", id: "moves", role: "group", "aria-label": "Moves", part: "moves" });
  live = html("p", { class: "unseen", "aria-live": "polite" });
  #box = html("div", { class: "board-box" });
  #goal = html("figure", { class: "goal", part: "goal", hidden: true });
  #error = html("div", { class: "error", part: "error", role: "alert", hidden: true });
  #said = html("p", { class: "hint-text", part: "hint" });
  #next = html("span", { class: "hint-next" }, NEXT[0] ?? "");
  #controls;
  #hint;
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons;

  /** @param {ShadowRoot} root @param {Presses} presses */
  constructor(root, presses) {
    const press = () => this.#hint.getAttribute("aria-disabled") || presses.hint();
    this.#hint = html("button", { type: "button", class: "main", part: "button main", click: press }, "Hint", " ", this.#next);
    const names = /** @type {(keyof typeof BUTTONS)[]} */ (Object.keys(BUTTONS));
    this.#buttons = new Map(names.map((name) => [name, html("button", { type: "button", part: "button", click: presses[name] }, BUTTONS[name])]));
    this.#controls = html("div", { class: "controls" }, this.#hint, ...this.#buttons.values());
    const content = html("div", { class: "content" },
      this.#error, this.#goal, this.#box, this.end, this.#controls, this.#said, this.chips, this.live);
    const styles = STYLES.map(({ href }) => html("link", { rel: "stylesheet", href }));
    content.style.visibility = "hidden"; // until it is styled
    const loaded = styles.map((link) => new Promise((resolve) => ["load", "error"].forEach((type) => link.addEventListener(type, resolve))));
    Promise.all(loaded).then(() => (content.style.visibility = ""));
    root.replaceChildren(...styles, content);
  }

  clear() {
    this.board = svg("svg", { class: "board", role: "application", tabindex: 0, "aria-label": "Board", "aria-describedby": "moves", part: "board" });
    this.#box.replaceChildren(this.board, this.typed);
    this.#goal.replaceChildren();
    this.chips.replaceChildren();
    this.typed.textContent = "";
    this.end.hidden = true;
    this.tell("", "");
    this.enable({ undo: false, redo: false, solved: false, step: 0 });
    this.#hint.setAttribute("aria-disabled", "true");
    this.#show(null);
  }

  /** @param {Looks} looks */
  dress(looks) {
    this.looks = looks;
    const wanted = new Set(looks.buttons.toLowerCase().split(/[\s,]+/));
    for (const [name, button] of this.#buttons) button.hidden = !wanted.has(name);
    this.#hint.hidden = !looks.hints;
    this.#goal.hidden = !looks.picture || this.#goal.childElementCount === 0;
  }

  /** @param {URL | null} address */
  goal(address) {
    this.#goal.replaceChildren();
    if (address) this.#goal.append(html("img", { src: address.href, alt: "" }), html("figcaption", {}, "The goal"));
    this.dress(this.looks);
  }

  /** Words in place of the board. Nothing can be pressed then. @param {string} wrong @param {string} remedy */
  refuse(wrong, remedy) {
    this.clear();
    this.#error.replaceChildren(html("strong", {}, wrong), " ", html("span", { class: "remedy" }, remedy));
    this.#show(this.#error);
  }

  /** @param {HTMLElement | null} error */
  #show(error) {
    this.#error.hidden = error === null;
    for (const each of [this.#box, this.#controls, this.#said, this.chips]) each.hidden = error !== null;
    if (error) this.#goal.hidden = true;
  }

  /** @param {string} text @param {string | Node} button @param {string} [aloud] */
  tell(text, button = "", aloud = text) {
    this.#said.replaceChildren(text, button);
    if (aloud) this.live.textContent = aloud;
  }

  /** @param {{ undo: boolean, redo: boolean, solved: boolean, step: number }} can */
  enable({ undo, redo, solved, step }) {
    for (const [name, on] of Object.entries({ undo, redo, restart: undo })) this.#buttons.get(name)?.toggleAttribute("disabled", !on);
    if (solved) this.#hint.setAttribute("aria-disabled", "true");
    else this.#hint.removeAttribute("aria-disabled");
    this.#next.textContent = solved ? "solved" : (NEXT[step] ?? "");
  }

  /** @param {boolean} busy */
  busy(busy) {
    this.#hint.setAttribute("aria-busy", String(busy));
  }
}
