/** What is said and pressed around a board, on the page and in <puzzle-base>. */

import { showChips } from "./chips.js";
import { button, counted, html } from "./dom.js";
import { hintsOf, NEXT } from "./hints.js";
import { backButton, backWords } from "./lost.js";
import { Offline } from "./problem.js";
import { sentence, starRow, worthOf } from "./stars.js";
import { Truth } from "./truth.js";
import { boardInWords, changesInWords } from "./words.js";

const DOWN = "The connection is down, and this hint is not known here. It comes when the connection is back.";
const BRIEFLY = 3500;

/**
 * What is shown has the same ids on the page and in the element.
 * @param {ById} byId @param {Player} player @param {About} about @param {Host} host
 */
export function controlsOf(byId, player, about, host) {
  const { game, puzzle, view } = player;
  const truth = new Truth(puzzle, about);
  const hints = hintsOf(player, truth);
  const helper = byId("hint");
  const solved = byId("solved");
  const live = byId("live");
  let telling = 0;
  /** Not announced yet. */
  let news = "";
  /** @type {Board | null} */
  let lastBoard = null;
  player.lookAhead = !truth.searched;

  player.on("change", changed);
  player.on("board", arrived);
  player.on("told", tellBriefly);
  player.on("typed", (keys) => (byId("typed").textContent = keys));
  hints.events.on("hint", ({ text, back }) => {
    byId("hint-text").replaceChildren(text, backButton(player, back));
    quiet();
    if (text) live.textContent = back ? `${text} ${backWords(back)}.` : text;
  });
  const presses = { undo: () => go(-1), redo: () => go(1), restart, next: () => host.scramble() };
  for (const [id, press] of Object.entries(presses)) byId(id)?.addEventListener("click", press);
  helper.addEventListener("click", () => helper.getAttribute("aria-disabled") || hint());
  host.keys.addEventListener("keydown", (/** @type {any} */ event) => {
    const key = event.key.toLowerCase();
    const other = !(event.ctrlKey || event.metaKey) || event.altKey || event.target instanceof HTMLInputElement;
    if (other || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    go(key === "y" || event.shiftKey ? 1 : -1);
  });

  /** @param {number} by */
  function go(by) {
    if (byId("editor")?.hidden === false) byId("undo-edit").click();
    else if (by < 0 ? game.canUndo : by > 0 && game.canRedo) host.go(by);
  }

  function restart() {
    go(-game.at);
  }

  async function hint() {
    helper.setAttribute("aria-busy", "true");
    try {
      await hints.next();
    } catch (error) {
      if (error instanceof Offline) byId("hint-text").textContent = DOWN;
      host.tell(error);
    } finally {
      helper.setAttribute("aria-busy", "false");
    }
  }

  /** @param {Change} detail */
  function changed({ kind, move }) {
    for (const [id, on] of Object.entries({ undo: game.canUndo, redo: game.canRedo, restart: game.canUndo })) {
      byId(id).toggleAttribute("disabled", !on);
    }
    solved.hidden = true;
    byId("board").parentElement?.classList.remove("won");
    if (kind !== "move") quiet();
    /** @type {Record<string, string>} */
    const others = { undo: `Took back ${move}`, jump: `Step ${game.at}`, line: `Step ${game.at}`, begin: "New position" };
    news = others[kind] ?? move;
    announce();
    if (kind === "move") end().catch(host.tell);
    else offer();
  }

  async function end() {
    const { state } = game;
    if (!(await truth.solved(state))) return;
    if (truth.searched) {
      await player.settled;
      show(!host.stars(), html("p", {}, `Solved in ${counted(game.at, "move")}. A search looks for the fewest.`));
    }
    const worth = await worthOf(player);
    await player.settled;
    if (game.state !== state) return;
    hints.clear();
    show(!host.stars(), starRow(worth.stars), html("p", {}, sentence(worth)), ...host.ended(worth));
    byId("board").parentElement?.classList.add("won");
    view.celebrate();
    quiet();
    live.textContent = `${game.moves[game.at - 1]}. ${sentence(worth)} ${worth.stars} of 3 stars.`;
  }

  /** What was done and changed; the distance if it was asked for. */
  function announce() {
    const { board } = player;
    const awaited = board?.state !== game.state && puzzle.service.connected;
    if (!news || awaited) return;
    const asked = hints.step > 0 || byId("truth")?.hasAttribute("open");
    const distance = asked ? puzzle.knownDistance(game.state) : undefined;
    const far = distance !== undefined && distance !== null ? ` ${counted(distance, "move")} from solved.` : "";
    const changes = lastBoard && board && game.at > 0 ? changesInWords(lastBoard, board) : "";
    live.textContent = `${news}${changes && `: ${changes}`}.${far}`;
    news = "";
    lastBoard = board;
  }

  function arrived() {
    const { board } = player;
    if (!board) return;
    showChips(byId("moves"), board.moves, player);
    view.element.dataset["state"] = board.state;
    byId("words").textContent = boardInWords(board);
    announce();
    quiet();
    offer();
  }

  function atGoal() {
    const { board } = player;
    return board !== null && board.state === game.state && board.state === board.solved;
  }

  /** The button stays where it is for those who have it in focus. */
  function quiet() {
    const done = puzzle.knownDistance(game.state) === 0 || atGoal();
    if (done) helper.setAttribute("aria-disabled", "true");
    else helper.removeAttribute("aria-disabled");
    byId("hint-next").textContent = done ? "solved" : (NEXT[hints.step] ?? "");
  }

  /** @param {string} text */
  function tellBriefly(text) {
    const told = byId("told");
    live.textContent = told.textContent = text;
    told.hidden = false;
    clearTimeout(telling);
    telling = setTimeout(() => (told.hidden = true), BRIEFLY);
  }

  function offer() {
    if (game.moves.length > 0 || !atGoal()) return;
    const scramble = button("Scramble it", () => host.scramble(), { part: "button" });
    show(false, html("p", {}, "This is the goal itself. Begin somewhere else:"), scramble);
  }

  /** @param {boolean} hidden @param {...Node} said */
  function show(hidden, ...said) {
    solved.replaceChildren(...said);
    solved.hidden = hidden;
  }

  return { byId, player, about, host, truth, hints, go, restart, hint };
}
