/** How a state's text tells what lies where, by its board alone: with letters of places, words in piles, or amounts. */

const CELL = /^([a-z]+)(\d+)$/;
const TUBE = /^\d+-\d+$/;
/** What may tell of a place, in a text that tells of each in its order. */
const WORDS = [/[^/]/g, /[^-/]\d?/g, /[^-/]/g];
/** In Sokoban: what lies on plain floor, and on a goal. */
const PLAIN = "-$@";
const GOAL = ".*+";

/** Null where the text does not tell it. @param {Board} board @returns {Arrangement | null} */
export function arrangementOf(board) {
  const places = board.places.map((place) => ({ ...place, of: place.name.replace(/(-l\d+)-o.*/, "$1"), at: [] }));
  return amounts(board, places) ?? piles(board, places) ?? cells(board, places) ?? words(board, places);
}

/** @type {Arranger} */
function amounts({ state: start, pieces }, places) {
  if (!start.includes(",")) return null;
  const size = places.length;
  const all = start.split(/\D/, size).reduce((sum, each) => sum + Number(each), 0);
  const space = places.find(({ name }) => !pieces.some(({ label }) => label === name))?.name;
  return {
    places,
    units: pieces.length === all * (size - 1) ? 1 : all,
    after({ state }, from, to, most) {
      const tile = from.piece?.label ?? space;
      const back = to.piece && to.piece.label !== tile ? to.piece.label : space;
      const spots = [from, to].flatMap(({ place }) => [tile, back].map((each) => Number(place.name) * size + Number(each)));
      const numbers = state.split(/\D/).map(Number);
      const amount = Math.min(most, numbers[spots[0] ?? 0] ?? 0, numbers[spots[3] ?? 0] ?? 0);
      spots.forEach((at, number) => (numbers[at] = (numbers[at] ?? 0) + (number % 3 ? amount : -amount)));
      return state.replace(/\d+/g, () => `${numbers.shift()}`);
    },
  };
}

/** A piece that goes to a free place lies on top. Disks lie by size, and show one colour in each pile. @type {Arranger} */
function piles({ state: start }, places) {
  const columns = [...new Set(places.map(({ x }) => x))];
  if (!start.includes("|") || start.split("|").length !== columns.length) return null;
  const disks = /\d/.test(start);
  return {
    places,
    after(board, from, to) {
      const piled = board.state.split("|");
      const colours = piled.map((pile) => pile.match(/^.(?=\d)/)?.[0] ?? "");
      const [one = "", other = ""] = [from, to].map(({ place }) => board.pieces.filter((piece) => piece.place === place.name).map(({ label }) => label).join(""));
      const [source = 0, target = 0] = [from, to].map(({ place }) => columns.indexOf(place.x));
      if (from.place === to.place) colours[source] = colours[source] === "R" ? "B" : "R";
      else if (!one) return null;
      const names = new Map([[one, other], [other, one]]);
      return piled.map((pile, at) => {
        const named = pile.match(disks ? /\d+/g : /./g) ?? [];
        const changed = [...(at === target && !other ? [""] : []), ...named].map((word) => names.get(word) ?? word).filter(Boolean);
        if (!disks || changed.length === 0) return changed.join("");
        return (colours[at] || colours[source]) + changed.sort((size, next) => Number(next) - Number(size)).join(".");
      }).join("|");
    },
  };
}

/** Rows of cells. A letter is a piece where no two have the same. @type {Arranger} */
function cells({ state, pieces }, places) {
  const rows = state.split("/");
  const inside = places.flatMap((place) => {
    const [, letters = "", row] = CELL.exec(place.name) ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + parseInt(letter, 36) - 9, 0) - 1;
    const at = rows.slice(0, Number(row) - 1).reduce((sum, { length }) => sum + length + 1, column);
    return rows[Number(row) - 1]?.[column] ? [{ ...place, at: [at] }] : [];
  });
  const names = pieces.map(({ label }) => label);
  if (inside.length < 2) return null;
  return new Set(names).size === names.length && names[0] ? inBlocks(inside, names) : inLetters(inside);
}

/** A word for each place in its order. @type {Arranger} */
function words({ state }, places) {
  const names = [...new Set(places.map(({ of }) => of))];
  const found = WORDS.map((word) => [...state.matchAll(word)]).find(({ length }) => length === names.length);
  return found ? inLetters(places.map((place) => {
    const { 0: word, index } = found[names.indexOf(place.of)] ?? { 0: "", index: 0 };
    return { ...place, at: [...word].map((_, at) => at + index) };
  })) : null;
}

/** @param {EditedPlace[]} places @param {string[]} names @returns {Arrangement} */
function inBlocks(places, names) {
  const inside = places.flatMap(({ at }) => at);
  return {
    places,
    wide: true,
    after({ state }, from, to) {
      const letters = [...state];
      const [one = 0, other = 0] = [from, to].flatMap(({ place }) => place.at);
      const letter = letters[one] ?? "";
      const there = letters.flatMap((each, at) => (each === letter ? at + other - one : []));
      const free = names.includes(letter) && there.every((at) => inside.includes(at) && (letters[at] === letter || !names.includes(letters[at] ?? "")));
      return free ? letters.map((each, at) => (there.includes(at) ? letter : each === letter ? "." : each)).join("") : null;
    },
  };
}

/** @param {EditedPlace[]} places @returns {Arrangement} */
function inLetters(places) {
  const inTubes = TUBE.test(places[0]?.name ?? "");
  return {
    places,
    after({ state }, { place: one }, { place: other }) {
      const onGoals = state.includes("#");
      const bare = onGoals ? translated(state, GOAL, PLAIN) : state;
      const mine = written(bare, one);
      const theirs = one.of === other.of ? turned(mine) : written(bare, other);
      if (one.at.length !== other.at.length) return null;
      const after = Array.from(bare, (each, at) => theirs[one.at.indexOf(at)] ?? mine[other.at.indexOf(at)] ?? each).join("");
      if (inTubes) return after.replace(/(\.+)(\w+)/g, "$2$1");
      return Array.from(after, (each, at) => (onGoals && GOAL.includes(state[at] ?? "") ? translated(each, PLAIN, GOAL) : each)).join("");

      /** @param {string} word */
      function turned(word) {
        const ways = Math.max(places.filter(({ of }) => of === one.of).length, 2);
        if (word.length > 1) return `${word[0]}${(Number(word[1]) + 1) % ways}`;
        const every = [...new Set(places.map((each) => written(bare, each)))].sort();
        return every[(every.indexOf(word) + 1) % every.length] ?? word;
      }
    },
  };
}

/** @param {string} text @param {string} letters @param {string} others */
function translated(text, letters, others) {
  return Array.from(text, (each) => others[letters.indexOf(each)] ?? each).join("");
}

/** @param {string} state @param {EditedPlace} place */
export function written(state, { at }) {
  return at.map((each) => state[each]).join("");
}
