/** A path of levels has the stars of each, and the first without any is lit. */

import { progress } from "./progress.js";
import { markStars } from "./stars.js";

/** @param {HTMLElement} path */
export function markPath(path) {
  const { best } = progress();
  const steps = /** @type {HTMLElement[]} */ ([...path.querySelectorAll("[data-level]")]);
  const starsOf = (/** @type {HTMLElement} */ step) => best[step.dataset["level"] ?? ""]?.stars;
  const lit = steps.find((step) => starsOf(step) === undefined);
  for (const step of steps) {
    step.classList.toggle("lit", step === lit);
    markStars(step, step.title, starsOf(step));
  }
  const shown = path.querySelector("[aria-current]") ?? lit;
  if (shown) path.scrollLeft = /** @type {HTMLElement} */ (shown).offsetLeft - path.clientWidth / 2;
}
