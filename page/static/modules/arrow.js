import { legsOf, moved, round } from "./motion.js";

const HEAD = 11;
/** Of a slide, how much may be left out at its beginning, for the letter of the piece. */
const BESIDE = 0.4;

/** As path data; null where what moves is not told. @param {Board} board @param {BoardMove} move */
export function arrowOf(board, move) {
  const motions = move.motions?.filter((motion) => motion.turn || motion.slide) ?? [];
  const shown = motions.find((motion) => move.handle.includes(motion.piece)) ?? motions[0];
  const piece = board.pieces.find(({ id }) => id === shown?.piece);
  if (!shown || !piece) return null;
  if (shown.turn) {
    const turned = new Set(motions.map((motion) => motion.piece));
    return aboutPoint(board, shown.turn, board.pieces.filter(({ id }) => turned.has(id)));
  }
  const legs = legsOf(shown.slide ?? []).filter(([dx, dy]) => dx !== 0 || dy !== 0);
  const points = [{ x: piece.x, y: piece.y }];
  for (const [dx, dy] of legs) {
    const { x, y } = points.at(-1) ?? piece;
    points.push({ x: x + dx, y: y + dy });
  }
  const [first = [1, 0]] = legs;
  const skipped = Math.min(piece.size / Math.hypot(...first), BESIDE);
  points[0] = { x: piece.x + skipped * first[0], y: piece.y + skipped * first[1] };
  const [end, before] = [points.at(-1) ?? piece, points.at(-2) ?? piece];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const tail = { x: end.x - 0.7 * HEAD * Math.cos(angle), y: end.y - 0.7 * HEAD * Math.sin(angle) };
  const line = [...points.slice(0, -1), tail].map(({ x, y }) => `${round(x)} ${round(y)}`).join("L");
  return { line: `M${line}`, head: headAt(end, angle) };
}

/** @param {Board} board @param {Turn} turn @param {Point[]} pieces */
function aboutPoint(board, turn, pieces) {
  const far = pieces.map(({ x, y }) => Math.hypot(x - turn.x, y - turn.y));
  const inner = Math.min(...far) / 2; // where no piece is
  const radius = inner > HEAD ? inner : far.reduce((sum, each) => sum + each, 0) / Math.max(far.length, 1);
  const [awayX, awayY] = [turn.x - board.width / 2, turn.y - board.height / 2];
  const outward = Math.hypot(awayX, awayY) > 1 ? Math.atan2(awayY, awayX) : -Math.PI / 2;
  const half = (turn.degrees * Math.PI) / 360;
  const point = (/** @type {number} */ angle) => ({
    x: turn.x + radius * Math.cos(angle),
    y: turn.y + radius * Math.sin(angle),
  });
  const sign = Math.sign(turn.degrees);
  const last = outward + half;
  const [from, to] = [point(outward - half), point(last - (sign * 0.7 * HEAD) / Math.max(radius, 1))];
  const large = Math.abs(turn.degrees) > 180 ? 1 : 0;
  const arc = `A${round(radius)} ${round(radius)} 0 ${large} ${sign > 0 ? 1 : 0} ${round(to.x)} ${round(to.y)}`;
  return { line: `M${round(from.x)} ${round(from.y)}${arc}`, head: headAt(point(last), last + (sign * Math.PI) / 2) };
}

/** @param {Point} tip @param {number} angle */
function headAt(tip, angle) {
  const turn = { x: 0, y: 0, degrees: (angle * 180) / Math.PI };
  const corners = [[0, 0], [-HEAD * 1.5, -HEAD * 0.85], [-HEAD * 1.5, HEAD * 0.85]].map(([x = 0, y = 0]) => {
    const at = moved({ dx: 0, dy: 0, turn }, { x, y });
    return `${round(tip.x + at.x)} ${round(tip.y + at.y)}`;
  });
  return `M${corners.join("L")}Z`;
}
