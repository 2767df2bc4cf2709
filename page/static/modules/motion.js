const STILL = Object.freeze({ dx: 0, dy: 0, turn: null });

/** @param {Motion} motion @param {number} part */
export function poseAt(motion, part) {
  if (motion.turn) return { dx: 0, dy: 0, turn: { ...motion.turn, degrees: motion.turn.degrees * part } };
  if (motion.slide) return { ...alongLegs(motion.slide, part), turn: null };
  return STILL;
}

/** @param {Motion} motion @param {Point} from */
export function lengthOf(motion, from) {
  if (motion.turn) {
    const radius = Math.hypot(from.x - motion.turn.x, from.y - motion.turn.y);
    return (Math.abs(motion.turn.degrees) * Math.PI * radius) / 180;
  }
  return legsOf(motion.slide ?? []).reduce((sum, [dx, dy]) => sum + Math.hypot(dx, dy), 0);
}

/** @param {Pose} pose @param {Point} point */
export function moved(pose, { x, y: unfolded }) {
  const { middle, scale } = pose.fold ?? { middle: 0, scale: 1 };
  const y = middle + scale * (unfolded - middle);
  if (!pose.turn) return { x: x + pose.dx, y: y + pose.dy };
  const angle = (pose.turn.degrees * Math.PI) / 180;
  const [dx, dy] = [x - pose.turn.x, y - pose.turn.y];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: pose.turn.x + dx * cos - dy * sin, y: pose.turn.y + dx * sin + dy * cos };
}

/** In the midst of a move; what passes above others comes last. @param {Piece[]} pieces @param {Pick<BoardMove, "motions">} move @param {number} part */
export function piecesAt(pieces, move, part) {
  const motions = new Map((move.motions ?? []).map((motion) => [motion.piece, motion]));
  const flipped = pieces.filter(({ id }) => motions.get(id)?.flip);
  const middle = flipped.reduce((sum, { y }) => sum + y, 0) / flipped.length;
  const lifted = (/** @type {Piece} */ { id }) => Number(part > 0 && motions.get(id)?.lift);
  const there = pieces.map((piece) => {
    const motion = motions.get(piece.id);
    if (!motion) return piece;
    const pose = { ...poseAt(motion, part), fold: motion.flip ? { middle, scale: Math.abs(1 - 2 * part) } : null };
    const look = part >= (motion.flip ? 0.5 : 1) ? motion.becomes : null;
    return { ...piece, ...look, ...moved(pose, piece), outline: movedOutline(piece.outline, pose) };
  });
  return there.sort((one, other) => lifted(one) - lifted(other));
}

/**
 * The board after a move, where every move permutes the places and the state's letters with them; else null. A place's
 * motion is the same in every state then. That the letters follow is checked on each move of the board.
 * @param {Board} board @param {BoardMove} move
 */
export function boardAfter(board, move) {
  const { permutations, places } = board;
  if (!permutations || !move.motions) return null;
  const follows = board.moves.every(({ move: name, after, motions }) => {
    const permutation = permutations[name];
    return permutation && motions && after === permuted(board.state, permutation);
  });
  const onPlaces = new Set(board.pieces.map((piece) => piece.place)).size === places.length;
  if (!follows || !onPlaces || board.pieces.length !== places.length || board.state.length !== places.length) return null;
  const pieces = piecesAt(board.pieces, move, 1).map((piece) => ({ ...piece, place: nearest(places, piece)?.name ?? piece.place }));
  const placeOf = new Map(board.pieces.map((piece) => [piece.id, piece.place]));
  const idAt = new Map(pieces.map((piece) => [piece.place, piece.id]));
  const there = (/** @type {string} */ id) => idAt.get(placeOf.get(id) ?? "") ?? id;
  const moves = board.moves.map((each) => ({
    ...each,
    after: permuted(move.after, permutations[each.move] ?? []),
    handle: each.handle.map(there),
    motions: each.motions?.map((motion) => ({ ...motion, piece: there(motion.piece) })) ?? null,
  }));
  return { ...board, state: move.after, pieces, moves };
}

/** @param {string} state @param {number[]} permutation */
function permuted(state, permutation) {
  return permutation.map((from) => state[from]).join("");
}

/** Of M, L, A and Z in absolute coordinates. @param {string} outline @param {Pose} pose */
export function movedOutline(outline, pose) {
  return outline.replace(/([MLA])([^MLAZ]*)/g, (_, letter, text) => {
    const numbers = String(text).trim().split(/[\s,]+/).map(Number);
    const [x, y] = numbers.slice(-2);
    const to = moved(pose, { x: x ?? 0, y: y ?? 0 });
    return `${letter}${[...numbers.slice(0, -2), round(to.x), round(to.y)].join(" ")}`;
  });
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 100) / 100;
}

/** @template {Point} P @param {P[]} points @param {Point} to */
export function nearest(points, to) {
  /** @type {P | undefined} */
  let best;
  let least = Infinity;
  for (const point of points) {
    const distance = Math.hypot(point.x - to.x, point.y - to.y);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

/** @param {number[]} slide */
export function legsOf(slide) {
  /** @type {[number, number][]} */
  const legs = [];
  for (let leg = 0; leg + 1 < slide.length; leg += 2) legs.push([slide[leg] ?? 0, slide[leg + 1] ?? 0]);
  return legs;
}

/** @param {number[]} slide @param {number} part */
function alongLegs(slide, part) {
  const legs = legsOf(slide);
  let left = part * legs.reduce((sum, [dx, dy]) => sum + Math.hypot(dx, dy), 0);
  let [x, y] = [0, 0];
  for (const [dx, dy] of legs) {
    const length = Math.hypot(dx, dy);
    const share = length > 0 ? Math.min(left / length, 1) : 1;
    x += dx * share;
    y += dy * share;
    left -= length * share;
    if (share < 1) break;
  }
  return { dx: x, dy: y };
}
