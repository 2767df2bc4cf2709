/** The page that plays one puzzle: puts the board, the help and the panels together. */

/** @import { About } from "./modules/answers.js" */
import { Address } from "./modules/address.js";
import { Offline, Problem, Service } from "./modules/client.js";
import { html, number } from "./modules/dom.js";
import { askedAhead } from "./modules/asked_ahead.js";
import { Controls } from "./modules/controls.js";
import { Hints } from "./modules/hints.js";
import { newPositions } from "./modules/new_positions.js";
import { Panels } from "./modules/panels.js";
import { Player } from "./modules/player.js";
import { Position } from "./modules/position.js";
import { Truth } from "./modules/truth.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const goal = new URLSearchParams(location.search).get("goal");
const service = new Service(new URL(main.dataset["base"] ?? "/", location.href), askedAhead());
const puzzle = service.puzzle(main.dataset["puzzle"] ?? "", { goal });
const player = new Player(/** @type {SVGSVGElement} */ (document.querySelector("#board")), puzzle);

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {unknown} error */
function tell(error) {
  const notice = byId("notice");
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Problem) notice.replaceChildren(html("strong", {}, error.message), ` ${error.hint}`);
  else if (error instanceof Offline) notice.textContent = OFFLINE;
  else throw error;
  notice.hidden = false;
}

const OFFLINE = "The connection is down. You can play on with what is known here; the rest comes when it is back.";

service.addEventListener("connection", () => {
  const notice = byId("notice");
  notice.textContent = service.connected ? "" : OFFLINE;
  notice.hidden = service.connected;
});
player.addEventListener("problem", (event) => tell(/** @type {CustomEvent} */ (event).detail));
player.addEventListener("change", () => {
  if (service.connected) byId("notice").hidden = true;
});

/** @param {About} about */
function complete(about) {
  const truth = new Truth(puzzle, about);
  const hints = new Hints(player, truth);
  player.lookAhead = !truth.searched;
  const address = new Address(player);
  const controls = new Controls(byId, player, hints, truth, address, tell);
  new Panels(byId, player, truth, about, tell);
  const position = new Position(byId, player, about);
  const chosen = (/** @type {Promise<string>} */ state) => {
    controls.busy(true);
    state.then((text) => player.open(text)).catch(tell).finally(() => controls.busy(false));
  };
  byId("positions").replaceChildren(...newPositions(about, puzzle, chosen));
  byId("positions").addEventListener("distance", (event) => {
    const { min, max } = /** @type {CustomEvent} */ (event).detail;
    chosen(puzzle.random({ min, max }).then(({ state }) => state));
  });
  if (about.states !== null) {
    const farthest = about.gods_number === null ? "" : `, none more than ${number(about.gods_number)} moves from solved`;
    byId("facts").textContent = `${number(about.states)} states${farthest}`;
  }
  return { address, position };
}

try {
  const asked = Address.state();
  const board = puzzle.board(asked).catch((error) => error);
  const { address, position } = complete(await puzzle.about());
  const first = await board;
  if (first instanceof Error) {
    await player.open();
    position.refused(asked ?? "", first);
  } else if (!address.resume()) {
    await player.open(asked);
  }
  main.dataset["ready"] = "";
} catch (error) {
  tell(error);
}
