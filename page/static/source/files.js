/** The files of a published table: fetched whole or by ranges, unpacked, and checked. What is damaged is an error. */

/** @import { BlocksHeader } from "./types.d.ts" */
/** @typedef {{ base: number, width: number, content: Uint8Array<ArrayBuffer> }} Block */
import { Problem } from "../modules/problem.js";

const HEAD = 9; // bytes of a block before its content: base, width, checksum
const CACHED = 3000; // blocks of a larger table
const LARGEST = 1 << 16; // numbers of a block
const UNPACKED = 1 << 26; // bytes of the largest ranking

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
 * Unpack what deflate packed. Raises where that is no such thing, or more.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} most bytes that it may become
 */
export async function inflated(bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks = [];
  let left = most;
  for (let chunk = await reader.read(); chunk.value; chunk = await reader.read()) {
    left -= chunk.value.length;
    if (left < 0) throw new RangeError(`it unpacks to more than ${most} bytes`);
    chunks.push(chunk.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Unpack what was packed and written in letters. @param {string} letters */
export async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  return inflated(bytes, UNPACKED).catch(() => {
    throw new Unreadable("header.json", "has what cannot be unpacked");
  });
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
    // not from the browser's cache, where ranges of one file wait for one another
    const response = await this.#ask(name, { headers: { Range: `bytes=${from}-${from + count - 1}` }, cache: "no-store" });
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
  /** @type {Map<number, Promise<Uint32Array>>} */
  #indexes = new Map();

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
    if (!(header.block <= LARGEST && this.count * HEAD <= header.bytes)) {
      throw new Unreadable("header.json", "has sizes that do not fit");
    }
    /** Whether all of it is fetched at once. */
    this.small = header.bytes <= whole;
  }

  /** Fetch and unpack all blocks. */
  async load() {
    const files = Array.from({ length: Math.ceil(this.count / this.header.in_file) }, (_, file) => this.folder.whole(this.#name(file)));
    await Promise.all(files);
    await Promise.all(Array.from({ length: this.count }, (_, number) => this.#block(number)));
  }

  /**
   * The distances of some numbers, whose blocks are fetched unless they are here; -1 where the goal cannot be reached, and
   * for the number -1.
   * @param {number[]} numbers
   */
  async values(numbers) {
    const { block } = this.header;
    /** @type {Map<number, Block>} */
    const blocks = new Map();
    const wanted = [...new Set(numbers.map((number) => Math.floor(number / block)))].filter((each) => each >= 0);
    await Promise.all(wanted.map(async (each) => blocks.set(each, await this.#block(each))));
    return numbers.map((number) => valueIn(blocks.get(Math.floor(number / block)), number % block));
  }

  /**
   * The distance of a number, where all blocks are here; -1 also for the number -1.
   * @param {number} number
   */
  at(number) {
    return valueIn(this.#blocks.get(Math.floor(number / this.header.block)), number % this.header.block);
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

  /** @param {number} file */
  #name(file) {
    return `${this.header.name}.${file}`;
  }

  /**
   * @param {number} number
   * @returns {Promise<Block>}
   */
  async #fetched(number) {
    const { name, block, size, in_file } = this.header;
    const at = number % in_file;
    const file = (number - at) / in_file;
    const [from = 0, end = 0] = (await this.#index(file)).subarray(at, at + 2);
    const bytes = await this.folder.range(this.#name(file), from, end - from);
    const view = new DataView(bytes.buffer, 0, HEAD);
    const [base, width, checksum] = [view.getInt32(0, true), view.getUint8(4), view.getUint32(5, true)];
    const wanted = Math.ceil((Math.min(block, size - number * block) * width) / 8);
    const content = await inflated(bytes.subarray(HEAD), wanted).catch(() => new Uint8Array());
    if (content.length !== wanted || this.#checksum(`${name} ${number} ${base} ${width}`, content) !== checksum) {
      throw new Unreadable(this.#name(file), `is damaged: block ${number} does not have its checksum`);
    }
    return { base, width, content };
  }

  /** Where the blocks of a file begin. @param {number} file */
  #index(file) {
    const known = this.#indexes.get(file);
    if (known) return known;
    const coming = this.#readIndex(file);
    this.#indexes.set(file, coming);
    coming.catch(() => this.#indexes.delete(file));
    return coming;
  }

  /** @param {number} file */
  async #readIndex(file) {
    const bounds = Math.min(this.header.in_file, this.count - file * this.header.in_file) + 1;
    const bytes = await this.folder.range(this.#name(file), 0, 4 * bounds + 4);
    const view = new DataView(bytes.buffer);
    const found = Uint32Array.from({ length: bounds }, (_, at) => view.getUint32(4 * at, true));
    if (this.#checksum(this.#name(file), bytes.subarray(0, -4)) !== view.getUint32(4 * bounds, true)) {
      throw new Unreadable(this.#name(file), "is damaged: its index does not have its checksum");
    }
    return found;
  }

  /**
   * @param {string} what
   * @param {Uint8Array} content
   */
  #checksum(what, content) {
    return crc32(content, crc32(new TextEncoder().encode(`${this.digest} ${what}\n`)));
  }
}

/**
 * @param {Block | undefined} block
 * @param {number} at
 */
function valueIn(block, at) {
  if (!block) return -1;
  const { base, width, content } = block;
  let code = 0;
  if (width < 8) {
    const inByte = 8 / width;
    code = ((content[Math.floor(at / inByte)] ?? 0) >> ((at % inByte) * width)) & ((1 << width) - 1);
  } else {
    for (let byte = width / 8 - 1; byte >= 0; byte--) code = code * 256 + (content[(at * width) / 8 + byte] ?? 0);
  }
  return code === 2 ** width - 1 ? -1 : base + code;
}
