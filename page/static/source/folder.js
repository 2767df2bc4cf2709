/** The folder of a published table as a source of answers. */

import { folderAt } from "../modules/service_address.js";
import { checked } from "../rules/fields.js";
import * as lookups from "../rules/lookup.js";
import { Blocks, Folder, Unreadable } from "./files.js";
import { Ranking } from "./ranking.js";
import { Rewritings, Texts } from "./texts.js";

const FORMAT = 2;
const WHOLE = 8 << 20;

/** @type {Record<string, () => Promise<any>>} */
const RULES = {
  lookup: async () => lookups,
  board: () => import("../rules/board.js"),
  solve: () => import("../rules/solutions.js"),
  hint: () => import("../rules/hint.js"),
  grade: () => import("../rules/grade.js"),
  random: () => import("../rules/random.js"),
};

/**
 * Raises Problem. `whole`: bytes up to which a table is fetched at once.
 * @param {string | URL} address @param {{ whole?: number, fetching?: typeof fetch }} [options]
 */
export async function opened(address, { whole = WHOLE, fetching } = {}) {
  const folder = new Folder(folderAt(address, "a published table", "Give its folder, as https://example.org/tables/novice/."), fetching);
  /** @type {Header} */
  const header = await folder.json("header.json");
  if (header.format !== FORMAT) throw new Unreadable("header.json", `has the format ${header.format}, not ${FORMAT}`);
  const blocks = new Blocks(folder, header.blocks, header.digest, whole);
  const [ranking] = await Promise.all([Ranking.of(header.ranking), blocks.small ? blocks.load() : null]);
  const form = header.drawing.stored
    ? await import("./stored.js").then(({ storedForm }) => storedForm(folder, header, ranking))
    : byLetters(header, ranking);
  return new Table(folder, header, ranking, blocks, form);
}

/** @param {Header} header @param {Ranking} ranking @returns {Form} */
function byLetters(header, ranking) {
  const drawing = () => import("./drawing.js").then(({ Drawing }) => new Drawing(header.drawing, ranking.names));
  return { texts: new Texts(header, ranking), moves: new Rewritings(/** @type {MoveCase[][]} */ (header.moves), header), drawing };
}

export class Table {
  #goal = -1;
  /** @type {ReturnType<Form["drawing"]> | null} */
  #drawing = null;
  #blocks;
  #form;

  /** @param {Folder} folder @param {Header} header @param {Ranking} ranking @param {Blocks} blocks @param {Form} form */
  constructor(folder, header, ranking, blocks, form) {
    this.folder = folder;
    this.header = header;
    this.ranking = ranking;
    this.name = header.about.name;
    this.goal = header.goal;
    this.isGame = header.histogram.lost !== undefined;
    this.#blocks = blocks;
    this.#form = form;
    if (header.solved[0] !== undefined) this.#goal = this.number(this.read(header.solved[0]));
    /** There is no connection to lose. */
    this.service = Object.assign(new EventTarget(), { connected: true, base: folder.base });
  }

  /** @param {string} verb @param {Record<string, any>} fields */
  async answer(verb, fields) {
    const given = checked(verb, fields);
    if (verb === "") return this.header.about;
    if (verb === "histogram") return this.header.histogram;
    if (verb === "antipodes") return this.#antipodes(given);
    const rule = await RULES[verb]?.();
    return rule.answer(this, given);
  }

  /** The picture of the goal: the only one that is published. */
  picture() {
    return new URL("goal.svg", this.folder.base);
  }

  /** Raises Problem. @param {string} text */
  read(text) {
    return this.#form.texts.read(String(text));
  }

  /** @param {Read} state */
  text(state) {
    return this.#form.texts.text(state);
  }

  /** @param {Read} state */
  number(state) {
    return this.ranking.rank(state.codes);
  }

  /** The legal ones, in the puzzle's order. @param {Read} state */
  moves(state) {
    return this.#form.moves.next(state);
  }

  /** -1 where the goal cannot be reached. @param {Read[]} states */
  async distances(states) {
    const numbers = states.map((state) => (state.numbers ??= this.ranking.numbers(state.codes)));
    const values = await this.#blocks.values(numbers.flatMap(({ stored }) => stored));
    let at = 0;
    return numbers.map(({ rank, stored }) => {
      const [one = -1, other] = values.slice(at, (at += stored.length));
      if (other === undefined) return one;
      return rank === this.#goal ? 0 : Math.min(one, other) + 1;
    });
  }

  drawing() {
    this.#drawing ??= this.#form.drawing().catch((error) => {
      this.#drawing = null;
      throw error;
    });
    return this.#drawing;
  }

  /** @param {{ offset?: number, limit?: number }} page */
  async #antipodes({ offset = 0, limit = 100 }) {
    const { states, ...rest } = /** @type {Antipodes} */ (await this.folder.json("antipodes.json", this.header.digest));
    const end = offset + limit;
    return { ...rest, states: states.slice(offset, end), next: end < states.length ? end : null };
  }
}
