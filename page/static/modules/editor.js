/**
 * The board as an editor. Which letter of a state tells what lies at which place is learnt from random positions, so it
 * needs no rules; the service says what is wrong with a position that cannot be.
 */

import { button, html } from "./dom.js";
import { Problem } from "./problem.js";

const LEARNT = 24;
/** No distances are needed: a search need not look at more states. */
const MIXED = /** @type {RandomOptions} */ ({ turns: 40, max_states: 1 });
const HOW = "Tap two places: their pieces change places. Tap one twice: it takes the next look.";

/** @param {Controls} controls */
export async function edit({ byId, player, truth, host }) {
  const { game, puzzle, view } = player;
  const begun = game.state;
  const known = learn(await some(puzzle, begun));
  if (game.state !== begun) return;
  if (!known) {
    host.tell(new Problem({ detail: "This board cannot be set piece by piece.", hint: "Give its state as text, below." }));
    return;
  }
  const end = new AbortController();
  const told = html("p", { role: "status" }, HOW);
  const play = button("Play from here", () => leave(text), { class: "main" });
  let text = begun;
  /** @type {EditedPlace | null} */
  let chosen = null;
  player.lent = true;
  byId("editor").replaceChildren(told, play, button("Leave", () => leave(begun)));
  byId("editor").hidden = false;
  view.element.addEventListener("click", tap, { signal: end.signal });
  game.addEventListener("leaving", close, { signal: end.signal });

  /** @param {MouseEvent} event */
  function tap(event) {
    const { point } = view.at(event);
    const far = (/** @type {EditedPlace} */ { x, y }) => Math.hypot(x - point.x, y - point.y);
    const place = known?.reduce((best, each) => (far(each) < far(best) ? each : best));
    if (!place) return;
    if (!chosen) {
      chosen = place;
      view.choose("", [place]);
      return;
    }
    const [one, other] = [chosen, place];
    chosen = null;
    text = one === other ? turned(text, one) : exchanged(text, one, other);
    show();
  }

  async function show() {
    const shown = text;
    const { board } = view;
    const pieces = (known ?? []).flatMap((place) => lying(place, text[place.at] ?? "", known ?? []));
    const fixed = board?.pieces.filter(({ place }) => !known?.some(({ name }) => name === place)) ?? [];
    if (board) view.show({ ...board, moves: [], pieces: [...fixed, ...pieces] });
    const wrong = await wrongIn(shown);
    if (text !== shown || !player.lent) return;
    told.replaceChildren(wrong || HOW);
    play.disabled = wrong !== "";
  }

  /** @param {string} state */
  async function wrongIn(state) {
    try {
      await puzzle.board(state);
      const { solvable } = await puzzle.lookup(state, truth.searched ? { maxStates: 1 } : {});
      return solvable === false ? "The goal cannot be reached from this position." : "";
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  function close() {
    end.abort();
    player.lent = false;
    byId("editor").hidden = true;
  }

  /** @param {string} state */
  function leave(state) {
    close();
    if (state === begun) player.restore();
    else player.open(state).catch(host.tell);
  }
}

/** Positions to learn from. @param {Puzzle} puzzle @param {string} state */
async function some(puzzle, state) {
  const random = () => puzzle.random(MIXED).then((found) => puzzle.board(found.state));
  return Promise.all([puzzle.board(state), ...Array.from({ length: LEARNT }, random)]);
}

/** The places where something changes; null unless a letter of its own tells it of each. @param {Board[]} boards */
function learn(boards) {
  /** @type {EditedPlace[]} */
  const known = [];
  for (const place of boards[0]?.places ?? []) {
    const there = boards.map(({ pieces }) => pieces.filter((piece) => piece.place === place.name));
    const looks = there.map((pieces) => pieces.map(({ colour, label }) => colour + label).join());
    if (new Set(looks).size === 1) continue;
    const places = [...(boards[0]?.state ?? "")].map((_, at) => at);
    const telling = places.filter((at) => agree(boards.map(({ state }) => state[at] ?? ""), looks));
    const [at] = telling;
    if (at === undefined || telling.length > 1) return null;
    const alone = there.map((pieces) => pieces.map((piece, number) => ({ ...piece, id: `${place.name} ${number}` })));
    const pieces = new Map(boards.map(({ state }, number) => [state[at] ?? "", alone[number] ?? []]));
    known.push({ ...place, at, pieces });
  }
  return known.length > 0 ? known : null;
}

/** Whether equal ones are equal in both lists. @param {string[]} ones @param {string[]} others */
function agree(ones, others) {
  const pairs = new Set(ones.map((each, at) => `${each} ${others[at]}`));
  return pairs.size === new Set(ones).size && pairs.size === new Set(others).size;
}

/** What a letter means at a place; if no position had it there, as elsewhere, in the place's own shape.
 * @param {EditedPlace} place @param {string} letter @param {EditedPlace[]} known
 */
function lying(place, letter, known) {
  const seen = place.pieces.get(letter);
  if (seen) return seen;
  const [like] = known.flatMap(({ pieces }) => pieces.get(letter) ?? []);
  const [shape] = [...place.pieces.values()].flat();
  return like && shape ? [{ ...shape, colour: like.colour, label: like.label, ink: like.ink }] : [];
}

/** @param {string} text @param {EditedPlace} place */
function turned(text, { at, pieces }) {
  const letters = [...pieces.keys()].sort();
  return put(text, at, letters[(letters.indexOf(text[at] ?? "") + 1) % letters.length] ?? "");
}

/** @param {string} text @param {EditedPlace} one @param {EditedPlace} other */
function exchanged(text, one, other) {
  return put(put(text, one.at, text[other.at] ?? ""), other.at, text[one.at] ?? "");
}

/** @param {string} text @param {number} at @param {string} letter */
function put(text, at, letter) {
  return text.slice(0, at) + letter + text.slice(at + 1);
}
