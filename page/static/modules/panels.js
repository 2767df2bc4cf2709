/** The panels that stay folded until asked for. */

import { html, number } from "./dom.js";
import { showHistogram } from "./histogram.js";
import { givenUp } from "./problem.js";
import { SolutionPlayer } from "./solution.js";
import { showTiles } from "./tiles.js";
import { isConstructed, searchingFor, unknown } from "./truth.js";

const SOLUTIONS = 2000;

export class Panels {
  /** @type {SolutionPlayer | null} */
  #solution = null;
  /** @type {Record<string, (body: HTMLElement) => Promise<void>>} */
  #panels = {
    truth: async (body) => {
      const found = await this.#found(body);
      if (!found) return;
      showTiles(body, this.player, found);
      if (found.distance !== 0 && found.moves.some(({ optimal }) => optimal)) this.player.game.help(3);
    },
    "so-far": async (body) => {
      const { showGraph } = await import("./graph.js");
      if (!this.truth.searched) await this.player.puzzle.lookAhead(this.player.game.states.slice(-1000));
      showGraph(body, this.player);
    },
    solution: (body) => this.#solve(body),
    "all-states": async (body) => {
      if (this.about.table === null || this.about.gods_number === null) {
        body.replaceChildren(html("p", { class: "soft" }, "Only a table knows how many states lie at each distance."));
        return;
      }
      const { game, puzzle } = this.player;
      const histogram = await puzzle.histogram();
      await this.truth.ask(game.state).catch(() => null);
      const here = /** @type {number | null | undefined} as in every table */ (puzzle.knownDistance(game.state));
      showHistogram(body, histogram, here, (min, max) => this.positions.draw({ min, max }));
    },
  };

  /** @param {Controls} controls @param {NewPositions} positions */
  constructor({ byId, player, truth, about, host }, positions) {
    this.player = player;
    this.truth = truth;
    this.about = about;
    this.positions = positions;
    truth.on("progress", (progress) => {
      for (const said of document.querySelectorAll(".searching")) said.textContent = searchingFor(progress);
    });
    for (const [id, fill] of Object.entries(this.#panels)) {
      const panel = byId(id);
      const body = /** @type {HTMLElement} */ (panel.querySelector(".body"));
      const refill = () => {
        if (!panel.hasAttribute("open") || !player.game.state) return;
        fill(body).catch((error) => {
          body.replaceChildren(html("p", { class: "soft" }, givenUp(error) ? "You gave the search up." : String(error?.message ?? error)));
          host.tell(error);
        });
      };
      panel.addEventListener("toggle", () => {
        if (id === "solution" && !panel.hasAttribute("open")) this.#leave();
        refill();
      });
      player.on("change", refill);
      if (id === "truth") player.on("board", refill);
      player.puzzle.service.addEventListener("connection", refill);
    }
  }

  /** @param {HTMLElement} body */
  async #solve(body) {
    this.#leave();
    const found = await this.#found(body);
    if (!found) return;
    if (this.truth.searched) body.replaceChildren(this.#searching());
    const steps = isConstructed(found) ? await this.#steps(found.state) : found.distance;
    if (this.player.game.state !== found.state) return;
    if (!steps) {
      body.replaceChildren(html("p", { class: "soft" }, found.distance === 0 ? "This is solved." : unknown(found)));
      return;
    }
    const solution = new SolutionPlayer(this.player, this.truth, found.state, BigInt(steps));
    const known = await solution.begin();
    if (this.player.game.state !== found.state) return;
    if (!known) {
      body.replaceChildren(html("p", { class: "soft" }, "The search ended before it had a solution."));
      return;
    }
    this.#solution = solution;
    this.player.game.help(4);
    const count = html("p", { class: "soft" });
    body.replaceChildren(solution.element, count);
    if (found.distance === null) count.textContent = unknown(found);
    if (Number(steps) > SOLUTIONS || this.truth.searched) return;
    const { optimal_count: solutions } = await this.player.puzzle.solve(found.state, { all: 1, limit: 1 });
    if (solutions) count.textContent = solutions === 1 ? "It is the only shortest solution." : `One of ${number(solutions)} shortest solutions.`;
  }

  /** A move with an amount stands for many. @param {string} state */
  async #steps(state) {
    for (let offset = 0; ; ) {
      const { solution, next } = await this.player.puzzle.solve(state, { offset });
      if (next === null) return offset + solution.length;
      offset = Number(next);
    }
  }

  #searching() {
    return html("div", { class: "search" },
      html("span", { class: "searching" }, searchingFor(null)),
      html("progress", { "aria-label": "Search" }),
      html("button", { type: "button", click: () => this.truth.giveUp() }, "Give up"));
  }

  /** Null when another state has come in the meantime. @param {HTMLElement} body */
  async #found(body) {
    const { state } = this.player.game;
    if (this.truth.searched && !this.player.puzzle.knownLookup(state)) body.replaceChildren(this.#searching());
    const found = await this.truth.ask(state);
    return this.player.game.state === state ? found : null;
  }

  #leave() {
    this.#solution?.leave();
    this.#solution = null;
  }
}
