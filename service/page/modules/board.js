/** Draws a board as SVG: its pieces at rest, on the way, marked for a hint, and arrows for moves. */

/** @import { Board, BoardMove, Motion, Piece, Shape } from "./answers.js" */
/** @import { Pose } from "./motion.js" */
import { svg } from "./dom.js";
import { arrowOf } from "./arrow.js";
import { lengthOf, moved, piecesAfter, poseAt } from "./motion.js";

/** @typedef {{ piece: Piece, group: SVGGElement, path: SVGPathElement, text: SVGTextElement }} Drawn */

const SHORTEST = 140;
const LONGEST = 420;
const PER_UNIT = 0.9;

/** A board on the screen. It takes no part in the game: it is told what to show. */
export class BoardView {
  /** @type {Board | null} */
  board = null;
  /** @type {Map<string, Drawn>} */
  #drawn = new Map();
  /** @type {(() => void) | null} */
  #finish = null;
  #marks = svg("g", { class: "marks" });
  #pieces = svg("g", { class: "pieces" });
  #over = svg("g", { class: "over" });

  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element;
    element.replaceChildren(this.#marks, this.#pieces, this.#over);
  }

  /**
   * Show a board at rest.
   * @param {Board} board
   */
  show(board) {
    this.#finish?.();
    const before = this.board;
    this.board = board;
    if (before?.width !== board.width || before.height !== board.height) {
      this.element.setAttribute("viewBox", `-3 -3 ${board.width + 6} ${board.height + 6}`);
    }
    if (before?.marks !== board.marks) this.#marks.replaceChildren(...board.marks.map((mark) => drawn(mark).group));
    this.#drawn = new Map(board.pieces.map((piece) => [piece.id, { piece, ...drawn(piece) }]));
    for (const move of board.moves) for (const id of move.handle) this.#drawn.get(id)?.group.classList.add("movable");
    this.#pieces.replaceChildren(...[...this.#drawn.values()].map(({ group }) => group));
    this.#over.replaceChildren();
    this.element.classList.remove("dimmed");
  }

  /**
   * Show a move of the board as made, and how it came about where people want to see motion.
   * @param {BoardMove} move
   * @param {{ from?: number, to?: number, quick?: boolean }} [options] parts of the way
   * @returns {Promise<void>} when it is over, or something else is shown
   */
  animate(move, { from = 0, to = 1, quick = false } = {}) {
    this.#finish?.();
    const { board } = this;
    if (!board || !move.motions || quick || !motionWelcome()) {
      this.pose(move, to);
      return Promise.resolve();
    }
    this.mark([]);
    const pieces = new Map(board.pieces.map((piece) => [piece.id, piece]));
    const lengths = move.motions.map((motion) => lengthOf(motion, pieces.get(motion.piece) ?? { x: 0, y: 0 }));
    const whole = Math.min(Math.max(Math.max(0, ...lengths) * PER_UNIT, SHORTEST), LONGEST);
    const duration = Math.max(whole * Math.abs(to - from), 1);
    const start = performance.now();
    this.pose(move, from);
    return new Promise((resolve) => {
      const done = () => {
        this.#finish = null;
        cancelAnimationFrame(frame);
        this.pose(move, to);
        resolve();
      };
      const step = (/** @type {number} */ now) => {
        const part = Math.min(Math.max((now - start) / duration, 0), 1);
        if (part >= 1) {
          done();
          return;
        }
        this.pose(move, from + (to - from) * eased(part));
        frame = requestAnimationFrame(step);
      };
      let frame = requestAnimationFrame(step);
      this.#finish = done;
    });
  }

