/**
 * The words of a query, in small letters.
 * @param {string} query
 * @returns {string[]}
 */
export declare function wordsOf(query: string): string[];
/**
 * Whether a text has every one of the words.
 * @param {string} text
 * @param {string[]} words
 */
export declare function hasAll(text: string, words: string[]): boolean;
/**
 * Where the words stand in a text: pairs of first place and place behind.
 * @param {string} text
 * @param {string[]} words
 * @returns {[number, number][]}
 */
export declare function placesOf(text: string, words: string[]): [number, number][];
