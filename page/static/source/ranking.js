/** The numbers of states, from data alone: an automaton of texts, and the vertices of orbits of the color wheels. */

import { unpacked } from "./files.js";

class Automaton {
  /** @param {Uint32Array} next @param {number} symbols */
  constructor(next, symbols) {
    this.next = next;
    this.symbols = symbols;
    const nodes = next.length / symbols;
    const count = new Float64Array(nodes + 1);
    count[nodes] = 1;
    /** The number of sequences before those through each transition. */
    this.before = new Float64Array(next.length);
    for (let node = nodes - 1; node >= 0; node--) {
      let sum = 0;
      for (let at = node * symbols; at < (node + 1) * symbols; at++) {
        this.before[at] = sum;
        const to = next[at];
        if (to) sum += count[to] ?? 0;
      }
      count[node] = sum;
    }
    this.size = count[0] ?? 0;
  }

  /** -1 for a sequence without a number. @param {Uint8Array} sequence */
  rank(sequence) {
    let [node, rank] = [0, 0];
    for (const symbol of sequence) {
      const step = node * this.symbols + symbol;
      const to = symbol < this.symbols ? this.next[step] : 0;
      if (!to) return -1;
      rank += this.before[step] ?? 0;
      node = to;
    }
    return rank;
  }

  /** @param {number} rank @param {number} length */
  unrank(rank, length) {
    const sequence = new Uint8Array(length);
    for (let [at, node, rest] = [0, 0, rank]; at < length; at++) {
      const first = node * this.symbols;
      let step = first + this.symbols - 1;
      while (step > first && (!this.next[step] || (this.before[step] ?? 0) > rest)) step--;
      sequence[at] = step - first;
      rest -= this.before[step] ?? 0;
      node = this.next[step] ?? 0;
    }
    return sequence;
  }
}

export class Ranking {
  /**
   * `ordinals`: by wheel and row, the row's number among those that have vertices.
   * @param {RankingHeader} header @param {Automaton} automaton @param {Uint32Array[]} ordinals
   */
  constructor(header, automaton, ordinals) {
    this.header = header;
    this.automaton = automaton;
    this.ordinals = ordinals;
    this.starts = [0];
    for (const each of ordinals) this.starts.push((this.starts.at(-1) ?? 0) + (each.at(-1) ?? 0));
    /** Whether colours may have any letters. */
    this.names = (header.named ?? []).length > 0;
  }

  /** @param {RankingHeader} header */
  static async of(header) {
    const automaton = new Automaton(new Uint32Array((await unpacked(header.next)).buffer), header.symbols);
    const { rows = [], width = 1 } = header.orbits ?? {};
    const bits = await Promise.all(rows.map(unpacked));
    const ordinals = bits.map((each) => {
      const found = new Uint32Array(automaton.size / width + 1);
      for (let row = 0; row + 1 < found.length; row++) found[row + 1] = (found[row] ?? 0) + (((each[row >> 3] ?? 0) >> (row & 7)) & 1);
      return found;
    });
    return new Ranking(header, automaton, ordinals);
  }

  /** -1 for codes of no state that moves lead to. @param {Uint8Array} codes */
  rank(codes) {
    const { places, alike = 0, named = [] } = this.header;
    const sequence = new Uint8Array(places.length);
    const names = this.names ? new Map([[0, 0]]) : null;
    if (names) for (const place of named) if (!names.has(codes[place] ?? 0)) names.set(codes[place] ?? 0, names.size);
    for (let at = 0; at < places.length; at++) {
      const code = codes[places[at] ?? 0] ?? 0;
      const symbol = names ? (names.get(code) ?? 255) : code;
      sequence[at] = at < alike ? Math.min(symbol, 1) : symbol;
    }
    return this.automaton.rank(sequence);
  }

  /** @param {number} number */
  unrank(number) {
    const { places, alike = 0 } = this.header;
    const sequence = this.automaton.unrank(number, places.length);
    const codes = new Uint8Array(places.length);
    let colours = 0;
    for (const [at, place] of places.entries()) {
      const symbol = sequence[at] ?? 0;
      codes[place] = at < alike && symbol ? ++colours : symbol;
    }
    return codes;
  }

  /** @param {Uint8Array} codes @returns {Numbers} */
  numbers(codes) {
    const rank = this.rank(codes);
    const { orbits } = this.header;
    if (rank < 0 || !orbits) return { rank, stored: [rank] };
    const first = this.#vertex(orbits, 0, codes, rank);
    if (!orbits.half_turn) return { rank, stored: [first, this.#vertex(orbits, 1, codes, rank)] };
    const [places, becomes] = orbits.half_turn;
    const turned = Uint8Array.from(places, (place) => becomes[codes[place] ?? 0] ?? 0);
    return { rank, stored: [first, this.#vertex(orbits, 0, turned, this.rank(turned))] };
  }

  /**
   * The vertex of the orbit of a wheel: the least row that turning it back leads to, with its column.
   * @param {OrbitsHeader} orbits @param {number} wheel @param {Uint8Array} codes
   * @param {number} rank
   */
  #vertex(orbits, wheel, codes, rank) {
    const turned = new Uint8Array(codes.length);
    let [least, column] = [Math.floor(rank / orbits.width), rank % orbits.width];
    for (const places of (orbits.turns[wheel] ?? []).slice(1)) {
      for (let at = 0; at < turned.length; at++) turned[at] = codes[places[at] ?? 0] ?? 0;
      const other = this.rank(turned);
      const row = Math.floor(other / orbits.width);
      if (row < least) [least, column] = [row, other % orbits.width];
    }
    return ((this.starts[wheel] ?? 0) + (this.ordinals[wheel]?.[least] ?? 0)) * orbits.width + column;
  }
}
