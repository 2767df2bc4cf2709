/** @import * as api from "../puzzlebase.js" */

import { BEGIN, LOOKS, PuzzleAttributes, setText, textOf, upgrade } from "./attributes.js";
import { remedyOf, table } from "./client.js";
import { controlsOf } from "./controls.js";
import { Frame } from "./frame.js";
import { Player } from "./player.js";
import { DOWN, givenUp, Offline, Problem } from "./problem.js";
import { searchingFor, wordFor } from "./truth.js";
import { Service } from "../source/http.js";
import { HERE, serviceAt } from "./service_address.js";

const REMEDY = "Set the attribute service to one, as http://127.0.0.1:8080/, or leave it out for the service of the script.";

/** @implements {api.PuzzleBase} */
export class PuzzleBase extends PuzzleAttributes {
  static observedAttributes = [...BEGIN, ...LOOKS];

  /** @type {Controls | null} */
  #controls = null;
  /** @type {Service | null} */
  #service = null;
  #root;
  #frame;
  #stale = true;
  #waiting = false;
  /** Whether the state that is set is the present one. */
  #same = false;
  /** @type {Promise<void> | null} */
  #opening = null;
  /** What an earlier game still waited for comes too late. */
  #turn = 0;

  constructor() {
    super();
    // Where the page gives the element the focus, the board has it.
    this.#root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.#frame = new Frame(this.#root, this);
  }

  connectedCallback() {
    upgrade(this);
    this.#frame.dress();
    if (this.#stale) this.#beginSoon();
  }

  /** A game goes on where the element is put next; what could not begin looks for its service no longer. */
  disconnectedCallback() {
    if (this.#controls) return;
    this.#stale = true;
    this.#service?.close();
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (LOOKS.includes(name)) this.#frame.dress();
    else if (!this.#same && (before !== after || name === "state")) {
      this.#stale = true;
      if (this.isConnected) this.#beginSoon();
    }
  }

  /** @returns {string} */
  get state() {
    if (this.#stale || this.#opening) return this.getAttribute("state") ?? "";
    return this.#controls?.player.game.state ?? "";
  }

  set state(/** @type {string | null} */ state) {
    this.#same = state !== null && textOf(state) === this.state;
    setText(this, "state", state);
    this.#same = false;
  }

  /** The moves made so far. */
  get moves() {
    return this.#controls?.player.game.made ?? [];
  }

  undo() {
    this.#controls?.go(-1);
  }

  redo() {
    this.#controls?.go(1);
  }

  restart() {
    this.#controls?.restart();
  }

  /** @param {string} move */
  play(move) {
    return this.#controls?.player.play(move) ?? false;
  }

  async hint() {
    await this.#opening;
    await this.#controls?.hint();
  }

  /** @param {RandomOptions} [options] */
  async scramble(options) {
    await null; // attributes that were set just before begin their game first
    await this.#opening;
    const player = this.#controls?.player;
    if (!player) return false;
    const turn = ++this.#turn;
    try {
      const found = await player.puzzle.random(options);
      if (turn !== this.#turn) return false;
      await player.open(found.state);
      return true;
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
      return false;
    }
  }

  async next() {
    const { player, about } = this.#controls ?? {};
    const words = about?.difficulties ?? [];
    if (this.difficulty) return this.scramble({ difficulty: this.difficulty });
    if (words.length === 0) return this.scramble({ turns: 3 });
    const found = await player?.puzzle.lookup(player.game.start).catch(() => null);
    return this.scramble({ difficulty: (wordFor(words, found?.distance) ?? words[0])?.name ?? "" });
  }

  /** Attributes that change together begin one game. */
  #beginSoon() {
    this.#stale = true;
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (!this.isConnected) return;
      const opening = this.#begin().finally(() => {
        if (this.#opening === opening) this.#opening = null;
      });
      this.#opening = opening;
    });
  }

