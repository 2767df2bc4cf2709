import { html } from "./dom.js";
import { said } from "./notice.js";
import { Problem } from "./problem.js";

export class Position {
  /** @param {Controls} controls @param {Service | null} service */
  constructor({ byId, player, about }, service) {
    this.player = player;
    this.details = byId("position");
    this.state = /** @type {HTMLInputElement} */ (byId("state"));
    this.stateError = byId("state-error");
    player.on("change", () => {
      this.state.value = player.game.state;
      this.#say(this.state, this.stateError, null);
      this.#say(this.state, byId("board-problem"), null);
    });
    byId("state-form").addEventListener("submit", (event) => {
      event.preventDefault();
      player.open(this.state.value.trim()).catch((error) => this.refused(this.state.value, error));
    });
    byId("copy").addEventListener("click", () => this.#copy(byId("copy")));
    if (!service) return;
    const field = /** @type {HTMLInputElement} */ (byId("goal"));
    byId("goal-names").replaceChildren(...about.goals.map(({ name }) => html("option", { value: name })));
    field.value = player.puzzle.goal ?? about.goals[0]?.name ?? "";
    byId("goal-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#setGoal(field.value.trim(), service).catch((error) => this.#say(field, byId("goal-error"), error));
    });
  }

  /** @param {string} text @param {unknown} error @param {HTMLElement} [place] */
  refused(text, error, place = this.stateError) {
    this.details.setAttribute("open", "");
    this.state.value = text;
    this.#say(this.state, place, error);
  }

  /** A goal is another page: its distances are others. @param {string} goal @param {Service} service */
  async #setGoal(goal, service) {
    const { puzzle } = this.player;
    if (goal === (puzzle.goal ?? "")) return;
    await service.puzzle(puzzle.name, { goal }).board();
    const address = new URL(location.href);
    address.search = "";
    address.searchParams.set("goal", goal);
    location.assign(address);
  }

  /** @param {HTMLElement} button */
  async #copy(button) {
    try {
      await navigator.clipboard.writeText(this.player.game.state);
      button.textContent = "Copied";
    } catch {
      this.state.select();
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  }

  /** @param {HTMLInputElement} field @param {HTMLElement} place @param {unknown} error */
  #say(field, place, error) {
    field.toggleAttribute("aria-invalid", false);
    if (error) field.setAttribute("aria-invalid", "true");
    place.replaceChildren();
    if (error instanceof Problem) place.append(...said(error));
    else if (error instanceof Error) place.append(error.message);
  }
}
