import { Events } from "./events.js";

/** Dispatches `leaving` before each step and `change` after it. */
export class Game extends Events {
  #helped = "";

  /** @param {string} start */
  constructor(start) {
    super();
    /** @type {string[]} */
    this.states = [start];
    /** @type {string[]} */
    this.moves = [];
    this.at = 0;
    /** Levels of help, 1 to 4, in order. No undo or restart forgets them. @type {number[]} */
    this.hints = [];
  }

  get state() {
    return this.states[this.at] ?? "";
  }

  get start() {
    return this.states[0] ?? "";
  }

  get shown() {
    return this.hints.includes(4);
  }

  get passed() {
    return this.states.slice(0, this.at + 1);
  }

  get made() {
    return this.moves.slice(0, this.at);
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.moves.length;
  }

  /** @param {string} move @param {string} after */
  play(move, after) {
    this.tell("leaving");
    if (this.states[this.at + 1] !== after || this.moves[this.at] !== move) {
      this.states.splice(this.at + 1, Infinity, after);
      this.moves.splice(this.at, Infinity, move);
    }
    this.at += 1;
    this.tell("change", { kind: "move", move });
  }

  /** @param {string[]} moves @param {string[]} states */
  playAll(moves, states) {
    this.tell("leaving");
    this.states.splice(this.at + 1, Infinity, ...states.slice(1));
    this.moves.splice(this.at, Infinity, ...moves);
    this.at += moves.length;
    this.tell("change", { kind: "line", move: "" });
  }

  /** @param {number} at */
  goTo(at) {
    this.tell("leaving");
    const step = Math.min(Math.max(at, 0), this.moves.length);
    const kind = step === this.at - 1 ? "undo" : step === this.at + 1 ? "redo" : "jump";
    const move = this.moves[Math.min(step, this.at)] ?? "";
    this.at = step;
    this.tell("change", { kind, move });
  }

  /** @param {string} start */
  begin(start) {
    this.load({ moves: [], states: [start], hints: [] }, 0);
  }

  /** 1 the distance, 2 also what to move, 3 a move, 4 a whole solution. The same once more is no other. @param {number} level */
  help(level) {
    const helped = `${level} ${this.state}`;
    if (helped === this.#helped) return;
    this.#helped = helped;
    this.hints.push(level);
    this.tell("help", level);
  }

  /** @param {Saved} saved @param {number} at */
  load(saved, at) {
    this.tell("leaving");
    this.states = saved.states;
    this.moves = saved.moves;
    this.at = Math.min(at, saved.moves.length);
    this.hints = saved.hints ?? [];
    this.#helped = "";
    this.tell("change", { kind: "begin", move: "" });
  }
}