  /**
   * Show a move of the board part of the way.
   * @param {BoardMove} move
   * @param {number} part 0 to 1
   */
  pose(move, part) {
    const motions = move.motions ?? [];
    const flipped = motions.filter((motion) => motion.flip).map((motion) => this.#drawn.get(motion.piece)?.piece);
    const middle = flipped.length > 0 ? flipped.reduce((sum, piece) => sum + (piece?.y ?? 0), 0) / flipped.length : 0;
    for (const motion of motions) {
      const one = this.#drawn.get(motion.piece);
      if (!one) continue;
      if (motion.lift && one.group !== this.#pieces.lastChild && part > 0) this.#pieces.append(one.group);
      place(one, motion, part, middle);
    }
  }

  /** The pieces as they are after a move of the board. @param {BoardMove} move */
  after(move) {
    return this.board ? piecesAfter(this.board.pieces, move, this.board.places) : [];
  }

  /**
   * Mark pieces, and draw the arrow of a move.
   * @param {Iterable<string>} ids
   * @param {BoardMove | null} [arrow]
   * @param {string} [tone] the arrow's class
   */
  mark(ids, arrow = null, tone = "hint") {
    const marked = [...ids].flatMap((id) => this.#drawn.get(id)?.piece ?? []);
    const lit = new Set(marked);
    for (const { piece, group } of this.#drawn.values()) group.classList.toggle("lit", lit.has(piece));
    const rings = marked.map((piece) => svg("path", { class: `ring ${tone}`, d: piece.outline }));
    const drawing = arrow && this.board ? arrowOf(this.board, arrow) : null;
    const lines = drawing
      ? [svg("path", { class: "arrow-edge", d: drawing.line }), svg("path", { class: "head-edge", d: drawing.head }),
         svg("path", { class: `arrow ${tone}`, d: drawing.line }), svg("path", { class: `head ${tone}`, d: drawing.head })]
      : [];
    this.#over.replaceChildren(...rings, ...lines);
    this.element.classList.toggle("dimmed", marked.length > 0 && tone === "hint");
  }

  /**
   * Show where a chosen piece can go.
   * @param {string} id
   * @param {{ x: number, y: number }[]} ends
   */
  choose(id, ends) {
    this.mark([id], null, "chosen");
    this.#over.append(...ends.map(({ x, y }) => svg("circle", { class: "target", cx: x, cy: y, r: 7 })));
  }

  /**
   * The piece under a point of the screen, and the point on the board.
   * @param {number} clientX
   * @param {number} clientY
   */
  at(clientX, clientY) {
    const matrix = this.element.getScreenCTM();
    const point = matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
    const root = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
    const hit = root.elementsFromPoint(clientX, clientY).find((element) => element.closest("[data-piece]"));
    return { point: { x: point.x, y: point.y }, piece: hit?.closest("[data-piece]")?.getAttribute("data-piece") ?? null };
  }
}

/** Whether moves may be animated. */
export function motionWelcome() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Shape} shape */
function drawn(shape) {
  const path = svg("path", { d: shape.outline || "M0 0", fill: shape.colour });
  const bare = shape.outline === "" ? "bare" : null; // it lies on the page, which may be dark
  const text = svg("text", { x: shape.x, y: shape.y, "font-size": shape.size, fill: shape.ink, class: bare });
  text.textContent = shape.label;
  const group = svg("g", "place" in shape ? { "data-piece": shape.id } : {}, shape.outline ? path : null, text);
  return { group, path, text };
}

/**
 * @param {Drawn} one
 * @param {Motion} motion
 * @param {number} part
 * @param {number} middle where flipped pieces fold, before the move
 */
function place({ piece, path, text }, motion, part, middle) {
  const pose = poseAt(motion, part);
  const fold = motion.flip ? Math.abs(1 - 2 * part) : 1;
  path.setAttribute("transform", transformOf(pose, fold, middle));
  const to = moved(pose, piece);
  text.setAttribute("transform", `translate(${to.x - piece.x} ${to.y - piece.y})`);
  const now = motion.becomes && part >= (motion.flip ? 0.5 : 1) ? motion.becomes : piece;
  path.setAttribute("fill", now.colour);
  text.setAttribute("fill", now.ink);
  text.textContent = now.label;
  text.setAttribute("opacity", String(fold));
}

/**
 * @param {Pose} pose
 * @param {number} fold
 * @param {number} middle
 */
function transformOf(pose, fold, middle) {
  const turned = pose.turn ? `rotate(${pose.turn.degrees} ${pose.turn.x} ${pose.turn.y})` : `translate(${pose.dx} ${pose.dy})`;
  return fold === 1 ? turned : `${turned} translate(0 ${middle}) scale(1 ${fold}) translate(0 ${-middle})`;
}

/** @param {number} part */
function eased(part) {
  return part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
}