  async #begin() {
    const turn = ++this.#turn;
    this.#stale = false;
    this.#service?.close();
    this.#controls = null;
    this.#frame = new Frame(this.#root, this);
    if (!this.puzzle && !this.src) {
      this.#frame.refuse("No puzzle is named here.", 'Set the attribute or property puzzle, as puzzle="novice".');
      return;
    }
    try {
      await this.#open(turn);
    } catch (error) {
      if (turn !== this.#turn) return;
      const at = this.#service?.base.href ?? "";
      if (!this.isConnected) this.disconnectedCallback();
      const remedy = `Start it, or set the attribute service to the address of one that runs. This looks again until it answers.`;
      this.#controls = null;
      if (error instanceof Offline) this.#frame.refuse(`The service at ${at} cannot be reached.`, remedy);
      else if (error instanceof Problem && this.src) this.#frame.refuse(`${this.src}: ${error.message}.`, error.hint);
      else if (error instanceof Problem) this.#frame.refuse(error.message, short(remedyOf(error), at));
      else this.#frame.refuse(textOf(error), "");
      this.#tell("problem", { error });
    }
  }

  /** @param {number} turn */
  async #open(turn) {
    const puzzle = this.src ? await table(this.src) : this.#served();
    if (turn !== this.#turn) return;
    const player = new Player(this.#frame.board, puzzle);
    this.#frame.view = player.view;
    this.#frame.dress();
    const about = await puzzle.about();
    if (turn !== this.#turn) return;
    const state = this.getAttribute("state") || (await this.#drawn(puzzle, about))?.state;
    if (turn !== this.#turn) return;
    this.#follow(player, about);
    await player.open(state);
    const solved = player.board?.solved;
    if (turn !== this.#turn || !solved) return;
    this.#frame.goal(puzzle.picture(solved));
  }

  #served() {
    const service = (this.#service = new Service(serviceAt(this.getAttribute("service") || HERE, REMEDY)));
    service.addEventListener("connection", () => this.#connection(service));
    return service.puzzle(this.puzzle, { goal: this.goal || null });
  }

  /** The position of the day is medium, as on the page. @param {Puzzle} puzzle @param {About} about */
  async #drawn(puzzle, about) {
    const daily = this.daily ? { daily: "today" } : null;
    const difficulty = this.difficulty || (daily && about.difficulties.length > 0 ? "medium" : "");
    return difficulty ? puzzle.random({ difficulty, ...daily }) : daily && puzzle.random(daily);
  }

  /** @param {Player} player @param {About} about */
  #follow(player, about) {
    const { game } = player;
    const frame = this.#frame;
    const controls = (this.#controls = controlsOf(frame.byId, player, about, {
      stars: () => this.stars,
      keys: frame.content,
      go: (by) => game.goTo(game.at + by),
      scramble: () => this.next(),
      ended: ({ stars, wasted, fewest, hints }) => {
        if (controls === this.#controls) this.#tell("solved", { state: game.state, moves: game.made, stars, wasted, fewest, hints, shown: hints.includes(4) });
        return [];
      },
      tell: (error) => this.#failed(error),
    }));
    controls.truth.on("progress", (progress) => frame.tell(progress ? searchingFor(progress) : "", ""));
    player.on("problem", (error) => this.#failed(error));
    player.on("change", ({ kind, move }) => this.#tell("move", { kind, move, state: game.state, moves: game.made }));
  }

  /** @param {Service} service */
  #connection(service) {
    if (service !== this.#service) return;
    if (this.#controls) this.#frame.tell(service.connected ? "" : DOWN);
    else if (service.connected) this.#beginSoon();
  }

  /** @param {unknown} error */
  #failed(error) {
    if (givenUp(error)) return;
    this.#frame.tell(error instanceof Offline ? DOWN : error instanceof Problem ? `${error.message} ${remedyOf(error)}` : textOf(error));
    this.#tell("problem", { error });
  }

  /** @param {string} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/**
 * A remedy without the grammar of all names: the service's first page lists the puzzles.
 * @param {string} hint @param {string} at
 */
function short(hint, at) {
  return hint.replace(/\bnames are: .*/su, `All names are at ${at}`);
}
