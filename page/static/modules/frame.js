import { html, svg } from "./dom.js";
import { NEXT } from "./hints.js";

/** Each in full, for bundlers: they look for files named like this. */
const STYLES = [new URL("../common.css", import.meta.url), new URL("../board.css", import.meta.url), new URL("../element.css", import.meta.url)];

const BUTTONS = { undo: "Undo", redo: "Redo", restart: "Restart", next: "Next" };

export class Frame {
  /** @type {SVGSVGElement} */
  board = svg("svg", { id: "board", class: "board", role: "application", tabindex: 0, "aria-label": "Board", "aria-describedby": "words moves", part: "board" });
  #box = html("div", { class: "board-box" }, this.board,
    html("p", { id: "words", class: "unseen" }),
    html("output", { id: "typed", class: "typed", part: "typed", "aria-hidden": "true" }),
    html("p", { id: "told", class: "told", part: "told", hidden: true }));
  #goal = html("figure", { class: "goal", part: "goal", hidden: true });
  #error = html("div", { class: "error", part: "error", role: "alert", hidden: true });
  #hint = html("button", { id: "hint", type: "button", class: "main", part: "button main", "aria-disabled": "true" },
    "Hint ", html("span", { id: "hint-next", class: "hint-next" }, NEXT[0]));
  #buttons = Object.entries(BUTTONS).map(([id, label]) => html("button", { id, type: "button", part: "button", disabled: id !== "next" }, label));
  #controls = html("div", { class: "controls" }, this.#hint, ...this.#buttons);
  #said = html("p", { id: "hint-text", class: "hint-text", part: "hint" });
  #chips = html("div", { class: "chips", id: "moves", role: "group", "aria-label": "Moves", part: "moves" });
  /** @type {BoardView | null} */
  view = null;
  #live = html("p", { id: "live", class: "unseen", "aria-live": "polite" });

  /** @param {ShadowRoot} root @param {Looks} looks */
  constructor(root, looks) {
    this.looks = looks;
    const end = html("div", { id: "solved", class: "solved", part: "end", hidden: true });
    this.content = html("div", { class: "content" },
      this.#error, this.#goal, this.#box, end, this.#controls, this.#said, this.#chips, this.#live);
    (root.querySelector("div") ?? styled(root)).replaceChildren(this.content);
    this.dress();
  }

  /** @type {ById} */
  byId = (id) => /** @type {HTMLElement} */ (this.content.querySelector(`#${id}`));

  dress() {
    const { theme, net, sprites } = this.looks;
    const [wanted, hidden] = [wordsOf(this.looks.buttons), wordsOf(this.looks.hide)];
    for (const button of this.#buttons) button.hidden = !wanted.has(button.id);
    this.#hint.hidden = !this.looks.hints;
    this.#goal.hidden = !this.looks.picture || this.#goal.childElementCount === 0;
    this.#chips.hidden = hidden.has("moves");
    this.view?.wear({ theme, net, sprites, bare: hidden.has("letters") });
  }

  /** @param {URL | null} address */
  goal(address) {
    if (address) this.#goal.append(html("img", { src: address.href, alt: "" }), html("figcaption", {}, "The goal"));
    this.dress();
  }

  /** @param {string} wrong @param {string} remedy */
  refuse(wrong, remedy) {
    this.#error.replaceChildren(html("strong", {}, wrong), " ", html("span", { class: "remedy" }, remedy));
    this.#error.hidden = false;
    for (const each of [this.#box, this.#controls, this.#said, this.#chips, this.#goal]) each.hidden = true;
  }

  /** @param {string} text @param {string} [aloud] */
  tell(text, aloud = text) {
    this.#said.replaceChildren(text);
    if (aloud) this.#live.textContent = aloud;
  }
}

/** @param {string} names */
function wordsOf(names) {
  return new Set(names.toLowerCase().split(/[\s,]+/));
}

/** @param {ShadowRoot} root */
function styled(root) {
  const place = html("div");
  const styles = STYLES.map(({ href }) => html("link", { rel: "stylesheet", href }));
  place.style.visibility = "hidden";
  const loaded = styles.map((link) => new Promise((resolve) => ["load", "error"].forEach((type) => link.addEventListener(type, resolve))));
  Promise.all(loaded).then(() => (place.style.visibility = ""));
  root.replaceChildren(...styles, place);
  return place;
}
