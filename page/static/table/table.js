/** A published table: the answers of a service about one puzzle and goal, from static files and with no service. */

/** @import { Answer, Antipodes, Board, Count, Grade, Hint, Lookup, Move, PuzzleClient, Random, RandomOptions, Solution } from "../modules/answers.js" */
/** @import { Form, Header, Next, Read } from "./types.d.ts" */
import { folderAt } from "../modules/service_address.js";
import { Blocks, Folder, Unreadable } from "./files.js";
import { Ranking } from "./ranking.js";
import { Rewritings, Texts } from "./texts.js";

const FORMAT = 1;
const WHOLE = 8 << 20;

/**
 * Open a published table.
 * @param {string | URL} address of its folder
 * @param {{ whole?: number, fetching?: typeof fetch }} [options] `whole`: bytes up to which a table is fetched at once
 */
export async function table(address, { whole = WHOLE, fetching } = {}) {
  const folder = new Folder(folderAt(address, "a published table", "Give its folder, as https://example.org/tables/novice/."), fetching);
  /** @type {Header} */
  const header = await folder.json("header.json");
  if (header.format !== FORMAT) throw new Unreadable("header.json", `has the format ${header.format}, not ${FORMAT}`);
  const blocks = new Blocks(folder, header.blocks, header.digest, whole);
  const [ranking] = await Promise.all([Ranking.of(header.ranking), blocks.small ? blocks.load() : null]);
  return new StaticPuzzle(folder, header, ranking, blocks, await formOf(folder, header, ranking));
}

/**
 * Texts, moves and the drawing: by letters, or stored state by state.
 * @param {Folder} folder
 * @param {Header} header
 * @param {Ranking} ranking
 * @returns {Promise<Form>}
 */
async function formOf(folder, header, ranking) {
  const { moves, drawing } = header;
  if ("after" in moves || "stored" in drawing) return (await import("./stored.js")).storedForm(folder, header, ranking);
  return {
    texts: new Texts(header, ranking), moves: new Rewritings(moves, header),
    drawing: () => import("./drawing.js").then(({ Drawing }) => new Drawing(drawing, ranking.names)),
  };
}

/**
 * One puzzle and one goal, with the methods of a service's. States are texts, in the caller's own letters.
 * @implements {PuzzleClient}
 */
export class StaticPuzzle {
  #goal = -1;
  /** @type {Map<string, Board>} */
  #boards = new Map();
  /** @type {ReturnType<Form["drawing"]> | null} */
  #drawing = null;
  #form;

  /**
   * @param {Folder} folder
   * @param {Header} header
   * @param {Ranking} ranking
   * @param {Blocks} blocks
   * @param {Form} form
   */
  constructor(folder, header, ranking, blocks, form) {
    this.folder = folder;
    this.header = header;
    this.ranking = ranking;
    this.blocks = blocks;
    this.name = header.about.name;
    this.goal = header.goal;
    this.isGame = header.histogram.lost !== undefined;
    this.texts = form.texts;
    this.moves = form.moves;
    this.#form = form;
    this.#goal = header.solved[0] === undefined ? -1 : this.#numbers(this.texts.read(header.solved[0])).rank;
    /** Where a player looks for the connection: there is none to lose. */
    this.service = Object.assign(new EventTarget(), { connected: true, base: folder.base });
  }

  /** All about the puzzle. */
  async about() {
    return this.header.about;
  }

  /** How many states lie at each distance. */
  async histogram() {
    return this.header.histogram;
  }

  /**
   * The states farthest from the goal, a page at a time.
   * @param {{ offset?: number, limit?: number }} [options]
   * @returns {Promise<Antipodes>}
   */
  async antipodes({ offset = 0, limit = 100 } = {}) {
    const { states, ...rest } = /** @type {Antipodes} */ (await this.folder.json("antipodes.json", this.header.digest));
    const end = offset + limit;
    return { ...rest, states: states.slice(offset, end), next: end < states.length ? end : null };
  }

