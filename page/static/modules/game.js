/** A game: the states passed and the moves made, and where in it the player is. */

/** @typedef {{ moves: string[], states: string[], hints: number[] }} Saved */

/**
 * Dispatches `leaving` before each step, and `change` after it; the `detail` of that tells what was done. `help` follows
 * each help that is noted.
 */
export class Game extends EventTarget {
  /** The last help: its level and state. */
  #helped = "";

  /** @param {string} start */
  constructor(start) {
    super();
    /** @type {string[]} */
    this.states = [start];
    /** @type {string[]} */
    this.moves = [];
    this.at = 0;
    /** The levels of help that were shown, 1 to 4, in order. No undo or restart forgets them. @type {number[]} */
    this.hints = [];
  }

  get state() {
    return this.states[this.at] ?? "";
  }

  get start() {
    return this.states[0] ?? "";
  }

  /** Whether a whole solution was shown. */
  get shown() {
    return this.hints.includes(4);
  }

  /** The states up to where the player is. */
  get passed() {
    return this.states.slice(0, this.at + 1);
  }

  /** The moves up to there. */
  get made() {
    return this.moves.slice(0, this.at);
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.moves.length;
  }

  /**
   * Make a move. What was undone is forgotten, unless it is the same move.
   * @param {string} move
   * @param {string} after
   */
  play(move, after) {
    this.#leaving();
    if (this.states[this.at + 1] !== after || this.moves[this.at] !== move) {
      this.states.splice(this.at + 1, Infinity, after);
      this.moves.splice(this.at, Infinity, move);
    }
    this.at += 1;
    this.#changed("move", move);
  }

  /**
   * Make many moves in one step, such as a part of a solution.
   * @param {string[]} moves
   * @param {string[]} states those that the moves pass, the present one first
   */
  playAll(moves, states) {
    this.#leaving();
    this.states.splice(this.at + 1, Infinity, ...states.slice(1));
    this.moves.splice(this.at, Infinity, ...moves);
    this.at += moves.length;
    this.#changed("line", "");
  }

  /**
   * Go to a step of the game.
   * @param {number} at
   */
  goTo(at) {
    this.#leaving();
    const step = Math.min(Math.max(at, 0), this.moves.length);
    const kind = step === this.at - 1 ? "undo" : step === this.at + 1 ? "redo" : "jump";
    const move = this.moves[Math.min(step, this.at)] ?? "";
    this.at = step;
    this.#changed(kind, move);
  }

  /**
   * Begin anew.
   * @param {string} start
   */
  begin(start) {
    this.#leaving();
    this.states = [start];
    this.moves = [];
    this.at = 0;
    this.hints = [];
    this.#helped = "";
    this.#changed("begin", "");
  }

  /**
   * Note that help was shown here; the same help once more is no other.
   * @param {number} level 1 the distance, 2 also what to move, 3 a move, 4 a whole solution
   */
  help(level) {
    const helped = `${level} ${this.state}`;
    if (helped === this.#helped) return;
    this.#helped = helped;
    this.hints.push(level);
    this.dispatchEvent(new CustomEvent("help", { detail: level }));
  }

  /** What brings the game back. @returns {Saved} */
  save() {
    return { moves: this.moves, states: this.states, hints: this.hints };
  }

  /**
   * Go on with a game that was saved.
   * @param {Saved} saved
   * @param {number} at
   */
  load(saved, at) {
    this.#leaving();
    this.states = saved.states;
    this.moves = saved.moves;
    this.at = Math.min(at, saved.moves.length);
    this.hints = saved.hints ?? [];
    this.#helped = "";
    this.#changed("begin", "");
  }

  #leaving() {
    this.dispatchEvent(new Event("leaving"));
  }

  /**
   * @param {string} kind move, line, undo, redo, jump or begin
   * @param {string} move
   */
  #changed(kind, move) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind, move } }));
  }
}
