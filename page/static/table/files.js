/** The files of a published table: fetched whole or by ranges, unpacked, and checked. What is damaged is an error. */

/** @import { BlocksHeader } from "./types.d.ts" */
/** @typedef {{ base: number, width: number, content: Uint8Array<ArrayBuffer> }} Block */
/** @typedef {{ from: number, bytes: number, base: number, width: number, checksum: number }} Entry where a block lies */
import { Problem } from "../modules/problem.js";

const ENTRY = 13;
const CACHED = 3000; // blocks of a larger table

/** A file of the table is not what it should be, or cannot be had; the hint names the remedy. */
export class Unreadable extends Problem {
  /**
   * @param {string} file
   * @param {string} why
   * @param {string} [hint]
   */
  constructor(file, why, hint = "publish the table once more, and put all its files in place together") {
    super({ title: "unreadable file", detail: `${file} ${why}`, hint });
    this.name = "Unreadable";
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/**
 * The CRC-32 of bytes, or of bytes behind others that have the checksum `before`.
 * @param {Uint8Array} bytes
 * @param {number} [before]
 */
export function crc32(bytes, before = 0) {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ (CRC[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0);
  return ~crc >>> 0;
}

/**
 * Unpack what deflate packed. Raises where that is no such thing.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Unpack what was packed and written in letters. @param {string} letters */
export function unpacked(letters) {
  return inflated(Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)));
}

/** A folder of files on a host. Files that were fetched whole are kept. */
export class Folder {
  /** @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
  #whole = new Map();
  #ranges = true;

  /**
   * @param {URL} base
   * @param {typeof fetch} [fetching]
   */
  constructor(base, fetching = (...asked) => fetch(...asked)) {
    this.base = base;
    this.fetching = fetching;
  }

  /**
   * A file of JSON behind a line with its checksum and the digest of its table.
   * @param {string} name
   * @param {string} [digest] of the table that it must belong to
   * @returns {Promise<any>}
   */
  async json(name, digest) {
    const text = new TextDecoder().decode(await this.whole(name));
    const end = text.indexOf("\n");
    const [checksum, of] = text.slice(0, end).split(" ");
    const content = text.slice(end + 1, -1);
    const right = crc32(new TextEncoder().encode(content)) === Number.parseInt(checksum ?? "", 16) && text.endsWith("\n");
    if (!right) throw new Unreadable(name, "is damaged: it does not have its checksum");
    const found = JSON.parse(content);
    if (of !== (digest ?? found.digest)) throw new Unreadable(name, "belongs to another table");
    return found;
  }

  /**
   * A whole file.
   * @param {string} name
   */
  whole(name) {
    const known = this.#whole.get(name);
    if (known) return known;
    const asked = this.#ask(name, {}).then(async (response) => {
      if (response.status !== 200) throw new Unreadable(name, `cannot be had: status ${response.status}`);
      return this.#body(name, response);
    });
    this.#whole.set(name, asked);
    asked.catch(() => this.#whole.delete(name));
    return asked;
  }

  /**
   * Some bytes of a file; where the host has no ranges, the file is fetched whole.
   * @param {string} name
   * @param {number} from
   * @param {number} count
   */
  async range(name, from, count) {
    if (!this.#ranges || this.#whole.has(name)) return this.#cut(name, await this.whole(name), from, count);
    const response = await this.#ask(name, { headers: { Range: `bytes=${from}-${from + count - 1}` } });
    if (response.status === 200) {
      this.#ranges = false;
      const whole = this.#body(name, response);
      this.#whole.set(name, whole);
      whole.catch(() => this.#whole.delete(name));
      return this.#cut(name, await whole, from, count);
    }
    if (response.status !== 206) throw new Unreadable(name, `cannot be had: status ${response.status}`);
    const stated = response.headers.get("Content-Range");
    const body = await this.#body(name, response);
    if (body.length !== count || (stated && !stated.startsWith(`bytes ${from}-${from + count - 1}/`))) {
      throw new Unreadable(name, "came in other bytes than were asked for");
    }
    return body;
  }

  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer>} whole
   * @param {number} from
   * @param {number} count
   */
  #cut(name, whole, from, count) {
    if (whole.length < from + count) throw new Unreadable(name, "is cut short");
    return whole.slice(from, from + count);
  }

  /**
   * @param {string} name
   * @param {RequestInit} options
   */
  async #ask(name, options) {
    try {
      return await this.fetching(new URL(name, this.base), options);
    } catch {
      throw new Unreadable(name, "cannot be reached", "look at the connection, and try again");
    }
  }

  /**
   * @param {string} name
   * @param {Response} response
   */
  async #body(name, response) {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch {
      throw new Unreadable(name, "did not come to its end", "look at the connection, and try again");
    }
  }
}

/** The distances of a table, in blocks. */
export class Blocks {
  /** @type {Map<number, Block>} */
  #blocks = new Map();
  /** @type {Map<number, Promise<Block>>} */
  #coming = new Map();
  /** @type {Map<number, Promise<Entry[]>>} */
  #pieces = new Map();

