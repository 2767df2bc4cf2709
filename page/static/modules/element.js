/** <puzzle-base>: a puzzle on a game's own page, from this service, whatever the page's origin. */

import { BEGIN, LOOKS, PuzzleAttributes, setText, textOf, upgrade } from "./attributes.js";
import { showChips } from "./chips.js";
import { remedyOf, table } from "./client.js";
import { html } from "./dom.js";
import { Frame } from "./frame.js";
import { Hints } from "./hints.js";
import { backButton, backWords } from "./lost.js";
import { Player } from "./player.js";
import { Offline, Problem } from "./problem.js";
import { sentence, starRow, worthOf } from "./stars.js";
import { searchingFor, Truth } from "./truth.js";
import { Service } from "../source/http.js";
import { HERE, serviceAt } from "./service_address.js";

const DOWN = "The connection is down. You can play on with what is known here; the rest comes when it is back.";
const REMEDY = "Set the attribute service to one, as http://127.0.0.1:8080/, or leave it out for the service of the script.";

/**
 * Each attribute is a property of that name, too. `puzzle`, `goal`, `state`, `difficulty` and `daily` say what is
 * played, `service` where the service is, by default where this module comes from, `src` where a published table is,
 * which needs no service; `hints`, `stars`, `buttons` and `picture` say what is shown. What cannot be played ends in
 * words in place of the board, and in a `problem` event.
 */
export class PuzzleBase extends PuzzleAttributes {
  static observedAttributes = [...BEGIN, ...LOOKS];

