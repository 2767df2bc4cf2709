import { moved, poseAt } from "./motion.js";

/** How much nearer than any other the nearest middle has to be, so that no tap on a border guesses. */
const CLEARLY = 0.8;
const STILL = 1;

/** Of a piece, or of the one that goes where the move takes one of several alike. @param {BoardMove} move @param {string} id */
export function motionOf({ motions, handle }, id) {
  return motions?.find(({ piece }) => piece === id) ?? motions?.find(({ piece }) => handle.includes(piece));
}

/** @param {BoardMove[]} moves @param {string} id @param {Point} from */
export function endsFrom(moves, id, from) {
  return moves.flatMap((move) => {
    const motion = motionOf(move, id);
    return motion ? [{ ...moved(poseAt(motion, 1), from), move }] : [];
  });
}

/** @param {Board} board @param {string} id @param {BoardMove[]} moves */
export function endsOf(board, id, moves) {
  const piece = board.pieces.find((each) => each.id === id);
  return piece ? endsFrom(moves, id, piece).filter(({ x, y }) => Math.hypot(x - piece.x, y - piece.y) > STILL) : [];
}

/**
 * The only one; of lamps and stickers that of the part whose pieces lie about it. Null where the player has to say more.
 * @param {Board} board @param {string} id @param {BoardMove[]} moves
 */
export function naturalMove(board, id, moves) {
  if (moves.length <= 1) return moves[0] ?? null;
  const piece = board.pieces.find((each) => each.id === id);
  if (!piece || endsOf(board, id, moves).length > 0) return null;
  const only = ofOneGroup(moves);
  if (only) return only;
  const middles = moves.map((move) => {
    const held = board.pieces.filter((each) => move.handle.includes(each.id));
    const [x, y] = [held.reduce((sum, each) => sum + each.x, 0), held.reduce((sum, each) => sum + each.y, 0)];
    return { move, far: Math.hypot(x / held.length - piece.x, y / held.length - piece.y) };
  });
  const nearest = middles.reduce((best, each) => (each.far < best.far ? each : best));
  const others = middles.filter(({ move }) => move.group !== nearest.move.group);
  return others.every(({ far }) => nearest.far < CLEARLY * far) ? nearest.move : null;
}

/** Clockwise, where all moves of the piece turn one part. @param {string} id @param {BoardMove[]} moves */
export function smallestTurn(id, moves) {
  const turns = moves.map((move) => move.motions?.find(({ piece }) => piece === id)?.turn?.degrees ?? 0);
  const least = Math.min(...turns.filter((degrees) => degrees > 0));
  return turns.every((degrees) => degrees !== 0) && ofOneGroup(moves) ? (moves[turns.indexOf(least)] ?? null) : null;
}

/** @param {BoardMove[]} moves */
function ofOneGroup(moves) {
  return new Set(moves.map(({ group }) => group)).size === 1 ? (moves[0] ?? null) : null;
}