  /**
   * @param {Folder} folder
   * @param {BlocksHeader} header
   * @param {string} digest
   * @param {number} [whole] bytes of files up to which all are fetched at once
   */
  constructor(folder, header, digest, whole = Infinity) {
    this.folder = folder;
    this.header = header;
    this.digest = digest;
    /** The number of blocks. */
    this.count = Math.ceil(header.size / header.block);
    /** Whether all of it is fetched at once. */
    this.small = header.files.reduce((sum, bytes) => sum + bytes, 0) <= whole;
  }

  /** Fetch and unpack all blocks. */
  async load() {
    await Promise.all(["index", ...this.header.files.keys()].map((part) => this.folder.whole(`${this.header.name}.${part}`)));
    await Promise.all(Array.from({ length: this.count }, (_, number) => this.#block(number)));
  }

  /**
   * Fetch the blocks of some numbers, unless they are here.
   * @param {Iterable<number>} numbers
   */
  async fetch(numbers) {
    const wanted = new Set(Array.from(numbers, (number) => Math.floor(number / this.header.block)));
    await Promise.all(Array.from(wanted, (number) => this.#block(number)));
  }

  /**
   * The distance of a number whose block is here; -1 where the goal cannot be reached, undefined where it is not here.
   * @param {number} number
   */
  at(number) {
    const block = this.#blocks.get(Math.floor(number / this.header.block));
    if (!block) return undefined;
    const { base, width, content } = block;
    const at = number % this.header.block;
    let code = 0;
    if (width < 8) {
      const inByte = 8 / width;
      code = ((content[Math.floor(at / inByte)] ?? 0) >> ((at % inByte) * width)) & ((1 << width) - 1);
    } else {
      for (let byte = width / 8 - 1; byte >= 0; byte--) code = code * 256 + (content[(at * width) / 8 + byte] ?? 0);
    }
    return code === 2 ** width - 1 ? -1 : base + code;
  }

  /** @param {number} number */
  async #block(number) {
    const known = this.#blocks.get(number) ?? this.#coming.get(number);
    if (known) return known;
    const coming = this.#fetched(number);
    this.#coming.set(number, coming);
    try {
      const block = await coming;
      this.#blocks.set(number, block);
      if (!this.small && this.#blocks.size > CACHED) this.#blocks.delete(this.#blocks.keys().next().value ?? 0);
      return block;
    } finally {
      this.#coming.delete(number);
    }
  }

  /**
   * @param {number} number
   * @returns {Promise<Block>}
   */
  async #fetched(number) {
    const { name, block, size, in_piece, in_file } = this.header;
    const entries = await this.#piece(Math.floor(number / in_piece));
    const entry = entries[number % in_piece];
    const file = `${name}.${Math.floor(number / in_file)}`;
    if (!entry || entry.bytes === 0) throw new Unreadable(`${name}.index`, "lacks a block");
    const { base, width, checksum } = entry;
    const packed = await this.folder.range(file, entry.from, entry.bytes);
    const content = await inflated(packed).catch(() => new Uint8Array());
    const wanted = Math.ceil((Math.min(block, size - number * block) * width) / 8);
    if (content.length !== wanted || this.#checksum(`${name} ${number} ${base} ${width}`, content) !== checksum) {
      throw new Unreadable(file, `is damaged: block ${number} does not have its checksum`);
    }
    return { base, width, content };
  }

  /** @param {number} number */
  #piece(number) {
    const known = this.#pieces.get(number);
    if (known) return known;
    const coming = this.#readPiece(number);
    this.#pieces.set(number, coming);
    coming.catch(() => this.#pieces.delete(number));
    return coming;
  }

  /**
   * @param {number} number
   * @returns {Promise<Entry[]>}
   */
  async #readPiece(number) {
    const [bytes, file] = [4 + this.header.in_piece * ENTRY + 4, `${this.header.name}.index`];
    const piece = await this.folder.range(file, number * bytes, bytes);
    const view = new DataView(piece.buffer, piece.byteOffset, bytes);
    if (this.#checksum(`${file} ${number}`, piece.subarray(0, bytes - 4)) !== view.getUint32(bytes - 4, true)) {
      throw new Unreadable(file, `is damaged: piece ${number} does not have its checksum`);
    }
    let from = view.getUint32(0, true);
    return Array.from({ length: this.header.in_piece }, (_, entry) => {
      const at = 4 + entry * ENTRY;
      const length = view.getUint32(at, true);
      from += length;
      const [base, width, checksum] = [view.getInt32(at + 4, true), view.getUint8(at + 8), view.getUint32(at + 9, true)];
      return { from: from - length, bytes: length, base, width, checksum };
    });
  }

  /**
   * @param {string} what
   * @param {Uint8Array} content
   */
  #checksum(what, content) {
    return crc32(content, crc32(new TextEncoder().encode(`${this.digest} ${what}\n`)));
  }
}
