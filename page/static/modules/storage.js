/** What this browser keeps. Without storage, nothing: the page then just does not remember. */

/** @param {() => Storage} storage @param {string} place */
export function stored(storage, place) {
  try {
    return JSON.parse(storage().getItem(place) ?? "null");
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} place @param {unknown} value */
export function store(storage, place, value) {
  try {
    storage().setItem(place, JSON.stringify(value));
  } catch {
    // Where nothing can be kept, or no more.
  }
}
