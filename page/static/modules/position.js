import { html } from "./dom.js";
import { said } from "./notice.js";
import { Problem } from "./problem.js";

/** @param {Controls} controls @param {Service | null} service */
export function showPosition({ byId, player, about }, service) {
  const { game, puzzle } = player;
  const field = /** @type {HTMLInputElement} */ (byId("state"));
  const goal = /** @type {HTMLInputElement} */ (byId("goal"));
  player.on("change", () => {
    field.value = game.state;
    say(field, byId("state-error"), null);
    say(field, byId("board-problem"), null);
  });
  byId("state-form").addEventListener("submit", (event) => {
    event.preventDefault();
    player.open(field.value.trim()).catch((error) => refused(field.value, error));
  });
  byId("copy").addEventListener("click", copy);
  if (service) {
    byId("goal-names").replaceChildren(...about.goals.map(({ name }) => html("option", { value: name })));
    goal.value = puzzle.goal ?? about.goals[0]?.name ?? "";
    byId("goal-form").addEventListener("submit", (event) => {
      event.preventDefault();
      setGoal(goal.value.trim()).catch((error) => say(goal, byId("goal-error"), error));
    });
  }

  /** @param {string} text @param {unknown} error @param {HTMLElement} [place] */
  function refused(text, error, place = byId("state-error")) {
    byId("position").setAttribute("open", "");
    field.value = text;
    say(field, place, error);
  }

  /** A goal is another page: its distances are others. @param {string} name */
  async function setGoal(name) {
    if (name === (puzzle.goal ?? "")) return;
    await service?.puzzle(puzzle.name, { goal: name }).board();
    const address = new URL(location.href);
    address.search = "";
    address.searchParams.set("goal", name);
    location.assign(address);
  }

  async function copy() {
    const button = byId("copy");
    try {
      await navigator.clipboard.writeText(game.state);
      button.textContent = "Copied";
    } catch {
      field.select();
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  }

  /** @param {HTMLInputElement} input @param {HTMLElement} place @param {unknown} error */
  function say(input, place, error) {
    input.toggleAttribute("aria-invalid", false);
    if (error) input.setAttribute("aria-invalid", "true");
    place.replaceChildren();
    if (error instanceof Problem) place.append(...said(error));
    else if (error instanceof Error) place.append(error.message);
  }

  return refused;
}
