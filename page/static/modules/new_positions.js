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
    const words = about.difficulties;
    /** Fields of `random` for a position to begin with. @type {{ difficulty?: string }} */
    this.first = words[0] ? { difficulty: words[0].name } : {};
    element.replaceChildren(
      this.#button("Start", "where play begins", () => this.#begin(player.puzzle.board())),
      ...words.map((word) => this.#button(capital(word.name), meaning(word), () => this.draw({ difficulty: word.name }))),
      words.length > 0 ? "" : this.#button("Scramble", "a random position", () => this.draw({})),
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

/** @param {import("./answers.js").Difficulty} difficulty */
function meaning({ min, max }) {
  return `${min < max ? `${min} to ` : ""}${counted(max, "move")} from solved`;
}

/** @param {string} name */
function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
