export class Problem extends Error {
  /** @param {{ type?: string, title?: string, status?: number, detail?: string, hint?: string }} problem */
  constructor(problem) {
    super(problem.detail ?? problem.title ?? "the service answered with an error");
    this.name = "Problem";
    this.status = problem.status ?? 500;
    this.type = problem.type ?? "";
    this.title = problem.title ?? "";
    this.hint = problem.hint ?? "";
  }
}

export class Offline extends Error {
  constructor() {
    super("the service cannot be reached");
    this.name = "Offline";
  }
}

export const DOWN = "The connection is down. You can play on with what is known here; the rest comes when it is back.";

/** @param {unknown} error */
export function givenUp(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
