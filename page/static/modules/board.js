import { filled, nextFrame, svg } from "./dom.js";
import { arrowOf } from "./arrow.js";
import { lengthOf, piecesAt } from "./motion.js";
import { Paint } from "./paint.js";

const SHORTEST = 140;
const LONGEST = 420;
const PER_UNIT = 0.9;
/** Milliseconds ahead of the clock, so that pieces have moved in the first frame. */
const AHEAD = 16;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board as SVG. It takes no part in the game: it is told what to show. */
export class BoardView {
  /** @type {Board | null} */
  board = null;
  /** Null where it is no cube. @type {import("./cube.js").Cube | null | undefined} */
  cube;
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
    this.element.classList.toggle("solid", Boolean(this.cube));
    this.#draw(this.space?.seen(board) ?? board);
    const movable = new Set(board.moves.flatMap(({ handle }) => handle));
    for (const [id, { group }] of this.#drawn) group.classList.toggle("movable", movable.has(id));
    this.unmark();
  }

  /** @param {Pick<Board, "width" | "height" | "marks" | "pieces">} drawing */
  #draw({ width, height, marks, pieces }) {
    this.element.setAttribute("viewBox", `-3 -3 ${width + 6} ${height + 6}`);
    if (this.#marked !== marks) this.#marks.replaceChildren(...marks.map((mark) => drawn(mark, this.#paint).group));
    this.#marked = marks;
    this.#drawn = new Map(pieces.map((piece) => [piece.id, drawn(piece, this.#paint, this.#drawn.get(piece.id))]));
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

  /** The cube, where it is seen in space: where it has moves, unless its net is wanted. */
  get space() {
    return this.board?.moves.length && !this.#paint.wear.net ? this.cube : null;
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
    const whole = this.space ? LONGEST : Math.min(Math.max(Math.max(0, ...lengths) * PER_UNIT, SHORTEST), LONGEST);
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
    const { board, space } = this;
    if (board) this.#draw(space?.seen(board, move, part) ?? { ...board, pieces: piecesAt(board.pieces, move, part) });
  }

  /**
   * A veil leaves other pieces their colours: seen through, a pebble would take that of its plate.
   * @param {string[]} ids @param {BoardMove} [arrow]
   */
  mark(ids, arrow) {
    const marked = new Set(ids);
    if (this.board && this.space && !ids.some((id) => this.#drawn.has(id))) {
      this.space.lookBehind();
      this.show(this.board);
    }
    const pieces = [...this.#drawn.values()].map(({ shape }) => shape).filter(({ place }) => place);
    const paths = (/** @type {Shape[]} */ some, /** @type {string} */ name) =>
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
    for (const { group, shape } of this.#drawn.values()) {
      group.animate([{ scale: 1 }, { scale: 1.14 }, { scale: 1 }], { duration: 450, delay: shape.x + shape.y });
    }
  }

  /** @param {string} id @param {Point[]} ends */
  choose(id, ends) {
    const ring = svg("path", { class: "ring chosen", d: this.#drawn.get(id)?.shape.outline });
    this.#over.replaceChildren(ring, ...ends.map(({ x, y }) => svg("circle", { class: "target", cx: x, cy: y, r: 7 })));
  }

  /** @param {MouseEvent} event */
  at({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
    const root = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
    const hit = root.elementsFromPoint(clientX, clientY).find((element) => element.closest("[data-piece]"));
    return { point: { x, y }, piece: hit?.closest("[data-piece]")?.getAttribute("data-piece") ?? null };
  }
}

/** @param {Drawn["shape"]} shape @param {Paint} paint @param {Drawn} [before] @returns {Drawn} */
function drawn(shape, paint, before) {
  if (before?.shape === shape) return before;
  const { outline, colour, ink, x, y, size, place } = shape;
  const { group, path, text } = before ?? { group: svg("g"), path: svg("path"), text: svg("text", { part: "letter" }) };
  const id = place === undefined ? null : shape.id;
  filled(path, { d: outline, fill: paint.fill(shape, id), part: id && `piece colour-${colour.slice(1)}` });
  // without an outline it lies on the page, which may be dark
  filled(text, { x, y, "font-size": size, fill: ink, class: outline ? "" : "bare" });
  const label = paint.label(shape);
  if (text.textContent !== label) text.textContent = label;
  if (!before) filled(group, { "data-piece": id }, [path, text]);
  return { group, path, text, shape };
}
