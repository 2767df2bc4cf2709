/** BLAKE2b of 256 bits without a key, as RFC 7693 has it. */

const WORD = 64n;
const START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const ORDERS = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
];
const MIXED = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"];
/** @type {[half: number, first: bigint, second: bigint][]} */
const TURNS = [[0, 32n, 24n], [1, 16n, 63n]];
const [BLOCK, SIZE, ROUNDS] = [128, 32, 12];

/** @param {Uint8Array} bytes */
export function blake2b(bytes) {
  const state = BigUint64Array.from(START);
  state[0] = (state[0] ?? 0n) ^ 0x01010000n ^ BigInt(SIZE);
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK));
  for (let block = 0; block < blocks; block++) {
    const padded = new Uint8Array(BLOCK);
    padded.set(bytes.subarray(block * BLOCK, (block + 1) * BLOCK));
    compress(state, new BigUint64Array(padded.buffer), Math.min((block + 1) * BLOCK, bytes.length), block === blocks - 1);
  }
  return new Uint8Array(state.buffer).slice(0, SIZE);
}

/**
 * Words are in the order of bytes of this machine: little-endian, as every browser's.
 * @param {BigUint64Array} state @param {BigUint64Array} words @param {number} count @param {boolean} last
 */
function compress(state, words, count, last) {
  const work = BigUint64Array.from([...state, ...START]);
  const at = (/** @type {number} */ place) => work[place] ?? 0n;
  work[12] = at(12) ^ BigInt(count);
  if (last) work[14] = ~at(14);
  const turned = (/** @type {bigint} */ value, /** @type {bigint} */ by) => (value >> by) | (value << (WORD - by));
  for (let round = 0; round < ROUNDS; round++) {
    const order = ORDERS[round % ORDERS.length] ?? "";
    for (const [number, places] of MIXED.entries()) {
      const [a, b, c, d] = /** @type {[number, number, number, number]} */ (Array.from(places, (place) => Number.parseInt(place, 16)));
      for (const [half, first, second] of TURNS) {
        const word = words[Number.parseInt(order[2 * number + half] ?? "", 16)] ?? 0n;
        work[a] = at(a) + at(b) + word;
        work[d] = turned(at(d) ^ at(a), first);
        work[c] = at(c) + at(d);
        work[b] = turned(at(b) ^ at(c), second);
      }
    }
  }
  for (const number of state.keys()) state[number] = (state[number] ?? 0n) ^ at(number) ^ at(number + 8);
}
