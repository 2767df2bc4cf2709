import { Problem } from "./problem.js";

/** The service that this module comes from. Bundlers would take `new URL("...", import.meta.url)` for a file. */
export const HERE = new URL("../../../", new URL(import.meta.url));

/**
 * The folder that an address names, whole or relative to the page. Raises Problem.
 * @param {string | URL} given @param {string} thing @param {string} hint @param {RegExp} [protocols]
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

/** @param {string | URL} given @param {string} hint */
export function serviceAt(given, hint) {
  return folderAt(given, "a service", hint, /^https?:$/);
}
