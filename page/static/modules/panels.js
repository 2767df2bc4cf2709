import { button, html, number } from "./dom.js";
import { showHistogram } from "./histogram.js";
import { givenUp } from "./problem.js";
import { solutionPlayer } from "./solution.js";
import { showTiles } from "./tiles.js";
import { isConstructed, searchingFor, unknown } from "./truth.js";

const SOLUTIONS = 2000;

/** @param {Controls} controls @param {NewPositions} positions */
export function showPanels({ byId, player, truth, about, host }, positions) {
  const { game, puzzle } = player;
  /** @type {ReturnType<typeof solutionPlayer> | null} */
  let solution = null;

  /** @type {Record<string, (body: HTMLElement) => Promise<void>>} */
  const panels = {
    truth: async (body) => {
      const found = await lookup(body);
      if (!found) return;
      showTiles(body, player, found);
      if (found.distance !== 0 && found.moves.some(({ optimal }) => optimal)) game.help(3);
    },
    "so-far": async (body) => {
      const { showGraph } = await import("./graph.js");
      if (!truth.searched) await puzzle.lookAhead(game.states.slice(-1000));
      showGraph(body, player);
    },
    solution: solve,
    "all-states": async (body) => {
      if (about.table === null || about.gods_number === null) {
        say(body, "Only a table knows how many states lie at each distance.");
        return;
      }
      const histogram = await puzzle.histogram();
      await truth.ask(game.state).catch(() => null);
      const here = /** @type {number | null | undefined} as in every table */ (puzzle.knownDistance(game.state));
      showHistogram(body, histogram, here, (min, max) => positions.draw({ min, max }));
    },
  };

  for (const [id, fill] of Object.entries(panels)) {
    const panel = byId(id);
    const body = /** @type {HTMLElement} */ (panel.querySelector(".body"));
    const refill = () => {
      if (!panel.hasAttribute("open") || !game.state) return;
      fill(body).catch((error) => {
        say(body, givenUp(error) ? "You gave the search up." : String(error?.message ?? error));
        host.tell(error);
      });
    };
    panel.addEventListener("toggle", () => {
      if (id === "solution" && !panel.hasAttribute("open")) leave();
      refill();
    });
    player.on("change", refill);
    if (id === "truth") player.on("board", refill);
    puzzle.service.addEventListener("connection", refill);
  }
  truth.on("progress", (progress) => {
    for (const said of document.querySelectorAll(".searching")) said.textContent = searchingFor(progress);
  });

  /** @param {HTMLElement} body */
  async function solve(body) {
    leave();
    const found = await lookup(body);
    if (!found) return;
    if (truth.searched) searching(body);
    const steps = isConstructed(found) ? await listed(found.state) : found.distance;
    if (game.state !== found.state) return;
    if (!steps) {
      say(body, found.distance === 0 ? "This is solved." : unknown(found));
      return;
    }
    const shown = solutionPlayer(player, truth, found.state, BigInt(steps));
    const known = await shown.begin();
    if (game.state !== found.state) return;
    if (!known) {
      say(body, "The search ended before it had a solution.");
      return;
    }
    solution = shown;
    game.help(4);
    const count = say(body, found.distance === null ? unknown(found) : "");
    count.before(shown.element);
    if (Number(steps) > SOLUTIONS || truth.searched) return;
    const { optimal_count: solutions } = await puzzle.solve(found.state, { all: 1, limit: 1 });
    if (solutions) count.textContent = solutions === 1 ? "It is the only shortest solution." : `One of ${number(solutions)} shortest solutions.`;
  }

  /** A move with an amount stands for many. @param {string} state */
  async function listed(state) {
    for (let offset = 0; ; ) {
      const part = await puzzle.solve(state, { offset });
      if (part.next === null) return offset + part.solution.length;
      offset = Number(part.next);
    }
  }

  /** Null when another state has come in the meantime. @param {HTMLElement} body */
  async function lookup(body) {
    const { state } = game;
    if (truth.searched && !puzzle.knownLookup(state)) searching(body);
    const found = await truth.ask(state);
    return game.state === state ? found : null;
  }

  /** @param {HTMLElement} body */
  function searching(body) {
    body.replaceChildren(html("div", { class: "search" },
      html("span", { class: "searching" }, searchingFor(null)),
      html("progress", { "aria-label": "Search" }),
      button("Give up", () => truth.giveUp())));
  }

  /** @param {HTMLElement} body @param {string} words */
  function say(body, words) {
    const said = html("p", { class: "soft" }, words);
    body.replaceChildren(said);
    return said;
  }

  function leave() {
    solution?.leave();
    solution = null;
  }
}
