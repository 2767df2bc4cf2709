/** Addresses that a page or a program gives: whole, or relative to the page where there is one. */

import { Problem } from "./problem.js";

/** The service that this module comes from. Bundlers would take `new URL("...", import.meta.url)` for a file. */
export const HERE = new URL("../../../", new URL(import.meta.url));

/**
 * The folder that an address names. Raises Problem.
 * @param {string | URL} given
 * @param {string} thing that is looked for there
 * @param {string} hint the remedy
 * @param {RegExp} [protocols] that will do
 */
export function folderAt(given, thing, hint, protocols = /:/) {
  const page = globalThis.location?.href;
  const address = URL.canParse(given, page) ? new URL(given, page) : null;
  if (!address || !protocols.test(address.protocol)) {
    throw new Problem({ title: "no address", status: 400, detail: `'${given}' is no address of ${thing}.`, hint });
  }
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return address;
}

/**
 * The folder that a service's address names. Raises Problem.
 * @param {string | URL} given
 * @param {string} hint the remedy
 */
export function serviceAt(given, hint) {
  return folderAt(given, "a service", hint, /^https?:$/);
}
