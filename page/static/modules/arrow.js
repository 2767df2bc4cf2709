import { lengthOf, moved, poseAt, round } from "./motion.js";

const HEAD = 11;
const STEPS = 96;
/** How much of a slide may be left out at its beginning, for the letter of the piece. */
const BESIDE = 0.4;

/** As path data; null where what moves is not told. @param {Board} board @param {BoardMove} move */
export function arrowOf(board, move) {
  const motions = move.motions?.filter((motion) => motion.turn || motion.slide) ?? [];
  const shown = motions.find((motion) => move.handle.includes(motion.piece)) ?? motions[0];
  const piece = board.pieces.find(({ id }) => id === shown?.piece);
  if (!shown || !piece) return null;
  const turning = board.pieces.filter(({ id }) => motions.some((motion) => motion.piece === id));
  const from = shown.turn ? startOf(board, shown.turn, turning) : piece;
  const begin = shown.turn ? 0 : Math.min(piece.size / lengthOf(shown, piece), BESIDE);
  const points = Array.from({ length: STEPS + 1 }, (_, step) => moved(poseAt(shown, begin + ((1 - begin) * step) / STEPS), from));
  const tip = points.pop() ?? from;
  const line = points.filter(({ x, y }, at) => at === 0 || Math.hypot(tip.x - x, tip.y - y) > 0.7 * HEAD);
  const last = line.at(-1) ?? from;
  const turn = { x: 0, y: 0, degrees: (Math.atan2(tip.y - last.y, tip.x - last.x) * 180) / Math.PI };
  const corners = [[0, 0], [-1.5 * HEAD, -0.85 * HEAD], [-1.5 * HEAD, 0.85 * HEAD]];
  const head = corners.map(([x = 0, y = 0]) => moved({ dx: 0, dy: 0, turn }, { x, y })).map(({ x, y }) => ({ x: tip.x + x, y: tip.y + y }));
  return { line: pathOf(line), head: `${pathOf(head)}Z` };
}

/** Of an arc whose middle is on the outer side, where no piece is if there is room. @param {Board} board @param {Turn} turn @param {Point[]} pieces */
function startOf(board, turn, pieces) {
  const far = pieces.map(({ x, y }) => Math.hypot(x - turn.x, y - turn.y));
  const inner = Math.min(...far) / 2;
  const radius = inner > HEAD ? inner : far.reduce((sum, each) => sum + each / far.length, 0);
  const [awayX, awayY] = [turn.x - board.width / 2, turn.y - board.height / 2];
  const outward = Math.hypot(awayX, awayY) > 1 ? Math.atan2(awayY, awayX) : -Math.PI / 2;
  const angle = outward - (turn.degrees * Math.PI) / 360;
  return { x: turn.x + radius * Math.cos(angle), y: turn.y + radius * Math.sin(angle) };
}

/** @param {Point[]} points */
function pathOf(points) {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
}
