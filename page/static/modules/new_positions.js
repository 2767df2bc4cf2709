/** New positions: by a word, by the number of a level, of the day, or at a distance; each says how far it is. */

/** @import { About, Difficulty, Random } from "./answers.js" */
/** @import { Player } from "./player.js" */
/** @import { Kind } from "./progress.js" */
import { counted, html } from "./dom.js";
import { Offline } from "./problem.js";
import { gameOf, kindOf, noteKind, today } from "./progress.js";

/** The difficulty of daily games. */
const DAILY = "medium";
/** How long a page waits for its first position, in ms, before it finds one itself. */
const PATIENCE = 3000;
/** Fields of `random` for a position far from the goal, with its scramble. */
const MIXED = { turns: 30, walk: "no-undo" };

/** Buttons for new positions. Of the hardest difficulty are the states farthest from solved, the antipodes. */
export class NewPositions {
  #turned;

  /**
   * @param {HTMLElement} element
   * @param {Player} player
   * @param {About} about
   * @param {string} name of the page: a published table of another goal has its own
   * @param {(error: unknown) => void} tell
   * @param {string} begin the fields of `random` at first, "" for a game's own start
   */
  constructor(element, player, about, name, tell, begin) {
    this.element = element;
    this.player = player;
    this.name = name;
    this.tell = tell;
    this.title = about.title;
    this.words = about.difficulties;
    this.levels = about.levels;
    /** Whether random turns mix, for the way back: a search may find none. */
    this.#turned = begin !== "" && ["none", "layers"].includes(about.coverage);
    const choices = this.levels.map((level) => html("option", { value: level.name }, described(level)));
    const select = html("select", { id: "level" }, ...choices);
    const play = html("button", { type: "button", click: () => this.draw({ difficulty: select.value }) }, "Play");
    element.replaceChildren(
      ...this.words.map((word) => this.#button(titled(word), rangeOf(word), () => this.draw({ difficulty: word.name }))),
      this.words.length > 0 ? "" : this.#button("Scramble", "a random position", () => this.draw(this.#turned ? MIXED : {})),
      this.#button("Daily", "for everyone", () => this.draw(this.daily)),
      this.#button("Start", "the beginning", () => this.#begin(player.puzzle.board(), {})),
      this.levels.length > 0 ? html("div", { class: "level" }, html("label", { for: "level" }, "Levels"), select, play) : "",
    );
  }

  /** Fields of `random` for the game of today. @type {Kind} */
  get daily() {
    return { daily: today(), ...(this.words.length > 0 ? { difficulty: DAILY } : {}) };
  }

  /** Fields of `random` for a position to begin with. @type {Kind} */
  get first() {
    return this.words[0] ? { difficulty: this.words[0].name } : {};
  }

  /** What the present game was begun as; else the word for its distance, where that is known. @returns {Kind} */
  get kind() {
    const { game, puzzle } = this.player;
    const kind = kindOf(gameOf(puzzle, game.start));
    if (kind.daily || kind.difficulty) return kind;
    const distance = Number(puzzle.knownDistance(game.start) ?? 0);
    const word = this.words.find(({ min, max }) => min <= distance && distance <= max);
    return word ? { difficulty: word.name } : {};
  }

  /** The same in words, as "easy, 4 to 6 moves". */
  get said() {
    const { daily, difficulty } = this.kind;
    const known = this.#of(difficulty);
    return [daily ? `daily ${daily}` : "", known ? described(known).toLowerCase() : ""].filter(Boolean).join(", ");
  }

  /** The next word or level after that of the present game; null at the top. @returns {Kind | null} */
  get harder() {
    const { difficulty } = this.kind;
    const ladder = this.levels.some(({ name }) => name === difficulty) ? this.levels : this.words;
    const after = ladder[ladder.indexOf(this.#of(difficulty) ?? NOWHERE) + 1];
    return difficulty && after ? { difficulty: after.name } : null;
  }

  /** One more of the same difficulty. @returns {Kind} */
  get next() {
    const { difficulty } = this.kind;
    return difficulty ? { difficulty } : this.first;
  }

  /**
   * Begin at a random position.
   * @param {Kind & { min?: number, max?: number, turns?: number, walk?: string }} fields those of \`random\`
   */
  draw(fields) {
    const { min, turns, ...kind } = fields;
    return this.#begin(this.player.puzzle.random(fields), min === turns ? kind : {});
  }

  /**
   * Begin at the position that the page has asked for, or at one that is found here where that fails or takes long.
   * @param {Promise<{ state: string }>} drawn
   * @param {Kind} kind
   */
  async beginWith(drawn, kind) {
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const found = Promise.race([drawn.catch((error) => kind.daily && this.tell(error)), late]);
    await this.player.open(found.then((one) => (one ? this.#noted(/** @type {{ state: string }} */ (one), kind) : this.#walked())));
  }

  /** A position some random turns from the goal, found here. */
  async walk() {
    return (await import("./walks.js")).walk(this.player.puzzle);
  }

  async #walked() {
    return this.#noted(await this.walk(), {});
  }

  /**
   * @param {Promise<{ state: string } & Partial<Random>>} drawn
   * @param {Kind} kind
   */
  async #begin(drawn, kind) {
    this.element.setAttribute("aria-busy", "true");
    try {
      await this.player.open(drawn.then((found) => this.#noted(found, kind)));
    } catch (error) {
      this.tell(error);
      if (error instanceof Offline && !kind.daily) await this.player.open(this.#walked());
    } finally {
      this.element.setAttribute("aria-busy", "false");
    }
  }

  /**
   * The state of a position, whose kind is noted.
   * @param {{ state: string } & Partial<Random>} found
   * @param {Kind} kind
   */
  #noted({ state, distance, scramble }, kind) {
    noteKind(gameOf(this.player.puzzle, state), distance === null ? { ...kind, scramble } : kind);
    return state;
  }

  /** @param {string | undefined} name of a word or a level */
  #of(name) {
    const found = [...this.words, ...this.levels].find((each) => each.name === name);
    return found ?? (name === DAILY ? this.words.filter(({ name: word }) => word !== "hardest").at(-1) : undefined);
  }

  /**
   * @param {string} text
   * @param {string} meaning
   * @param {() => void} click
   */
  #button(text, meaning, click) {
    return html("button", { type: "button", click }, html("span", {}, text), html("small", {}, meaning));
  }
}

/** @type {Difficulty} */
const NOWHERE = { name: "", min: 0, max: 0, percentile: 0 };

/** @param {Difficulty} difficulty */
function described(difficulty) {
  return `${titled(difficulty)}, ${rangeOf(difficulty)}`;
}

/** @param {Difficulty} difficulty */
function titled({ name }) {
  if (name === "first") return "First steps";
  return /^\d+$/.test(name) ? `Level ${name}` : name.charAt(0).toUpperCase() + name.slice(1);
}

/** @param {Difficulty} difficulty */
function rangeOf({ min, max }) {
  return min === max ? counted(max, "move") : `${min} to ${counted(max, "move")}`;
}
