/** The notice at the foot of the page. It goes when it is closed, with the next move, or when the connection is back. */

import { remedyOf } from "./client.js";
import { html } from "./dom.js";
import { DOWN, givenUp, Offline, Problem } from "./problem.js";

export class Notice {
  /** @param {HTMLElement} element @param {Player} player */
  constructor(element, player) {
    this.element = element;
    const { service } = player.puzzle;
    element.querySelector("button")?.addEventListener("click", () => (element.hidden = true));
    service.addEventListener("connection", () => (service.connected ? (element.hidden = true) : this.#show(DOWN)));
    player.on("problem", (error) => this.tell(error));
    player.on("change", () => {
      if (service.connected) element.hidden = true;
    });
  }

  /** A mistake of ours goes on to the console. @param {unknown} error */
  tell(error) {
    if (givenUp(error)) return;
    if (error instanceof Problem) this.#show(...said(error));
    else if (error instanceof Offline) this.#show(DOWN);
    else throw error;
  }

  /** @param {(Node | string)[]} text */
  #show(...text) {
    this.element.querySelector("p")?.replaceChildren(...text);
    this.element.hidden = false;
  }
}

/** @param {Problem} problem */
export function said(problem) {
  return [html("strong", {}, problem.message), " ", html("span", { class: "remedy" }, remedyOf(problem))];
}
