/** New positions: of a named difficulty, of the day, or at a distance. */

/** @import { About } from "./answers.js" */
/** @import { Player } from "./player.js" */
import { counted, html } from "./dom.js";

/** Buttons for new positions. Of the hardest difficulty are the states farthest from solved, the antipodes. */
export class NewPositions {
  /**
   * @param {HTMLElement} element
   * @param {Player} player
   * @param {About} about
   * @param {(error: unknown) => void} tell
   */
  constructor(element, player, about, tell) {
    this.element = element;
    this.player = player;
    this.tell = tell;
    const levels = about.table === null ? [] : about.difficulties.filter(({ distance }) => distance !== null);
    /** Fields of `random` for a position to begin with. @type {{ difficulty?: string }} */
    this.first = levels[0] ? { difficulty: levels[0].name } : {};
    element.replaceChildren(
      this.#button("Start", "where play begins", () => this.#begin(player.puzzle.board())),
      ...levels.map(({ name, distance }) =>
        this.#button(capital(name), meaning(distance ?? 0, about.gods_number), () => this.draw({ difficulty: name })),
      ),
      levels.length > 0 ? "" : this.#button("Scramble", "a random position", () => this.draw({})),
      this.#button("Daily", "the same for everyone today", () => this.draw({ daily: "today" })),
    );
  }

  /**
   * Begin at a random position.
   * @param {{ difficulty?: string, daily?: string, min?: number, max?: number }} fields
   */
  draw(fields) {
    return this.#begin(this.player.puzzle.random(fields));
  }

  /** @param {Promise<{ state: string }>} drawn */
  async #begin(drawn) {
    this.element.setAttribute("aria-busy", "true");
    try {
      await this.player.open((await drawn).state);
    } catch (error) {
      this.tell(error);
    } finally {
      this.element.setAttribute("aria-busy", "false");
    }
  }

  /**
   * @param {string} text
   * @param {string} title
   * @param {() => void} click
   */
  #button(text, title, click) {
    return html("button", { type: "button", title, click }, text);
  }
}

/**
 * @param {number} distance
 * @param {import("./answers.js").Count | null} farthest
 */
function meaning(distance, farthest) {
  return `${counted(distance, "move")} from solved${distance === farthest ? ", the farthest there are" : ""}`;
}

/** @param {string} name */
function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