  /** @type {Player | null} */
  #player = null;
  /** @type {Truth | null} */
  #truth = null;
  /** @type {Hints | null} */
  #hints = null;
  /** @type {Service | null} */
  #service = null;
  /** @type {About | null} */
  #about = null;
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
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.#frame = new Frame(root, {
      hint: () => this.hint(), undo: () => this.undo(), redo: () => this.redo(), restart: () => this.restart(), next: () => this.next(),
    });
    root.addEventListener("keydown", (event) => this.#pressed(/** @type {KeyboardEvent} */ (event)));
  }

  connectedCallback() {
    upgrade(this);
    this.#frame.dress(this);
    if (this.#stale) this.#beginSoon();
  }

  /** A game goes on where the element is put next; what could not begin looks for its service no longer. */
  disconnectedCallback() {
    if (this.#player) return;
    this.#stale = true;
    this.#service?.close();
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (LOOKS.includes(name)) this.#frame.dress(this);
    else if (!this.#same && (before !== after || name === "state")) {
      this.#stale = true;
      if (this.isConnected) this.#beginSoon();
    }
  }

  /** The present state. Setting another one begins there; the present one, and the game goes on. @returns {string} */
  get state() {
    if (this.#stale || this.#opening) return this.getAttribute("state") ?? "";
    return this.#player?.game.state ?? "";
  }

  set state(/** @type {string | null} */ state) {
    this.#same = state !== null && textOf(state) === this.state;
    setText(this, "state", state);
    this.#same = false;
  }

  /** The moves made so far. */
  get moves() {
    return this.#player?.game.made ?? [];
  }

  /** Take the last move back. */
  undo() {
    if (this.#player?.game.canUndo) this.#player.game.goTo(this.#player.game.at - 1);
  }

  /** Make a move again that was taken back. */
  redo() {
    if (this.#player?.game.canRedo) this.#player.game.goTo(this.#player.game.at + 1);
  }

  /** Go back to where the game began. */
  restart() {
    this.#player?.game.goTo(0);
  }

  /** Make a move by its name; false if it is not legal. @param {string} move */
  play(move) {
    return this.#player?.play(move) ?? false;
  }

  /** The next step of help. */
  async hint() {
    await this.#opening;
    this.#frame.busy(true);
    await this.#hints?.next().catch((error) => this.#failed(error));
    this.#frame.busy(false);
  }

  /** Begin at a random state, by default at any. Tells whether it began. @param {RandomOptions} [options] */
  async scramble(options) {
    await null; // attributes that were set just before begin their game first
    await this.#opening;
    const player = this.#player;
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

  /** Begin at another position of the same difficulty: that of the attribute, else that of the present start. */
  async next() {
    const words = this.#about?.difficulties ?? [];
    if (this.difficulty) return this.scramble({ difficulty: this.difficulty });
    if (words.length === 0) return this.scramble({ turns: 3 });
    const start = this.#player?.game.start ?? "";
    const found = await this.#player?.puzzle.lookup(start).catch(() => null);
    const distance = Number(found?.distance ?? 0);
    const word = words.find(({ min, max }) => min <= distance && distance <= max) ?? words[0];
    return this.scramble({ difficulty: word?.name ?? "" });
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
    [this.#player, this.#truth, this.#hints, this.#about] = [null, null, null, null];
    if (!this.puzzle && !this.src) {
      this.#frame.refuse("No puzzle is named here.", 'Set the attribute or property puzzle, as puzzle="novice".');
      return;
    }
    this.#frame.clear();
    try {
      await this.#open(turn);
    } catch (error) {
      if (turn !== this.#turn) return;
      const at = this.#service?.base.href ?? "";
      if (!this.isConnected) this.disconnectedCallback();
      const remedy = `Start it, or set the attribute service to the address of one that runs. This looks again until it answers.`;
      [this.#player, this.#truth, this.#hints] = [null, null, null];
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
    const about = await puzzle.about();
    if (turn !== this.#turn) return;
    const state = this.getAttribute("state") || (await this.#drawn(puzzle, about))?.state;
    if (turn !== this.#turn) return;
    [this.#player, this.#about] = [player, about];
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
    const frame = this.#frame;
    const truth = (this.#truth = new Truth(player.puzzle, about));
    const hints = (this.#hints = new Hints(player, truth));
    player.lookAhead = !truth.searched;
    hints.addEventListener("hint", (event) => {
      const { text, back } = /** @type {CustomEvent} */ (event).detail;
      frame.tell(text, backButton(player, back), back ? `${text} ${backWords(back)}.` : text);
      this.#enable();
    });
    truth.addEventListener("progress", (event) => frame.tell(searching(/** @type {CustomEvent} */ (event).detail), "", ""));
    player.addEventListener("problem", (event) => this.#failed(/** @type {CustomEvent} */ (event).detail));
    player.addEventListener("told", (event) => frame.tell(/** @type {CustomEvent} */ (event).detail));
    player.addEventListener("typed", (event) => {
      frame.typed.textContent = /** @type {CustomEvent} */ (event).detail;
    });
    player.addEventListener("board", () => {
      showChips(frame.chips, player.board?.moves ?? [], player, "button move");
      frame.board.setAttribute("aria-label", `Board, state ${player.game.state}`);
      this.#enable();
      this.#offer();
    });
    player.addEventListener("change", (event) => {
      const { kind, move } = /** @type {CustomEvent} */ (event).detail;
      frame.end.hidden = true;
      frame.live.textContent = `${move} State ${player.game.state}`;
      this.#enable();
      this.#tell("move", { kind, move, state: player.game.state, moves: player.game.made });
      if (kind === "move") this.#end().catch((error) => this.#failed(error));
      else this.#offer();
    });
  }

  #enable() {
    const player = this.#player;
    if (!player) return;
    const { game, puzzle, board } = player;
    const solved = puzzle.knownDistance(game.state) === 0 || (board?.state === game.state && board.solved === game.state);
    this.#frame.enable({ undo: game.canUndo, redo: game.canRedo, solved, step: this.#hints?.step ?? 0 });
  }

  #offer() {
    const { board, game } = this.#player ?? {};
    if (!board || !game || game.moves.length > 0 || board.state !== game.state || board.state !== board.solved) return;
    const scramble = html("button", { type: "button", part: "button", click: () => this.next() }, "Scramble it");
    this.#frame.end.replaceChildren(html("p", {}, "This is the goal itself. Begin somewhere else:"), scramble);
    this.#frame.end.hidden = false;
  }

  async #end() {
    const player = this.#player;
    const state = player?.game.state ?? "";
    if (!player || !(await this.#truth?.solved(state))) return;
    const worth = await worthOf(player);
    await player.settled;
    if (player !== this.#player || player.game.state !== state) return;
    this.#hints?.clear();
    this.#enable();
    const words = sentence(worth);
    this.#frame.live.textContent = `${words} ${worth.stars} of 3 stars.`;
    const row = starRow(worth.stars);
    row.setAttribute("part", "stars");
    this.#frame.end.replaceChildren(row, html("p", {}, words));
    this.#frame.end.hidden = !this.stars;
    const { stars, wasted, fewest, hints } = worth;
    this.#tell("solved", { state, moves: player.game.made, stars, wasted, fewest, hints, shown: hints.includes(4) });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  /** @param {Service} service */
  #connection(service) {
    if (service !== this.#service) return;
    if (this.#player) this.#frame.tell(service.connected ? "" : DOWN);
    else if (service.connected) this.#beginSoon();
  }

  /** What was given up is nothing wrong. @param {unknown} error */
  #failed(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
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

/** @param {Searching | null} progress */
function searching(progress) {
  return progress ? searchingFor(progress) : "";
}
