import { BoardView } from "./board.js";
import { nextFrame } from "./dom.js";
import { letDrag } from "./drag.js";
import { Events } from "./events.js";
import { Game } from "./game.js";
import { helpGiven, noteHelp } from "./help.js";
import { isTyped, typedMoves } from "./keys.js";
import { boardAfter, nearest } from "./motion.js";
import { Offline } from "./problem.js";
import { endsOf, naturalMove, smallestTurn } from "./taps.js";

const AHEAD = 12;
// How far from a piece's end a tap may be, in board sizes: on another piece that can move, and elsewhere.
const NEAR = 0.12;
const FAR = 0.3;

/**
 * Dispatches `change` when the state is another (after a move, once that is seen to begin), `board` when its moves are
 * known, `problem` when the service refused, `typed`, and `told`: why a tap or a key did nothing.
 */
export class Player extends Events {
  /** @type {{ piece: string, moves: BoardMove[] } | null} */
  #chosen = null;
  /** How much of the next move has been shown already, by dragging. */
  #part = 0;
  #turn = 0;
  /** What was pressed before the board of the state was here, in order. @type {(() => unknown)[]} */
  #pressed = [];
  /** What `change` has still to tell. @type {Change | null} */
  #told = null;
  /** @type {Promise<unknown>} */
  settled = Promise.resolve();

  /** @param {SVGSVGElement} element @param {Puzzle} puzzle */
  constructor(element, puzzle) {
    super();
    this.puzzle = puzzle;
    this.view = new BoardView(element);
    this.game = new Game("");
    /** @type {Board | null} */
    this.board = null;
    /** Whether tables answer, so that distances may be asked for ahead. */
    this.lookAhead = false;
    this.lent = false;
    const take = typedMoves(this);
    letDrag(this);
    this.game.on("leaving", () => this.#tell());
    this.game.on("help", (detail) => noteHelp(puzzle, this.game, detail));
    this.game.on("change", (detail) => this.#changed(detail));
    element.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = event;
      const taken = this.board || !isTyped(key) ? take(key) : this.#soon(() => take(key));
      if (taken) event.preventDefault();
    });
    puzzle.service.addEventListener("connection", () => this.#reconnected());
  }

  /**
   * Begin at a state, by default at the goal's start, unless a later one was asked for in the meantime.
   * @param {string | Promise<string>} [asked]
   */
  async open(asked) {
    const turn = ++this.#turn;
    const board = await this.puzzle.board(await asked);
    if (turn !== this.#turn) return;
    this.board = board;
    this.game.begin(board.state);
  }

  /** A cube is shown in space: its net has 24 or 54 squares without letters. @param {Board} board */
  async #unfold({ solved, marks, pieces }) {
    const squares = [...marks, ...pieces].filter(({ label }) => !label).length;
    if (this.view.cube !== undefined || !solved || ![24, 54].includes(squares)) return;
    const [{ Cube }, net] = await Promise.all([import("./cube.js"), this.puzzle.board(solved)]);
    const cube = new Cube(net);
    this.view.cube = cube.whole ? cube : null;
  }

  /** @param {BoardMove} move @param {number} [part] */
  make(move, part = 0) {
    if (!this.board?.moves.includes(move)) return;
    this.#part = part;
    this.game.play(move.move, move.after);
  }

  /** @param {string} name */
  play(name) {
    const move = this.#named(name);
    if (move) this.make(move);
    return move !== undefined;
  }

  get legal() {
    return (!this.lent && this.board?.moves) || [];
  }

  /** @param {string} name */
  #named(name) {
    return this.legal.find(({ move }) => move === name);
  }

  /** Make a move now or when the board is here that is on its way. @param {string} name */
  press(name) {
    if (this.board) this.play(name);
    else this.#soon(() => this.play(name));
  }

  get atRest() {
    return this.board !== null && this.view.board === this.board && !this.lent;
  }

