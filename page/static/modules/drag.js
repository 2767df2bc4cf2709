
import { moved, nearest, poseAt } from "./motion.js";

const TAP = 6;
const STEPS = 24;

/**
 * Let a board be turned by dragging and tapping. A drag follows the move whose way is nearest to the pointer; at its end
 * the move is made whose end is nearest, or none if that is where it began.
 * @param {BoardView} view
 * @param {{ ready: () => boolean, made: (move: BoardMove, part: number) => void, tapped: (piece: string | null, at: Point) => void }} on
 */
export function letDrag(view, { ready, made, tapped }) {
  /**
   * @type {{ id: number, piece: string | null, from: Point, screen: Point, moves: BoardMove[], shown: Dragged | null } | null}
   */
  let drag = null;

  const down = (/** @type {PointerEvent} */ event) => {
    if (drag || event.button !== 0 || !view.board) return;
    const { point, piece } = view.at(event.clientX, event.clientY);
    const moves = piece && ready() ? view.board.moves.filter((move) => move.handle.includes(piece)) : [];
    drag = { id: event.pointerId, piece, from: point, screen: { x: event.clientX, y: event.clientY }, moves, shown: null };
    view.element.setPointerCapture(event.pointerId);
    view.element.classList.toggle("dragging", moves.length > 0);
  };

  const move = (/** @type {PointerEvent} */ event) => {
    if (drag?.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - drag.screen.x, event.clientY - drag.screen.y) < TAP && !drag.shown) return;
    const to = view.at(event.clientX, event.clientY).point;
    const best = nearestWay(drag.moves, drag.piece ?? "", drag.from, to);
    if (drag.shown && drag.shown.move !== best?.move) view.pose(drag.shown.move, 0);
    if (best) view.pose(best.move, best.part);
    drag.shown = best;
  };

  const up = (/** @type {PointerEvent} */ event) => {
    if (drag?.id !== event.pointerId) return;
    const { from, moves, shown } = drag;
    const piece = drag.piece ?? "";
    drag = null;
    view.element.classList.remove("dragging");
    if (!shown) {
      if (event.type === "pointerup") tapped(piece || null, from);
      return;
    }
    const to = view.at(event.clientX, event.clientY).point;
    const chosen = event.type === "pointerup" ? chosenMove(moves, piece, from, to) : null;
    if (shown.move !== chosen) view.pose(shown.move, chosen ? 0 : shown.part);
    if (chosen) made(chosen, nearestWay([chosen], piece, from, to)?.part ?? 0);
    else view.animate(shown.move, { from: shown.part, to: 0 });
  };

  /** @type {[string, (event: any) => void][]} */
  const listeners = [["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointercancel", up]];
  for (const [type, listener] of listeners) view.element.addEventListener(type, listener);
}

/**
 * The move whose way passes nearest to the pointer, and where on the way.
 * @param {BoardMove[]} moves @param {string} piece @param {Point} from @param {Point} to
 */
function nearestWay(moves, piece, from, to) {
  /** @type {Dragged | null} */
  let best = null;
  let least = Infinity;
  for (const move of moves) {
    const motion = move.motions?.find((each) => each.piece === piece);
    if (!motion) continue;
    const far = (/** @type {number} */ part) => {
      const at = moved(poseAt(motion, part), from);
      return Math.hypot(at.x - to.x, at.y - to.y);
    };
    for (let step = 0; step <= STEPS; step++) {
      const distance = far(step / STEPS);
      if (distance < least - 1e-6) [best, least] = [{ move, part: step / STEPS }, distance];
    }
    if (best?.move === move) {
      for (let width = 0.5 / STEPS; width > 0.002; width /= 2) {
        for (const part of [best.part - width, best.part + width]) {
          if (part >= 0 && part <= 1 && far(part) < least) [best, least] = [{ move, part }, far(part)];
        }
      }
    }
  }
  return best;
}

/** Null if the beginning is nearer. @param {BoardMove[]} moves @param {string} piece @param {Point} from @param {Point} to */
function chosenMove(moves, piece, from, to) {
  const ends = moves.flatMap((move) => {
    const motion = move.motions?.find((each) => each.piece === piece);
    return motion ? [{ ...moved(poseAt(motion, 1), from), move }] : [];
  });
  return nearest([{ ...from, move: null }, ...ends], to)?.move ?? null;
}
