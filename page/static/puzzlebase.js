/** For pages of one's own: the client, and the element <puzzle-base> where there are elements. */

/** @import { PuzzleClient } from "./modules/answers.js" */
import { Service } from "./modules/client.js";
import { HERE, serviceAt } from "./modules/service_address.js";

export { Offline, Problem, Puzzle, Service } from "./modules/client.js";

const REMEDY = 'Give that of one, as puzzle("novice", { service: "http://127.0.0.1:8080/" }).';

/**
 * A puzzle of the service that this module comes from, or of another. Raises Problem.
 * @param {string} name
 * @param {{ goal?: string | null, service?: string | URL }} [options]
 */
export function puzzle(name, { goal = null, service = HERE } = {}) {
  return new Service(serviceAt(service, REMEDY)).puzzle(name, { goal });
}

/**
 * A table that was published as static files: it has the methods of a puzzle, and needs no service.
 * @param {string | URL} address of its folder
 * @param {{ whole?: number, fetching?: typeof fetch }} [options] `whole`: bytes up to which a table is fetched at once
 * @returns {Promise<PuzzleClient>}
 */
export async function table(address, options) {
  const reader = await import("./table/table.js");
  return reader.table(address, options);
}

if (globalThis.customElements && !customElements.get("puzzle-base")) {
  const { PuzzleBase } = await import("./modules/element.js");
  customElements.define("puzzle-base", PuzzleBase);
}
