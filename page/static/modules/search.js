// What search fields find: plain functions of texts, without a page.

/** @param {string} query */
export function wordsOf(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** @param {string} text @param {string[]} words */
export function hasAll(text, words) {
  const small = text.toLowerCase();
  return words.every((word) => small.includes(word));
}

/** Pairs of first place and place behind. @param {string} text @param {string[]} words */
export function placesOf(text, words) {
  const small = text.toLowerCase();
  /** @type {[number, number][]} */
  const places = [];
  if (small.length !== text.length) return places; // a letter that is longer when it is small: mark nothing
  for (const word of words) {
    for (let at = small.indexOf(word); at >= 0; at = small.indexOf(word, at + word.length)) {
      places.push([at, at + word.length]);
    }
  }
  return places;
}
