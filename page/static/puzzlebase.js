/** For pages of one's own: the client, and the element <puzzle-base> where there are elements. */

import { Service } from "./modules/client.js";

export { Offline, Problem, Puzzle, Service } from "./modules/client.js";

const HERE = new URL("../../", import.meta.url);

/**
 * A puzzle of the service that this module comes from, or of another.
 * @param {string} name
 * @param {{ goal?: string | null, service?: string | URL }} [options]
 */
export function puzzle(name, { goal = null, service = HERE } = {}) {
  return new Service(service).puzzle(name, { goal });
}

if (globalThis.customElements && !customElements.get("puzzle-base")) {
  const { PuzzleBase } = await import("./modules/element.js");
  customElements.define("puzzle-base", PuzzleBase);
}
