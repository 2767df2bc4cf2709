/** For pages of one's own: the client, and the element <puzzle-base> where there are elements. */

import { HERE, serviceAt } from "./modules/service_address.js";
import { Service } from "./source/http.js";

export { Puzzle, table } from "./modules/client.js";
export { Offline, Problem } from "./modules/problem.js";
export { Service } from "./source/http.js";

const REMEDY = 'Give that of one, as puzzle("novice", { service: "http://127.0.0.1:8080/" }).';

/** @param {string} name @param {{ goal?: string | null, service?: string | URL }} [options] */
export function puzzle(name, { goal = null, service = HERE } = {}) {
  return new Service(serviceAt(service, REMEDY)).puzzle(name, { goal });
}

if (globalThis.customElements && !customElements.get("puzzle-base")) {
  const { PuzzleBase } = await import("./modules/element.js");
  customElements.define("puzzle-base", PuzzleBase);
}
