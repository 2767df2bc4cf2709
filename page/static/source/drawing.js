const [DARK, LIGHT] = ["#2b2620", "#ffffff"];

export class Drawing {
  /**
   * `named`: letters are names that may be chosen: colours then follow their order.
   * @param {DrawingHeader} header @param {boolean} named
   */
  constructor(header, named) {
    this.header = header;
    this.named = named;
    /** Whether pieces move from slot to slot, so that ids are theirs and not the slots'. */
    this.moving = header.poses.some(([turn, slide]) => turn !== null || slide !== null);
  }

  /** By slot, null where there is none. @param {Read} state @returns {(Piece | null)[]} */
  pieces(state) {
    /** @type {Map<string, number>} */
    const seen = new Map();
    return this.#looks(state).map((look, number) => {
      const slot = this.header.slots[number];
      if (!look || !slot) return null;
      const [colour, label, kind = "piece"] = look;
      const alike = `${kind}-${colour.slice(1)}-${label}`;
      const count = (seen.get(alike) ?? 0) + 1;
      seen.set(alike, count);
      const { outline, x, y, size, place } = slot;
      return { id: this.moving ? `${alike}-${count}` : `slot-${number}`, outline, colour, label, x, y, size, ink: outline ? inkOn(colour) : colour, place };
    });
  }

  /** @param {Next} next @param {Read} state @param {(Piece | null)[]} before */
  effect(next, state, before) {
    const [touched, motions] = this.header.effects[next.effect] ?? [[], null];
    /** @type {(Piece | null)[] | undefined} */
    let behind;
    const told = motions?.flatMap(([slot, number, look]) => {
      const [turn, slide, lift, flip, walks] = this.header.poses[number] ?? [null, null, false, false];
      const piece = before[slot];
      if (!piece) return [];
      let becomes = null;
      if (look !== undefined) becomes = this.lookOf(look, state);
      else if (!turn && !slide) {
        const after = (behind ??= this.pieces(next.state))[slot];
        if (after && (after.colour !== piece.colour || after.label !== piece.label)) becomes = { colour: after.colour, label: after.label, ink: after.ink };
      }
      return [{ piece: piece.id, turn, slide: slide && this.path(slide, slot, state, walks ? next.state : null), lift, flip, becomes }];
    });
    return { handle: touched.flatMap((slot) => before[slot]?.id ?? []), motions: told ?? null };
  }

  /** @param {number} _look @param {Read} _state @returns {Look | null} */
  lookOf(_look, _state) {
    return null;
  }

  /** @param {number[]} slide @param {number} _slot @param {Read} _state @param {Read | null} _walksTo */
  path(slide, _slot, _state, _walksTo) {
    return slide;
  }

  /** @param {Read} state @returns {(DrawingHeader["looks"][number] | null)[]} */
  #looks({ codes, letters }) {
    const sorted = this.named ? [...letters.slice(1)].sort() : [];
    const order = this.named ? [0, ...Array.from(letters.slice(1), (letter) => sorted.indexOf(letter) + 1)] : null;
    return this.header.slots.map(({ at = [], looks }) => {
      let found = /** @type {any} */ (looks);
      for (const place of at) {
        const code = codes[place] ?? 0;
        found = found[order ? (order[code] ?? 0) : code];
      }
      const look = this.header.looks[Number(found)];
      if (!look) return null;
      const code = codes[at[0] ?? 0] ?? 0;
      return this.named && code && look[1] ? [look[0], letters[code] ?? "", look[2]] : look;
    });
  }
}

/** @param {string} colour */
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 299 * (red ?? 0) + 587 * (green ?? 0) + 114 * (blue ?? 0) > 158_000 ? DARK : LIGHT;
}