  /** Tells whether the board is awaited: without a connection none comes. @param {() => unknown} press */
  #soon(press) {
    const awaited = this.board !== null || this.puzzle.service.connected;
    if (awaited) this.#pressed.push(press);
    return awaited;
  }

  /** Help that this browser has shown of the start in another game or tab counts too. */
  recall() {
    const { hints, start } = this.game;
    hints.push(...helpGiven(this.puzzle, start).filter((level) => !hints.includes(level)));
  }

  restore() {
    if (this.board) this.view.show(this.board);
  }

  /** @param {string} name @param {string} [tone] */
  pointing(name, tone) {
    const show = () => this.view.preview(this.#named(name), tone);
    const hide = () => this.view.preview();
    const focus = (/** @type {FocusEvent} */ { target }) => {
      if (target instanceof Element && target.matches(":focus-visible")) show();
    };
    return { pointerenter: show, pointerleave: hide, focus, blur: hide };
  }

  /** @param {Change} detail */
  #changed({ kind, move }) {
    const before = this.board;
    const { state } = this.game;
    if (kind === "begin") this.recall();
    const part = this.#part;
    this.#part = 0;
    this.#chosen = null;
    if (kind !== "move") this.#pressed = [];
    this.view.unmark();
    if (kind === "begin" && before?.state === state) this.settled = this.#arrived(before);
    else this.settled = this.#travel(before, kind, move, state, part);
    this.#told = { kind, move };
    if (kind === "move") nextFrame().then(() => this.#tell());
    else this.#tell();
  }

  #tell() {
    const detail = this.#told;
    this.#told = null;
    if (detail) this.tell("change", detail);
  }

  /** @param {Board | null} before @param {string} kind @param {string} move @param {string} state @param {number} part */
  async #travel(before, kind, move, state, part) {
    const forward = kind === "move" || kind === "redo" ? before?.moves.find(({ move: name }) => name === move) : undefined;
    if (forward && before && this.view.board !== before) this.view.show(before);
    const seen = forward && this.view.animate(forward, { from: part });
    let next = this.puzzle.knownBoard(state) ?? null;
    if (!next && before && forward) next = boardAfter(before, forward);
    if (next) this.puzzle.keepBoard(next);
    this.board = next;
    if (!next) {
      const prefetched = this.puzzle.board(state).then((board) => this.game.state === state && (this.board ??= board));
      prefetched.catch(() => null); // who waits for it is told
    }
    if (seen) {
      await seen;
    } else if (kind === "undo" && next) {
      const back = next.moves.find(({ move: name, after }) => name === move && after === before?.state);
      if (back?.motions) {
        this.view.show(next);
        await this.view.animate(back, { from: 1, to: 0 });
      }
    }
    if (this.game.state !== state) return;
    next ??= this.board;
    if (next) await this.#arrived(next);
    else await this.#fetch();
  }

  #reconnected() {
    if (!this.puzzle.service.connected) return;
    if (this.board?.state === this.game.state) this.#lookAround(this.board);
    else this.#fetch();
  }

  async #fetch() {
    const { state } = this.game;
    if (this.board?.state === state || state === "") return;
    try {
      const board = await this.puzzle.board(state).catch((error) => this.#workedOut(error));
      if (this.game.state === state) await this.#arrived(board);
    } catch (error) {
      this.#pressed = [];
      this.tell("problem", error);
    }
  }

  /** The board worked out along the game, as after a reload while the connection is down. @param {unknown} error */
  async #workedOut(error) {
    if (!(error instanceof Offline)) throw error;
    const { moves, start, at } = this.game;
    let board = await this.puzzle.board(start);
    for (const name of moves.slice(0, at)) {
      const move = board.moves.find((each) => each.move === name);
      if (!move) throw error;
      board = boardAfter(board, move) ?? (await this.puzzle.board(move.after));
    }
    this.puzzle.keepBoard(board);
    return board;
  }

  /** @param {Board} board */
  async #arrived(board) {
    this.board = board;
    await this.#unfold(board).catch(() => null); // its net shows as much
    if (!this.lent) this.view.show(board);
    this.tell("board");
    for (const press of this.#pressed.splice(0)) {
      if (this.board) press();
      else this.#pressed.push(press);
    }
    await this.#lookAround(board);
  }

  /** @param {Board} board */
  async #lookAround(board) {
    if (this.lookAhead) this.puzzle.lookAhead([board.state, ...board.moves.map(({ after }) => after)]);
    const [first] = board.moves;
    if (first && boardAfter(board, first)) return;
    for (const { after } of board.moves.slice(0, AHEAD)) {
      if (this.game.state !== board.state || !this.puzzle.service.connected) return;
      await this.puzzle.board(after).then((next) => this.puzzle.keepBoard(next), () => null);
    }
  }

  /**
   * A natural move is made; else the board shows where the piece can go, and a second tap chooses.
   * @param {string | null} piece @param {Point} at
   */
  tapped(piece, at) {
    const { board } = this;
    if (this.lent) return;
    if (!board || !this.atRest) {
      this.#soon(() => this.tapped(piece, at));
      return;
    }
    const moves = piece ? board.moves.filter(({ handle }) => handle.includes(piece)) : [];
    const chosen = this.#chosen;
    this.#chosen = null;
    if (chosen) {
      const end = nearest(endsOf(board, chosen.piece, chosen.moves), at);
      this.view.unmark();
      const reach = (moves.length > 0 ? NEAR : FAR) * Math.max(board.width, board.height);
      const hit = end && piece !== chosen.piece && Math.hypot(end.x - at.x, end.y - at.y) < reach ? end.move : null;
      const step = hit ?? (piece === chosen.piece ? smallestTurn(piece, chosen.moves) : null);
      if (step) {
        this.make(step);
        return;
      }
      if (piece === chosen.piece) {
        this.tell("told", "It can go to several places: tap one, or drag it there.");
        return;
      }
    }
    if (!piece) return;
    const natural = naturalMove(board, piece, moves);
    const ends = endsOf(board, piece, moves);
    if (natural) this.make(natural);
    else if (ends.length > 0) {
      this.#chosen = { piece, moves };
      this.view.choose(piece, ends);
    } else if (moves.length === 0) this.tell("told", "This cannot move now.");
    else {
      const parts = [...new Set(moves.map(({ group }) => group))].join(" or the ");
      this.tell("told", `This belongs to ${parts}: press the button of a move.`);
    }
  }
}
