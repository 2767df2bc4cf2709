/** What this browser keeps. Without storage, nothing: the page then just does not remember. */

/** @param {"localStorage" | "sessionStorage"} storage @param {string} place */
export function stored(storage, place) {
  try {
    return JSON.parse(globalThis[storage].getItem(place) ?? "null");
  } catch {
    return null;
  }
}

/** @param {"localStorage" | "sessionStorage"} storage @param {string} place @param {unknown} value */
export function store(storage, place, value) {
  try {
    globalThis[storage].setItem(place, JSON.stringify(value));
  } catch {
    // Where nothing can be kept, or no more.
  }
}
