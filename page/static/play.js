import { keepAddress, stateInAddress } from "./modules/address.js";
import { table } from "./modules/client.js";
import { controlsOf } from "./modules/controls.js";
import { brief, byId, counted } from "./modules/dom.js";
import { afterGame } from "./modules/ending.js";
import { newPositions } from "./modules/new_positions.js";
import { noticeIn, said } from "./modules/notice.js";
import { showLooks } from "./modules/looks.js";
import { keepForLater } from "./modules/offline.js";
import { showPanels } from "./modules/panels.js";
import { Player } from "./modules/player.js";
import { showPosition } from "./modules/position.js";
import { Problem } from "./modules/problem.js";
import { noteLeft, progress } from "./modules/progress.js";
import { sequences } from "./modules/sequence.js";
import { searchingFor } from "./modules/truth.js";
import { Service } from "./source/http.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const { puzzle: name = "", begin = "", daily = "", src } = main.dataset;
const base = new URL(main.dataset["base"] ?? "/", location.href);
const fields = new URLSearchParams(location.search);
const service = src === undefined ? new Service(base) : null;

/** @param {string} text */
const fieldsOf = (text) => Object.fromEntries(new URLSearchParams(text));

/** @param {Puzzle} puzzle */
async function play(puzzle) {
  const player = new Player(/** @type {SVGSVGElement} */ (document.querySelector("#board")), puzzle);
  const tell = noticeIn(byId("notice"), player);
  try {
    const asked = stateInAddress();
    const day = fields.get("daily");
    const moves = fields.get("moves");
    // Fields of `random` for the position to begin at; none where the address has a state, or a game its own start.
    const kind = asked !== undefined || moves !== null ? {} : day === null ? fieldsOf(begin) : { daily: day, ...fieldsOf(daily) };
    const drawn = Object.keys(kind).length > 0 ? puzzle.random(kind) : null;
    drawn?.catch(() => null); // who awaits it is told
    const board = drawn ? null : puzzle.board(asked).catch((error) => error);
    const about = await puzzle.about();
    const address = keepAddress(player);
    const controls = controlsOf(byId, player, about, {
      stars: () => true,
      keys: document,
      go: (by) => address.go(by),
      scramble: () => positions.draw(positions.first),
      ended(worth) {
        const after = afterGame(player, positions, worth, () => controls.restart());
        positions.mark();
        showDays?.();
        return after;
      },
      tell,
    });
    const positions = newPositions(controls, name, begin);
    /** @type {(() => void) | null} */
    let showDays = null;
    byId("dailies").addEventListener("toggle", async () => {
      const { calendar } = await import("./modules/calendar.js");
      showDays ??= calendar(/** @type {HTMLElement} */ (document.querySelector("#dailies .body")), (date) => progress().days[date]?.[name], positions.drawDay);
    });
    follow(controls, positions);
    showPanels(controls, positions);
    showLooks(controls);
    const refused = showPosition(controls, service);
    const replay = sequences(controls);
    byId("rules").toggleAttribute("open", !progress().solved[name]);
    const first = await board;
    if (drawn) {
      await positions.beginWith(drawn, kind);
    } else if (first instanceof Problem || !address.resume()) {
      await player.open(first instanceof Error ? undefined : asked);
      if (first instanceof Error) refused(asked ?? "", first, byId("board-problem"));
      else if (moves) await replay(moves);
    }
    player.on("change", () => noteLeft(name, location.search));
    main.dataset["ready"] = "";
    import("./modules/graph.js").catch(() => null); // a panel shows a game's graph without a connection too
    navigator.serviceWorker?.ready.then(() => positions.walk()).catch(() => null); // a game begins so: the worker keeps it
  } catch (error) {
    tell(error);
  }
}

/** @param {Controls} controls @param {NewPositions} positions */
function follow({ player, truth, hints }, positions) {
  const sayHowHard = () => (byId("kind").textContent = positions.said);
  player.on("change", ({ kind }) => {
    byId("count").textContent = counted(player.game.at, "move");
    sayHowHard();
    // Of a game that a link leads to as well, where a table knows.
    if (kind === "begin" && !truth.searched) truth.ask(player.game.start).then(sayHowHard, () => null);
  });
  hints.events.on("hint", ({ text, distance }) => {
    byId("badge").hidden = distance === null || text === "";
    byId("badge").textContent = distance === null ? "" : brief(distance);
  });
  truth.on("progress", (searching) => {
    byId("search").hidden = searching === null;
    if (searching) byId("search-text").textContent = searchingFor(searching);
  });
  byId("give-up").addEventListener("click", () => truth.giveUp());
}

try {
  await play(service?.puzzle(name, { goal: fields.get("goal") }) ?? (await table(src ?? "")));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  byId("board-problem").replaceChildren(...said(error));
}
const files = (main.dataset["keep"] ?? "").split(" ").filter(Boolean);
keepForLater(base, ["./", ...(service ? [`v1/puzzles/${name}/board`] : files.map((file) => `${name}/${file}`))]);
