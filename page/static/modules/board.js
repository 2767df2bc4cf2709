import { nextFrame, svg } from "./dom.js";
import { arrowOf } from "./arrow.js";
import { lengthOf, moved, poseAt } from "./motion.js";
import { Paint } from "./paint.js";

const SHORTEST = 140;
const LONGEST = 420;
const PER_UNIT = 0.9;
/** Milliseconds ahead of the clock, so that pieces have moved in the first frame. */
const AHEAD = 16;
/** Of the wave at the end: milliseconds for a unit of the board, and for a piece. */
const [WAVE, RISE] = [1.2, 450];
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board as SVG. It takes no part in the game: it is told what to show. */
export class BoardView {
  /** @type {Board | null} */
  board = null;
  #paint = new Paint();
  /** @type {Map<string, Drawn>} */
  #drawn = new Map();
  /** @type {(() => void) | null} */
  #finish = null;
  /** @type {Shape[] | null} */
  #marked = null;
  #marks = svg("g", { class: "marks" });
  #pieces = svg("g", { class: "pieces" });
  #over = svg("g", { class: "over" });
  #preview = svg("g", { class: "over" });

  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element;
    element.replaceChildren(this.#paint.definitions, this.#marks, this.#pieces, this.#over, this.#preview);
  }

  /** @param {Board} board */
  show(board) {
    this.#finish?.();
    this.board = board;
    this.#paint.learn(board.pieces);
    this.#draw(board);
    const movable = new Set(board.moves.flatMap(({ handle }) => handle));
    for (const [id, { group }] of this.#drawn) group.classList.toggle("movable", movable.has(id));
    this.unmark();
  }

  /** @param {Pick<Board, "width" | "height" | "marks" | "pieces">} drawing */
  #draw({ width, height, marks, pieces }) {
    this.element.setAttribute("viewBox", `-3 -3 ${width + 6} ${height + 6}`);
    if (this.#marked !== marks) this.#marks.replaceChildren(...marks.map((mark) => drawn(mark, this.#paint).group));
    this.#marked = marks;
    this.#drawn = new Map(pieces.map((piece) => [piece.id, redrawn(this.#drawn.get(piece.id), piece, this.#paint)]));
    const groups = [...this.#drawn.values()].map(({ group }) => group);
    const { children } = this.#pieces;
    if (groups.length !== children.length || groups.some((group, at) => group !== children[at])) {
      this.#pieces.replaceChildren(...groups);
    }
  }

  /** @param {Partial<Wear>} wear */
  wear(wear) {
    Object.assign(this.#paint.wear, wear);
    this.#marked = null;
    this.#drawn.clear();
    if (this.board) this.show(this.board);
  }

  /** @param {BoardMove} move @param {{ from?: number, to?: number }} [options] @returns {Promise<void>} */
  animate(move, { from = 0, to = 1 } = {}) {
    this.#finish?.();
    this.unmark();
    const { board } = this;
    if (!board || !move.motions || still()) {
      this.pose(move, to);
      return nextFrame();
    }
    const pieces = new Map(board.pieces.map((piece) => [piece.id, piece]));
    const lengths = move.motions.map((motion) => lengthOf(motion, pieces.get(motion.piece) ?? { x: 0, y: 0 }));
    const whole = Math.min(Math.max(Math.max(0, ...lengths) * PER_UNIT, SHORTEST), LONGEST);
    const duration = Math.max(whole * Math.abs(to - from), 1);
    const start = performance.now() - AHEAD;
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
        this.pose(move, from + (to - from) * (1 - (1 - part) ** 3));
        frame = requestAnimationFrame(step);
      };
      let frame = requestAnimationFrame(step);
      this.#finish = done;
    });
  }

  /** @param {Pick<BoardMove, "motions">} move @param {number} part */
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

  /**
   * A veil leaves other pieces their colours: seen through, a pebble would take that of its plate.
   * @param {string[]} ids @param {BoardMove} [arrow]
   */
  mark(ids, arrow) {
    const marked = new Set(ids);
    const pieces = [...this.#drawn.values()].map(({ piece }) => piece);
    const paths = (/** @type {Piece[]} */ some, /** @type {string} */ name) =>
      some.map(({ outline }) => svg("path", { class: name, d: outline }));
    this.#over.replaceChildren(
      ...paths(pieces.filter(({ id }) => !marked.has(id)), "veil"),
      ...paths(pieces.filter(({ id }) => marked.has(id)), "ring"),
      ...this.#arrow(arrow, "hint"),
    );
  }

  unmark() {
    this.#over.replaceChildren();
    this.preview();
  }

