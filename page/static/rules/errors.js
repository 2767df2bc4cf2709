import { Problem } from "../modules/problem.js";

/** @param {string} detail @param {string} hint */
export function invalid(detail, hint) {
  return new Problem({ type: "invalid-parameter", title: "Invalid parameter", status: 400, detail, hint });
}

/** As the service quotes a caller's text. @param {string} text @param {number} [most] */
export function quoted(text, most = 60) {
  const cut = shortened(text, most);
  return cut.includes("'") && !cut.includes('"') ? `"${cut}"` : `'${cut}'`;
}

/** @param {string} text @param {number} [most] */
export function shortened(text, most = 60) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
