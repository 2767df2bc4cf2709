/** What a service refuses, a published table refuses too. */

import { Problem } from "../modules/problem.js";
import { invalid, quoted } from "./errors.js";

const [MOST, LISTED] = [2 ** 53, 10_000];
const [NAME, STATE] = [200, 4096]; // letters
const SEARCH = { max_states: [0, MOST], max_seconds: [0, 1e9] };

/** Least and greatest number, or the most letters; null where the rule alone says what will do. */
const FIELDS = {
  antipodes: { offset: [0, MOST], limit: [1, LISTED] },
  board: { state: STATE },
  lookup: { ...SEARCH, state: STATE, states: null, moves: null },
  solve: { ...SEARCH, state: STATE, offset: [0, 1e40], limit: [1, LISTED], all: [1, 1000], states: null },
  hint: { ...SEARCH, state: STATE, level: [1, 4], moves: null },
  grade: { ...SEARCH, state: STATE, moves: null, stars: null, hints: null },
  random: {
    ...SEARCH, distance: [0, MOST], min: [0, MOST], max: [0, MOST], percentile: [0, 100], difficulty: NAME, lost: null,
    turns: [0, 1000], seed: NAME, daily: NAME,
  },
};
const PARTS = ["percentile", "max_seconds"]; // numbers that need not be whole

/** Raises Problem. @param {string} verb @param {Record<string, any>} fields */
export function checked(verb, fields) {
  /** @type {Record<string, any>} */
  const known = FIELDS[/** @type {keyof typeof FIELDS} */ (verb)] ?? {};
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of given) {
    const allowed = known[name];
    if (allowed === undefined) throw invalid(`there is no field ${quoted(name)}`, `the fields are: ${Object.keys(known).join(", ")}`);
    if (Array.isArray(value) && value.length > LISTED) throw tooLarge(value.length);
    const remedy = remedyFor(allowed, value, PARTS.includes(name));
    if (remedy) throw invalid(`${name} cannot be ${quoted(String(value))}`, remedy);
  }
  return Object.fromEntries(given);
}

/** @param {any} allowed @param {any} value @param {boolean} part */
function remedyFor(allowed, value, part) {
  if (Array.isArray(allowed)) {
    const [number, [least, most]] = [Number(value), allowed];
    return least <= number && number <= most && (part || Number.isInteger(number)) ? "" : `give a number from ${least} to ${most}`;
  }
  return allowed === null || String(value).length <= allowed ? "" : `give at most ${allowed} letters`;
}

/** @param {number} entries */
function tooLarge(entries) {
  const detail = `${entries.toLocaleString("en")} entries are too many`;
  return new Problem({ type: "too-large", title: "Request too large", status: 413, detail, hint: "send at most 10,000 at a time" });
}
