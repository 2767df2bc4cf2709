/** A service as a source of answers about each of its puzzles. */

/** @import * as api from "../puzzlebase.js" */
import { Puzzle } from "../modules/client.js";
import { Offline, Problem } from "../modules/problem.js";

const RETRY = 1500;
const KEPT_HEADER = "X-Puzzlebase-Kept";

/** @implements {api.Service} */
export class Service extends EventTarget {
  #closed = false;

  /** @param {string | URL} base @param {typeof fetch} [fetching] */
  constructor(base, fetching) {
    super();
    this.base = new URL(base);
    this.connected = true;
    /** @type {typeof fetch} */
    this.fetching = fetching ?? ((...asked) => fetch(...asked));
  }

  puzzles() {
    return this.get("v1/puzzles", {});
  }

  /** @param {string} name @param {{ goal?: string | null | undefined }} [options] */
  puzzle(name, { goal = null } = {}) {
    return new Puzzle({
      name, goal, service: this,
      answer: (verb, fields, signal) => this.#ask(this.#address(name, verb), { ...fields, goal }, signal),
      picture: (state) => filled(this.#address(name, "picture"), { state, goal: goal || null }),
    });
  }

  /** @param {string} path @param {api.Fields} fields @param {AbortSignal} [signal] */
  get(path, fields, signal) {
    return this.#answer(filled(new URL(path, this.base), fields), signal ? { signal } : {});
  }

  /** As `get`. @param {string} path @param {api.Fields} fields @param {AbortSignal} [signal] */
  post(path, fields, signal) {
    const body = JSON.stringify(Object.fromEntries(given(fields)));
    const headers = { "Content-Type": "application/json" };
    return this.#answer(new URL(path, this.base), { method: "POST", body, headers, ...(signal ? { signal } : {}) });
  }

  /** Lists go in a body. @param {URL} address @param {api.Fields} fields @param {AbortSignal} [signal] */
  #ask({ href }, fields, signal) {
    return Object.values(fields).some(Array.isArray) ? this.post(href, fields, signal) : this.get(href, fields, signal);
  }

  /** The verb is "" for all about a puzzle. @param {string} name @param {string} verb */
  #address(name, verb) {
    return new URL(`v1/puzzles/${encodeURIComponent(name)}${verb && `/${verb}`}`, this.base);
  }

  /** @param {URL} address @param {RequestInit} request */
  async #answer(address, request) {
    /** @type {Response} */
    let response;
    try {
      response = await this.fetching(address, { credentials: "same-origin", ...request });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      this.#noted(false);
      throw new Offline();
    }
    this.#noted(!response.headers.has(KEPT_HEADER));
    const body = await response.json().catch(() => null);
    if (!body) throw this.#stranger(response);
    if (!response.ok) throw new Problem(body);
    return body;
  }

  /** Why an answer that is no JSON cannot be one. @param {Response} response */
  #stranger({ status, statusText }) {
    const detail = `The answer of ${this.base.href} is not that of a service: ${status} ${statusText}`.trim();
    return new Problem({ status, title: statusText, detail, hint: "Is this the address of a service of puzzles? See its /v1." });
  }

  close() {
    this.#closed = true;
  }

  /** @param {boolean} connected */
  #noted(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.dispatchEvent(new Event("connection"));
    if (!connected) this.#knock();
  }

  #knock() {
    setTimeout(async () => {
      if (this.#closed) return;
      await this.get("healthz", {}).catch(() => null);
      if (!this.connected) this.#knock();
    }, RETRY);
  }
}

/** @param {api.Fields} fields */
function given(fields) {
  return Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
}

/** @param {URL} address @param {api.Fields} fields */
function filled(address, fields) {
  for (const [name, value] of given(fields)) address.searchParams.set(name, String(value));
  return address;
}
