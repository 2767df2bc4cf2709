/** The board as an editor. The service says what is wrong with a position that cannot be. */

import { arrangementOf, written } from "./arrangements.js";
import { button, html } from "./dom.js";
import { movedOutline, nearest } from "./motion.js";
import { Problem } from "./problem.js";

const SECONDS = 10;
const TAP = 6;
const HOW = "Drag a piece elsewhere, or tap two places: what lies there changes places. One tapped twice takes the next look.";

/** @param {Controls} controls */
export async function edit({ byId, player, truth, host }) {
  const { game, puzzle, view } = player;
  const begun = await puzzle.board(game.state);
  const arrangement = arrangementOf(begun);
  if (game.state !== begun.state) return;
  if (!arrangement) {
    host.tell(new Problem({ detail: "This board cannot be set piece by piece.", hint: "Give its state as text, below." }));
    return;
  }
  const { places, units, wide, after } = arrangement;
  const end = new AbortController();
  const told = html("p", { role: "status" });
  const play = button("Play from here", () => leave(shown.state), { class: "main" });
  const undo = button("Undo", () => set(before.pop()), { id: "undo-edit" });
  const most = html("input", { type: "number", min: 1, max: units, value: units });
  /** What Undo goes back to. @type {Board[]} */
  const before = [];
  let shown = begun;
  let judged = 0;
  /** @type {{ from: Spot, motions: Motion[] | null } | null} */
  let drag = null;
  /** @type {Spot | null} */
  let chosen = null;
  player.lent = true;
  byId("editor").replaceChildren(told, play, undo, button("Leave", () => leave(begun.state)));
  if (units && units > 1) byId("editor").append(html("label", {}, "Units at most ", most));
  byId("editor").hidden = false;
  const listeners = { pointerdown, pointermove, pointerup, pointercancel: () => show(shown) };
  for (const [type, listener] of Object.entries(listeners)) {
    view.element.addEventListener(type, /** @type {any} */ (listener), { signal: end.signal });
  }
  game.addEventListener("leaving", close, { signal: end.signal });
  show(begun);
  tell("");

  /** @param {Board} board */
  function show(board) {
    shown = board;
    drag = chosen = null;
    undo.disabled = before.length === 0;
    view.show({ ...board, moves: [] });
  }

  /** @param {Board} [board] */
  function set(board = shown) {
    show(board);
    judge();
  }

  /** @param {string} wrong @param {boolean} [passing] */
  function tell(wrong, passing = false) {
    told.replaceChildren(wrong || HOW, passing ? button("Try again", judge) : "");
    play.disabled = wrong !== "";
  }

  /** @param {PointerEvent} event @returns {Spot | null} */
  function spotAt(event) {
    const { point, piece: id } = view.at(event);
    const piece = shown.pieces.find((each) => each.id === id) ?? null;
    const place = (!wide && places.find(({ name }) => name === piece?.place)) || nearest(places, point);
    return place ? { place, piece, point } : null;
  }

  /** @param {PointerEvent} event */
  function pointerdown(event) {
    const from = event.button === 0 ? spotAt(event) : null;
    drag = from && { from, motions: null };
  }

  /** @param {PointerEvent} event */
  function pointermove(event) {
    if (!drag?.from.piece) return;
    const { piece, point } = drag.from;
    const to = view.at(event).point;
    const slide = [to.x - point.x, to.y - point.y];
    if (!drag.motions && Math.hypot(...slide) < TAP) return;
    const carried = shown.pieces.filter(({ id, place }) => id === piece.id || (!units && place === piece.place));
    drag.motions = carried.map(({ id }) => ({ piece: id, slide, lift: true, turn: null, flip: false, becomes: null }));
    view.pose(drag, 1);
  }

  /** @param {PointerEvent} event */
  function pointerup(event) {
    if (!drag) return;
    const { from, motions } = drag;
    const one = motions ? from : chosen;
    view.pose(drag, 0); // what is carried would hide what lies there
    const to = spotAt(event);
    show(shown);
    if (!one || !to) {
      chosen = from;
      view.choose(from.piece?.id ?? "", [from.place]);
      return;
    }
    const amount = Number(most.value) || 1;
    const state = after(shown, one, to, amount) ?? after(shown, to, one, amount) ?? shown.state;
    if (state !== shown.state) {
      before.push(shown);
      set({ ...shown, state, pieces: piecesAfter(state, one, to) });
    } else if (one.place !== to.place) told.textContent = "It has no room there.";
  }

  async function judge() {
    const mine = ++judged;
    const late = new Promise((_, reject) => setTimeout(reject, 1000 * SECONDS, new Error(`No answer came within ${SECONDS} s.`)));
    tell("Looking whether this can be …");
    try {
      const board = await Promise.race([late, puzzle.board(shown.state)]);
      if (mine !== judged) return;
      if (drag || chosen) shown = board;
      else show(board);
      const { solvable, lost } = await Promise.race([late, puzzle.lookup(board.state, truth.searched ? { maxStates: 1, maxSeconds: SECONDS } : {})]);
      if (mine === judged) tell(solvable === false && !lost ? "The goal cannot be reached from this position." : "");
    } catch (error) {
      const status = error instanceof Problem ? error.status : 500;
      if (mine === judged) tell(status === 403 ? "" : /** @type {Error} */ (error).message, status >= 500); // 403: answers are not served
    }
  }

  function close() {
    end.abort();
    judged += 1;
    player.lent = false;
    byId("editor").hidden = true;
  }

  /** @param {string} state */
  function leave(state) {
    close();
    if (state === begun.state) player.restore();
    else player.open(state).catch(host.tell);
  }

  /** Until the service has drawn them, or while it cannot. @param {string} state @param {Spot} from @param {Spot} to */
  function piecesAfter(state, from, to) {
    const { pieces } = shown;
    if (units || to.place.at.length > 1) return pieces;
    const [one, other] = [from.place, to.place];
    const [mine, theirs] = [from, to].map(({ piece, place }) => pieces.filter((each) => (wide ? each === piece : each.place === place.name)));
    const others = pieces.filter((piece) => !mine?.includes(piece) && !theirs?.includes(piece));
    if (one !== other) return [...others, ...shifted(mine, one, other), ...shifted(theirs, other, one)];
    const like = places.find((place) => place !== one && written(state, place) === written(state, one)) ?? one;
    const looks = pieces.filter(({ place }) => like !== one && place === like.name);
    const own = mine?.[0] ?? {};
    return [...others, ...shifted(looks, like, one).map((piece) => ({ ...piece, ...own, id: `at ${one.name}`, colour: piece.colour, label: piece.label, ink: piece.ink }))];
  }
}

/** @param {Piece[] | undefined} pieces @param {EditedPlace} from @param {EditedPlace} to */
function shifted(pieces = [], from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return pieces.map((piece) => ({ ...piece, place: to.name, x: piece.x + dx, y: piece.y + dy, outline: movedOutline(piece.outline, { dx, dy, turn: null }) }));
}
