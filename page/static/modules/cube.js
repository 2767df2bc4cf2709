import { round } from "./motion.js";

/** Of each face by its column and row in a net: how the front turns there. x goes right, y down, z to the viewer. */
const FACES = new Map(Object.entries({
  "1 0": "rotateX(90deg)", "0 1": "rotateY(-90deg)", "1 1": "rotateY(0deg)", "2 1": "rotateY(90deg)", "3 1": "rotateY(180deg)", "1 2": "rotateX(-90deg)",
}));
const AXES = /** @type {const} */ (["x", "y", "z"]);
const LITTLE = 0.01;
const CANVAS = { width: 400, height: 300, marks: /** @type {Shape[]} */ ([]) };
/** Half a side on the screen, and how many of those away one looks from. */
const [SIZE, FAR] = [84, 7];
const INSIDE = "#23272d";
/** Degrees for a pixel of a drag, and at most. */
const [PER_PIXEL, STEEPEST] = [0.6, 75];

/** A cube in space, by its net; its sides go from -1 to 1. */
export class Cube {
  /** @type {Map<string, CubeTurn>} */
  #turns = new Map();
  #yaw = -38;
  #pitch = -29;

  /** @param {Board} board of the solved state: there no two turns look alike */
  constructor(board) {
    const shapes = [...board.marks, ...board.pieces];
    const [xs, ys] = [sorted(shapes.map(({ x }) => x)), sorted(shapes.map(({ y }) => y))];
    const side = (this.side = ys.length / 3);
    this.stickers = shapes.flatMap(({ id, x, y }) => {
      const [column, row] = [xs.indexOf(x), ys.indexOf(y)];
      const face = FACES.get(`${Math.floor(column / side)} ${Math.floor(row / side)}`);
      const at = (/** @type {number} */ i, /** @type {number} */ j) =>
        new DOMMatrix(face).transformPoint({ x: (2 * ((column % side) + i)) / side - 1, y: (2 * ((row % side) + j)) / side - 1, z: 1 });
      const normal = new DOMMatrix(face).transformPoint({ z: 1 });
      return face ? [{ id, normal, middle: at(0.5, 0.5), corners: [at(0, 0), at(1, 0), at(1, 1), at(0, 1)] }] : [];
    });
    /** False for a net of something else. */
    this.whole = this.stickers.length === 6 * side * side && board.moves.every((move) => this.#learn(board, move));
  }

  /** A turn brings each sticker where its colour is after the move. @param {Board} board @param {BoardMove} move */
  #learn({ pieces }, { move, motions }) {
    const before = new Map(pieces.map(({ id, colour }) => [id, colour]));
    const after = new Map(motions?.map(({ piece, becomes }) => [piece, becomes?.colour ?? before.get(piece)]));
    const ways = AXES.flatMap((axis) => [90, -90, 180].map((degrees) => ({ axis, degrees, turn: turned(axis, degrees) })));
    return ways.some(({ axis, degrees, turn }) => {
      const layers = this.stickers.filter(({ id }) => after.has(id)).map((sticker) => this.#layer(sticker, axis));
      const fits = this.stickers.filter((sticker) => before.has(sticker.id) && layers.includes(this.#layer(sticker, axis))).every(({ id, middle }) => {
        const { x, y, z } = turn.transformPoint(middle);
        const there = this.stickers.find(({ middle: other }) => Math.hypot(other.x - x, other.y - y, other.z - z) < LITTLE);
        return after.get(there?.id ?? "") === before.get(id);
      });
      if (fits) this.#turns.set(move, { axis, layers, degrees });
      return fits;
    });
  }

  /** @param {Sticker} sticker @param {"x" | "y" | "z"} axis */
  #layer({ middle }, axis) {
    return Math.floor((((1 - LITTLE) * middle[axis] + 1) * this.side) / 2);
  }

  /** A board as it is seen, perhaps in the midst of a move. @param {Board} board @param {Partial<BoardMove>} [move] @param {number} [part] */
  seen({ marks, pieces }, move, part = 0) {
    const shapes = new Map([...marks, ...pieces].map((shape) => [shape.id, shape]));
    const { axis, layers, degrees } = this.#turns.get(move?.move ?? "") ?? { axis: AXES[0], layers: [], degrees: 0 };
    const still = turned("x", this.#pitch).multiply(turned("y", this.#yaw));
    const turning = still.multiply(turned(axis, part * degrees));
    const eye = still.inverse().transformPoint({ z: FAR })[axis];
    const drawn = this.stickers.map((sticker) => {
      const layer = this.#layer(sticker, axis);
      const view = layers.includes(layer) ? turning : still;
      const [middle, ...corners] = [sticker.middle, ...sticker.corners].map((point) => onScreen(view.transformPoint(point)));
      const front = FAR * view.transformPoint(sticker.normal).z > 1;
      const look = front ? shapes.get(sticker.id) : { id: `inside ${sticker.id}`, colour: INSIDE, label: "" };
      const piece = { ...look, ...middle, outline: `M${corners.map(({ x, y }) => `${x} ${y}`).join("L")}Z` };
      return { piece: /** @type {Piece} */ (piece), front, far: Math.abs((2 * layer + 1) / this.side - 1 - eye) };
    });
    drawn.sort((one, other) => other.far - one.far || Number(one.front) - Number(other.front));
    return { ...CANVAS, pieces: drawn.map(({ piece }) => piece) };
  }

  /** Look from elsewhere. @param {number} dx @param {number} dy */
  look(dx, dy) {
    this.#yaw += dx * PER_PIXEL;
    this.#pitch = Math.min(Math.max(this.#pitch - dy * PER_PIXEL, -STEEPEST), STEEPEST);
  }

  /** Look from the opposite corner. */
  lookBehind() {
    this.#yaw += 180;
    this.#pitch *= -1;
  }
}

/** @param {"x" | "y" | "z"} axis @param {number} degrees */
function turned(axis, degrees) {
  return new DOMMatrix(`rotate${axis.toUpperCase()}(${degrees}deg)`);
}

/** @param {DOMPoint} point */
function onScreen({ x, y, z }) {
  const scale = (SIZE * FAR) / (FAR - z);
  return { x: round(CANVAS.width / 2 + scale * x), y: round(CANVAS.height / 2 + scale * y) };
}

/** @param {number[]} values */
function sorted(values) {
  return [...new Set(values)].sort((one, other) => one - other);
}
