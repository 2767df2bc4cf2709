import { moved, nearest, poseAt } from "./motion.js";
import { endsFrom, motionOf } from "./taps.js";

const TAP = 6;
const STEPS = 240;

/**
 * A drag follows the move whose way is nearest to the pointer; at its end the move is made whose end is nearest.
 * @param {Player} player
 */
export function letDrag(player) {
  const { view } = player;
  const { element } = view;
  /** @type {Drag | null} */
  let drag = null;

  element.addEventListener("pointerdown", (event) => {
    if (drag || event.button !== 0 || !view.board) return;
    const { point, piece } = view.at(event);
    const moves = piece && player.atRest ? view.board.moves.filter((move) => move.handle.includes(piece)) : [];
    drag = { id: event.pointerId, piece, from: point, screen: event, moves, shown: null };
    element.setPointerCapture(event.pointerId);
    element.classList.toggle("dragging", moves.length > 0);
  });

  // Elsewhere on the board a finger scrolls the page. Browsers heed no touch-action of what is inside an SVG.
  element.addEventListener("touchstart", (event) => drag && drag.moves.length > 0 && event.preventDefault(), { passive: false });

  element.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - drag.screen.clientX, event.clientY - drag.screen.clientY) < TAP && !drag.shown) return;
    if (view.space && view.board && !drag.piece) {
      view.space.look(event.movementX, event.movementY);
      view.show(view.board);
      return;
    }
    const best = nearestWay(drag.moves, drag.piece ?? "", drag.from, view.at(event).point);
    if (drag.shown && drag.shown.move !== best?.move) view.pose(drag.shown.move, 0);
    if (best) view.pose(best.move, best.part);
    drag.shown = best;
  });

  const up = (/** @type {PointerEvent} */ event) => {
    if (drag?.id !== event.pointerId) return;
    const { from, moves, shown } = drag;
    const piece = drag.piece ?? "";
    drag = null;
    element.classList.remove("dragging");
    if (!shown) {
      if (event.type === "pointerup") player.tapped(piece || null, from);
      return;
    }
    const to = view.at(event).point;
    const ends = [{ ...from, move: null }, ...endsFrom(moves, piece, from)];
    const chosen = event.type === "pointerup" ? nearest(ends, to)?.move : null;
    if (shown.move !== chosen) view.pose(shown.move, chosen ? 0 : shown.part);
    if (chosen) player.make(chosen, nearestWay([chosen], piece, from, to)?.part);
    else view.animate(shown.move, { from: shown.part, to: 0 });
  };
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
}

/** @param {BoardMove[]} moves @param {string} piece @param {Point} from @param {Point} to */
function nearestWay(moves, piece, from, to) {
  /** @type {Drag["shown"]} */
  let best = null;
  let least = Infinity;
  for (const move of moves) {
    const motion = motionOf(move, piece);
    if (!motion) continue;
    for (let step = 0; step <= STEPS; step++) {
      const at = moved(poseAt(motion, step / STEPS), from);
      const distance = Math.hypot(at.x - to.x, at.y - to.y);
      if (distance < least - 1e-6) [best, least] = [{ move, part: step / STEPS }, distance];
    }
  }
  return best;
}