  /** @param {BoardMove} [move] @param {string} [tone] */
  preview(move, tone = "unknown") {
    this.#preview.replaceChildren(...this.#arrow(move, tone));
  }

  /** @param {BoardMove | undefined} move @param {string} tone */
  #arrow(move, tone) {
    const drawing = move && this.board ? arrowOf(this.board, move) : null;
    if (!drawing) return [];
    const { line, head } = drawing;
    const parts = { "arrow-edge": line, "head-edge": head, [`arrow ${tone}`]: line, [`head ${tone}`]: head };
    return Object.entries(parts).map(([name, d]) => svg("path", { class: name, d }));
  }

  /** The pieces rise in a wave. */
  celebrate() {
    if (still()) return;
    for (const { group, piece } of this.#drawn.values()) {
      group.animate([{ scale: 1 }, { scale: 1.14 }, { scale: 1 }], { duration: RISE, delay: WAVE * (piece.x + piece.y) });
    }
  }

  /** @param {string} id @param {Point[]} ends */
  choose(id, ends) {
    const ring = svg("path", { class: "ring chosen", d: this.#drawn.get(id)?.piece.outline });
    this.#over.replaceChildren(ring, ...ends.map(({ x, y }) => svg("circle", { class: "target", cx: x, cy: y, r: 7 })));
  }

  /** @param {MouseEvent} event */
  at({ clientX, clientY }) {
    const matrix = this.element.getScreenCTM();
    const point = matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
    const root = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
    const hit = root.elementsFromPoint(clientX, clientY).find((element) => element.closest("[data-piece]"));
    return { point: { x: point.x, y: point.y }, piece: hit?.closest("[data-piece]")?.getAttribute("data-piece") ?? null };
  }
}

/** @param {Shape} shape @param {Paint} paint */
function drawn(shape, paint) {
  const path = svg("path");
  const bare = shape.outline === "" ? "bare" : null; // it lies on the page, which may be dark
  const text = svg("text", { class: bare, part: "letter" });
  const piece = "place" in shape ? shape.id : null;
  const group = svg("g", { "data-piece": piece }, bare ? null : path, text);
  const nodes = { group, path, text, look: null, paint, id: piece };
  rest(nodes, shape);
  return nodes;
}

/** @param {Drawn | undefined} before @param {Piece} piece @param {Paint} paint */
function redrawn(before, piece, paint) {
  if (!before || (before.piece.outline === "") !== (piece.outline === "")) return { ...drawn(piece, paint), piece };
  if (before.path.hasAttribute("transform") || before.piece !== piece) rest(before, piece);
  return { ...before, piece };
}

/** @param {Nodes} nodes @param {Shape} shape */
function rest(nodes, shape) {
  const { path, text } = nodes;
  path.setAttribute("d", shape.outline || "M0 0");
  for (const [name, value] of [["x", shape.x], ["y", shape.y], ["font-size", shape.size]]) text.setAttribute(`${name}`, `${value}`);
  for (const name of ["transform", "opacity"]) {
    path.removeAttribute(name);
    text.removeAttribute(name);
  }
  dress(nodes, shape);
}

/** @param {Nodes} nodes @param {Look} look */
function dress(nodes, look) {
  if (nodes.look === look) return;
  nodes.look = look;
  const { path, text, paint, id } = nodes;
  path.setAttribute("fill", paint.fill(look, id));
  if (id) path.setAttribute("part", `piece colour-${look.colour.slice(1)}`);
  text.setAttribute("fill", look.ink);
  const label = paint.label(look);
  if (text.textContent !== label) text.textContent = label;
}

/** @param {Drawn} one @param {Motion} motion @param {number} part @param {number} middle */
function place(one, motion, part, middle) {
  const { piece, path, text } = one;
  const pose = poseAt(motion, part);
  const fold = motion.flip ? Math.abs(1 - 2 * part) : 1;
  path.setAttribute("transform", transformOf(pose, fold, middle));
  const to = moved(pose, piece);
  text.setAttribute("transform", `translate(${to.x - piece.x} ${to.y - piece.y})`);
  if (motion.flip) text.setAttribute("opacity", String(fold));
  dress(one, motion.becomes && part >= (motion.flip ? 0.5 : 1) ? motion.becomes : piece);
}

/** @param {Pose} pose @param {number} fold @param {number} middle */
function transformOf(pose, fold, middle) {
  const turned = pose.turn ? `rotate(${pose.turn.degrees} ${pose.turn.x} ${pose.turn.y})` : `translate(${pose.dx} ${pose.dy})`;
  return fold === 1 ? turned : `${turned} translate(0 ${middle}) scale(1 ${fold}) translate(0 ${-middle})`;
}
