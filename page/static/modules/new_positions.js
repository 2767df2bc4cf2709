/** New positions: by a word, a level, the day or a distance. */

import { counted, html } from "./dom.js";
import { Offline } from "./problem.js";
import { gameOf, kindOf, noteKind, today } from "./progress.js";
import { wordFor } from "./truth.js";

const DAILY = "medium";
/** Milliseconds that a page waits for its first position before it finds one itself. */
const PATIENCE = 3000;
const MIXED = { turns: 30, walk: "no-undo" };

export class NewPositions {
  #turned;

  /** @param {Controls} controls @param {string} name @param {string} begin */
  constructor({ byId, player, about, host }, name, begin) {
    this.element = byId("positions");
    this.player = player;
    this.name = name;
    this.tell = host.tell;
    this.title = about.title;
    this.words = about.difficulties;
    this.levels = about.levels;
    /** Random turns mix, for the way back: a search may find none. */
    this.#turned = begin !== "" && ["none", "layers"].includes(about.coverage);
    const choices = this.levels.map((level) => html("option", { value: level.name }, described(level)));
    const select = html("select", { id: "level" }, ...choices);
    const play = html("button", { type: "button", click: () => this.draw({ difficulty: select.value }) }, "Play");
    this.element.replaceChildren(
      ...this.words.map((word) => this.#button(titled(word), rangeOf(word), () => this.draw({ difficulty: word.name }))),
      this.words.length > 0 ? "" : this.#button("Scramble", "a random position", () => this.draw(this.#turned ? MIXED : {})),
      this.#button("Daily", "for everyone", () => this.draw({ daily: today(), ...(this.words.length > 0 && { difficulty: DAILY }) })),
      this.#button("Start", "the beginning", () => this.#begin(player.puzzle.board(), {})),
      this.levels.length > 0 ? html("div", { class: "level" }, html("label", { for: "level" }, "Levels"), select, play) : "",
    );
  }

  /** @type {Kind} */
  get first() {
    return this.words[0] ? { difficulty: this.words[0].name } : {};
  }

  /** Else the word for its distance, where that is known. */
  get kind() {
    const { game, puzzle } = this.player;
    const kind = kindOf(gameOf(puzzle, game.start));
    if (kind.daily || kind.difficulty) return kind;
    const word = wordFor(this.words, puzzle.knownDistance(game.start));
    return word ? { difficulty: word.name } : {};
  }

  get said() {
    const { daily, difficulty } = this.kind;
    const known = this.#of(difficulty);
    return [daily ? `daily ${daily}` : "", known ? described(known).toLowerCase() : ""].filter(Boolean).join(", ");
  }

  get harder() {
    const { difficulty } = this.kind;
    const ladder = this.levels.some(({ name }) => name === difficulty) ? this.levels : this.words;
    const known = this.#of(difficulty);
    const after = ladder[ladder.findIndex((each) => each === known) + 1];
    return difficulty && after ? { difficulty: after.name } : null;
  }

  get next() {
    const { difficulty } = this.kind;
    return difficulty ? { difficulty } : this.first;
  }

  /** @param {Kind & { min?: number, max?: number, turns?: number, walk?: string }} fields */
  draw(fields) {
    const { min, turns, ...kind } = fields;
    return this.#begin(this.player.puzzle.random(fields), min === turns ? kind : {});
  }

  /** Where asking fails or takes long, a position is found here. @param {Promise<{ state: string }>} drawn @param {Kind} kind */
  async beginWith(drawn, kind) {
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const found = Promise.race([drawn.catch((error) => kind.daily && this.tell(error)), late]);
    await this.player.open(found.then((one) => (one ? this.#noted(/** @type {{ state: string }} */ (one), kind) : this.#walked())));
  }

  async walk() {
    return (await import("./walks.js")).walk(this.player.puzzle);
  }

  async #walked() {
    return this.#noted(await this.walk(), {});
  }

  /** @param {Promise<{ state: string } & Partial<Random>>} drawn @param {Kind} kind */
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

  /** @param {{ state: string } & Partial<Random>} found @param {Kind} kind */
  #noted({ state, distance, scramble }, kind) {
    noteKind(gameOf(this.player.puzzle, state), distance === null ? { ...kind, scramble } : kind);
    return state;
  }

  /** @param {string | undefined} name */
  #of(name) {
    const found = [...this.words, ...this.levels].find((each) => each.name === name);
    return found ?? (name === DAILY ? this.words.filter(({ name: word }) => word !== "hardest").at(-1) : undefined);
  }

  /** @param {string} text @param {string} meaning @param {() => void} click */
  #button(text, meaning, click) {
    return html("button", { type: "button", click }, html("span", {}, text), html("small", {}, meaning));
  }
}

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