  /**
   * A state's distance and its moves, best first.
   * @param {string} state
   * @returns {Promise<Lookup>}
   */
  async lookup(state) {
    const read = this.texts.read(state);
    await this.fetch([read, ...this.next(read).map((next) => next.state)]);
    return this.#lookup(state, read);
  }

  /**
   * The lookup of a state, if what it needs is here already.
   * @param {string} state
   * @returns {Lookup | undefined}
   */
  knownLookup(state) {
    const read = this.texts.read(state);
    const known = [read, ...this.next(read).map((next) => next.state)].every((each) => this.#distance(each) !== undefined);
    return known ? this.#lookup(state, read) : undefined;
  }

  /**
   * The distance of a state, if it is here.
   * @param {string} state
   * @returns {number | null | undefined} null where the goal cannot be reached, undefined where it is not known
   */
  knownDistance(state) {
    const found = this.#distance(this.texts.read(state));
    return found === -1 ? null : found;
  }

  /**
   * Fetch what the lookups of states need. It never fails.
   * @param {string[]} states
   */
  async lookAhead(states) {
    await Promise.all(states.map((state) => this.lookup(state).catch(() => null)));
  }

  /**
   * How a state is drawn, and what each legal move does to its pieces.
   * @param {string} [text] by default the goal's start
   * @returns {Promise<Board>}
   */
  async board(text = this.header.start) {
    const read = this.texts.read(text);
    this.#drawing ??= this.#form.drawing();
    const drawing = await this.#drawing.catch((error) => {
      this.#drawing = null;
      throw error;
    });
    const { width, height, marks, places } = drawing.header;
    const pieces = drawing.pieces(read);
    const moves = this.moves.next(read).map((next) => {
      const effect = drawing.effect(next, read, pieces);
      const label = this.header.labelled && pieces.find((piece) => piece?.id === effect.handle[0])?.label;
      return { move: next.move, group: label ? `${next.group} ${label}` : next.group, after: this.texts.text(next.state), ...effect };
    });
    return {
      puzzle: this.name, goal: this.goal, state: text, solved: this.#solved(read), width, height,
      places: places.map(([name, x, y]) => ({ name, x, y })), marks,
      pieces: pieces.filter((piece) => piece !== null), moves, permutations: null,
    };
  }

  /**
   * The address of the picture of the goal: the only one that is published.
   * @param {string} _state
   */
  picture(_state) {
    return new URL("goal.svg", this.folder.base);
  }

  /**
   * The board of a state, if it was kept.
   * @param {string} state
   */
  knownBoard(state) {
    return this.#boards.get(state);
  }

  /** @param {Board} board */
  keepBoard(board) {
    this.#boards.set(board.state, board);
    if (this.#boards.size > 300) this.#boards.delete(this.#boards.keys().next().value ?? "");
  }

  /**
   * A shortest solution, or a part of it; with `all` so many, and how many there are.
   * @param {string} state
   * @param {{ offset?: Count | bigint, limit?: number, states?: boolean, all?: number }} [options]
   * @returns {Promise<Solution>}
   */
  async solve(state, options) {
    const { solved } = await import("./solutions.js");
    return solved(this, state, options);
  }

  /**
   * Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also a solution.
   * @param {string} state
   * @param {number} level
   * @param {{ moves?: string[] }} [options] `moves` played from the state, after which help is wanted
   * @returns {Promise<Hint>}
   */
  async hint(state, level, options) {
    const { helped } = await import("./solutions.js");
    return helped(this, state, level, options);
  }

  /**
   * The states that a game passes; raises Problem.
   * @param {string} start
   * @param {string[]} moves
   */
  passed(start, moves) {
    const states = [this.texts.read(start)];
    for (const move of moves) states.push(this.play(/** @type {Read} */ (states.at(-1)), move));
    return states;
  }

  /**
   * What a game was worth. `stars` are the most wasted moves for all stars, for one less, and so on; hints 3 and 4 cost one.
   * @param {string} state
   * @param {string[]} moves
   * @param {{ stars?: (number | null)[], hints?: number[] }} [options]
   * @returns {Promise<Grade>}
   */
  async grade(state, moves, options) {
    const { graded } = await import("./grade.js");
    return graded(this, state, moves, options);
  }

  /**
   * A random state. Equal seeds and days give equal states, those of a service.
   * @param {RandomOptions} [options]
   * @returns {Promise<Random>}
   */
  async random(options = {}) {
    const { drawn } = await import("./random.js");
    return drawn(this, options);
  }

  /**
   * @param {string} text
   * @param {Read} read
   * @returns {Lookup}
   */
  #lookup(text, read) {
    const distance = this.known(read);
    const moves = this.next(read).map(({ move, state }) => this.step(move, state, this.known(state), distance));
    const far = (/** @type {Move} */ { distance: to }) => (to === null ? Infinity : Number(to));
    moves.sort((one, other) => far(one) - far(other) || 0);
    return { ...this.answer(text, distance), moves };
  }

  /**
   * @param {string} move
   * @param {Read | undefined} state
   * @param {number} distance
   * @param {number} before
   * @returns {Move}
   */
  step(move, state, distance, before) {
    const known = distance >= 0;
    return {
      move, state: state ? this.texts.text(state) : "", distance: known ? distance : null,
      delta: known && before >= 0 ? distance - before : null, optimal: known && distance <= before - 1,
      ...(this.isGame ? { lost: !known } : {}),
    };
  }

  /**
   * The fields of every answer about a state.
   * @param {string} state
   * @param {number} distance
   * @returns {Answer}
   */
  answer(state, distance) {
    const known = distance >= 0 ? distance : null;
    return {
      ...(this.isGame ? { lost: known === null } : {}),
      puzzle: this.name, goal: this.goal, state, solvable: known !== null, distance: known, exact: true,
      lower_bound: known, upper_bound: known, source: "table",
    };
  }

  /**
   * The legal moves of a state, in the puzzle's order.
   * @param {Read} state
   * @returns {Next[]}
   */
  next(state) {
    return this.moves.next(state);
  }

  /**
   * @param {Read} state
   * @param {string} move
   * @returns {Read}
   */
  play(state, move) {
    const found = this.moves.next(state).find((next) => next.move === move);
    if (found) return found.state;
    throw this.moves.illegal(state, this.texts.text(state), move);
  }

  /**
   * The optimal moves of a state at a distance above 0.
   * @param {Read} state
   * @param {number} distance
   */
  async optimal(state, distance) {
    const next = this.next(state);
    await this.fetch(next.map((each) => each.state));
    return next.filter((each) => this.known(each.state) === distance - 1);
  }

  /**
   * A solved state in the letters of another.
   * @param {Read} state
   */
  #solved({ letters }) {
    const [solved] = this.header.solved;
    if (!solved || !this.ranking.names) return solved ?? null;
    const own = [...new Set(solved)].filter((letter) => !letters.includes(letter)).sort();
    const missing = [...letters.slice(1)].filter((letter) => !solved.includes(letter)).sort();
    return Array.from(solved, (letter) => missing[own.indexOf(letter)] ?? letter).join("");
  }

  /**
   * Fetch what the distances of states need.
   * @param {Read[]} states
   */
  async fetch(states) {
    if (this.blocks.small) return;
    await this.blocks.fetch(states.flatMap((state) => this.#numbers(state).stored.filter((number) => number >= 0)));
  }

  /** @param {Read} state */
  #numbers(state) {
    return (state.numbers ??= this.ranking.numbers(state.codes));
  }

  /**
   * The distance of a state whose blocks are here; -1 where the goal cannot be reached.
   * @param {Read} state
   */
  known(state) {
    const found = this.#distance(state);
    if (found === undefined) throw new Unreadable("blocks", "are not here");
    return found;
  }

  /**
   * @param {Read} state
   * @returns {number | undefined}
   */
  #distance(state) {
    const { rank, stored } = this.#numbers(state);
    if (rank < 0) return -1;
    const [one, other] = stored.map((number) => this.blocks.at(number));
    if (stored.length === 1) return one;
    if (rank === this.#goal) return 0;
    return one === undefined || other === undefined ? undefined : Math.min(one, other) + 1;
  }
}
