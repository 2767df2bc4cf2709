/** It goes when it is closed, with the next move, or when the connection is back. */

import { remedyOf } from "./client.js";
import { html } from "./dom.js";
import { DOWN, givenUp, Offline, Problem } from "./problem.js";

/** @param {HTMLElement} element @param {Player} player */
export function noticeIn(element, player) {
  const { service } = player.puzzle;
  element.querySelector("button")?.addEventListener("click", () => (element.hidden = true));
  service.addEventListener("connection", () => (service.connected ? (element.hidden = true) : show(DOWN)));
  player.on("problem", tell);
  player.on("change", () => {
    if (service.connected) element.hidden = true;
  });

  /** A mistake of ours goes on to the console. @param {unknown} error */
  function tell(error) {
    if (givenUp(error)) return;
    if (error instanceof Problem) show(...said(error));
    else if (error instanceof Offline) show(DOWN);
    else throw error;
  }

  /** @param {(Node | string)[]} text */
  function show(...text) {
    element.querySelector("p")?.replaceChildren(...text);
    element.hidden = false;
  }

  return tell;
}

/** @param {Problem} problem */
export function said(problem) {
  return [html("strong", {}, problem.message), " ", html("span", { class: "remedy" }, remedyOf(problem))];
}
