/** A sequence of moves that is typed, pasted or in the address; and the game so far as one. */

import { Problem } from "./problem.js";

/** No distances are needed: a search need not look at more states. */
const RULES_ALONE = /** @type {GradeOptions} */ ({ hints: [], max_states: 1 });

/** @param {Controls} controls */
export function sequences({ byId, player, host }) {
  const { game, puzzle } = player;
  const field = /** @type {HTMLInputElement} */ (byId("sequence-field"));
  player.on("change", () => {
    byId("sequence-made").replaceChildren(game.made.join(" "));
    byId("sequence-link").setAttribute("href", linkOf(game));
    byId("sequence-link").hidden = !game.canUndo;
    say("");
  });
  byId("sequence-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await replay(field.value)) field.value = "";
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !(event.target instanceof HTMLInputElement)) replay(text);
  });

  /** Tells whether every move was legal; otherwise none is made. @param {string} text */
  async function replay(text) {
    const words = text.replaceAll("’", "'").split(/[\s,]+/).filter(Boolean);
    if (words.length === 0) return false;
    await player.settled;
    const { state } = game;
    try {
      const { steps, illegal } = await puzzle.grade(state, words, RULES_ALONE);
      if (game.state !== state) return false;
      if (illegal) return refuse(text, `Move ${illegal.step}: ${illegal.reason}.`);
      const last = steps.pop();
      if (steps.length > 0) game.playAll(steps.map(({ move }) => move), [state, ...steps.map((step) => step.state)]);
      if (last) game.play(last.move, last.state);
      return true;
    } catch (error) {
      if (error instanceof Problem) return refuse(text, `${error.message}.`);
      host.tell(error);
      return false;
    }
  }

  /** @param {string} text @param {string} reason */
  function refuse(text, reason) {
    byId("sequence").setAttribute("open", "");
    field.value = text;
    say(reason);
    return false;
  }

  /** @param {string} reason */
  function say(reason) {
    byId("sequence-error").replaceChildren(reason);
    if (reason) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  return replay;
}

/** The address of a game: where it began, and its moves. @param {Game} game */
function linkOf({ start, made }) {
  const address = new URL(location.href);
  address.searchParams.set("state", start);
  address.searchParams.set("moves", made.join(" "));
  address.hash = "";
  return address.href;
}
