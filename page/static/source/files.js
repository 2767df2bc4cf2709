/** The files of a published table, checked: what is damaged is an error. */

import { Problem } from "../modules/problem.js";

const HEAD = 9; // bytes of a block before its codes: base, width, checksum
const CACHED = 3000; // blocks of a larger table
const LARGEST = 1 << 16; // numbers of a block
const UNPACKED = 1 << 26; // bytes of the largest ranking

export class Unreadable extends Problem {
  /** @param {string} file @param {string} why @param {string} [hint] */
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

/** @param {Uint8Array} bytes @param {number} [before] */
function crc32(bytes, before = 0) {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}

/** Raises where it becomes more than `most` bytes. @param {Uint8Array<ArrayBuffer>} bytes @param {number} most */
async function inflated(bytes, most) {
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

/** @param {string} letters */
export async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  return inflated(bytes, UNPACKED).catch(() => {
    throw new Unreadable("header.json", "has what cannot be unpacked");
  });
}

/**
 * Those who ask while something comes share it. What failed may be asked for again.
 * @template K, V @param {Map<K, Promise<V>>} known @param {K} key @param {() => Promise<V>} ask @returns {Promise<V>}
 */
function shared(known, key, ask) {
  const coming = known.get(key) ?? ask();
  known.set(key, coming);
  coming.catch(() => known.delete(key));
  return coming;
}

/** Files that were fetched whole are kept. */
export class Folder {
  /** @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
  #whole = new Map();
  #ranges = true;

  /** @param {URL} base @param {typeof fetch} [fetching] */
  constructor(base, fetching = (...asked) => fetch(...asked)) {
    this.base = base;
    this.fetching = fetching;
  }

  /**
   * JSON behind a line with its checksum and the digest of its table.
   * @param {string} name @param {string} [digest] @returns {Promise<any>}
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

  /** @param {string} name */
  whole(name) {
    return shared(this.#whole, name, async () => {
      const { status, bytes } = await this.#asked(name, {});
      if (status !== 200) throw new Unreadable(name, `cannot be had: status ${status}`);
      return bytes;
    });
  }

  /** Where the host has no ranges, the file is fetched whole. @param {string} name @param {number} from @param {number} count */
  async range(name, from, count) {
    let found;
    if (this.#ranges && !this.#whole.has(name)) {
      // not from the browser's cache, where ranges of one file wait for one another
      const { status, bytes } = await this.#asked(name, { headers: { Range: `bytes=${from}-${from + count - 1}` }, cache: "no-store" });
      if (status === 206) found = bytes;
      else if (status !== 200) throw new Unreadable(name, `cannot be had: status ${status}`);
      else {
        this.#ranges = false;
        this.#whole.set(name, Promise.resolve(bytes));
      }
    }
    found ??= (await this.whole(name)).slice(from, from + count);
    if (found.length !== count) throw new Unreadable(name, "came in other bytes than were asked for");
    return found;
  }

  /** @param {string} name @param {RequestInit} options */
  async #asked(name, options) {
    try {
      const response = await this.fetching(new URL(name, this.base), options);
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch {
      throw new Unreadable(name, "cannot be reached", "look at the connection; a host elsewhere has to allow this page (CORS)");
    }
  }
}

/** Numbers in blocks, such as the distances of a table; -1 where the goal cannot be reached. */
export class Blocks {
  /** @type {Map<number, Block>} */
  #blocks = new Map();
  /** @type {Map<number, Promise<Block>>} */
  #coming = new Map();
  /** @type {Map<number, Promise<Uint32Array>>} */
  #indexes = new Map();

  /**
   * `whole`: bytes of files up to which all are fetched at once.
   * @param {Folder} folder @param {BlocksHeader} header @param {string} digest
   * @param {number} [whole]
   */
  constructor(folder, header, digest, whole = Infinity) {
    this.folder = folder;
    this.header = header;
    this.digest = digest;
    this.count = Math.ceil(header.size / header.block);
    if (header.block > LARGEST) throw new Unreadable("header.json", "has blocks that are too large");
    this.small = header.bytes <= whole;
  }

  async load() {
    const files = Array.from({ length: Math.ceil(this.count / this.header.in_file) }, (_, file) => this.folder.whole(this.#name(file)));
    await Promise.all(files);
    await Promise.all(Array.from({ length: this.count }, (_, number) => this.#block(number)));
  }

  /** -1 also for the number -1. @param {number[]} numbers */
  async values(numbers) {
    const { block } = this.header;
    const wanted = new Set(numbers.filter((number) => number >= 0).map((number) => Math.floor(number / block)));
    const blocks = new Map(await Promise.all([...wanted].map(async (each) => /** @type {const} */ ([each, await this.#block(each)]))));
    return numbers.map((number) => valueIn(blocks.get(Math.floor(number / block)), number % block));
  }

  /** As `values`, where all blocks are here. @param {number} number */
  at(number) {
    return valueIn(this.#blocks.get(Math.floor(number / this.header.block)), number % this.header.block);
  }

  /** @param {number} number */
  #block(number) {
    return shared(this.#coming, number, async () => {
      const block = await this.#fetched(number);
      this.#blocks.set(number, block);
      const [oldest = 0] = this.#blocks.keys();
      if (!this.small && this.#blocks.size > CACHED) for (const known of [this.#blocks, this.#coming]) known.delete(oldest);
      return block;
    });
  }

  /** @param {number} file */
  #name(file) {
    return `${this.header.name}.${file}`;
  }

  /** @param {number} number @returns {Promise<Block>} */
  async #fetched(number) {
    const { name, block, size, in_file } = this.header;
    const at = number % in_file;
    const file = (number - at) / in_file;
    const [from = 0, end = 0] = (await this.#index(file)).subarray(at, at + 2);
    const bytes = await this.folder.range(this.#name(file), from, end - from);
    const view = new DataView(bytes.buffer, 0, HEAD);
    const [base, width, checksum] = [view.getInt32(0, true), view.getUint8(4), view.getUint32(5, true)];
    const wanted = Math.min(block, size - number * block) * width;
    const content = await inflated(bytes.subarray(HEAD), wanted).catch(() => new Uint8Array());
    if (content.length !== wanted || this.#checksum(`${name} ${number} ${base} ${width}`, content) !== checksum) {
      throw new Unreadable(this.#name(file), `is damaged: block ${number} does not have its checksum`);
    }
    const codes = width === 1 ? content : width === 2 ? new Uint16Array(content.buffer) : new Uint32Array(content.buffer);
    return { base, codes, none: 256 ** width - 1 };
  }

  /** @param {number} file */
  #index(file) {
    return shared(this.#indexes, file, async () => {
      const bounds = Math.min(this.header.in_file, this.count - file * this.header.in_file) + 1;
      const bytes = await this.folder.range(this.#name(file), 0, 4 * bounds + 4);
      const words = new Uint32Array(bytes.buffer);
      if (this.#checksum(this.#name(file), bytes.subarray(0, -4)) !== words[bounds]) {
        throw new Unreadable(this.#name(file), "is damaged: its index does not have its checksum");
      }
      return words;
    });
  }

  /** @param {string} what @param {Uint8Array} content */
  #checksum(what, content) {
    return crc32(content, crc32(new TextEncoder().encode(`${this.digest} ${what}\n`)));
  }
}

/** @param {Block | undefined} block @param {number} at */
function valueIn(block, at) {
  const code = block?.codes[at];
  return block === undefined || code === undefined || code === block.none ? -1 : block.base + code;
}
