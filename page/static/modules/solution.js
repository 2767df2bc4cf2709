import { button, counted, html, number, svg } from "./dom.js";
import { PART } from "./truth.js";

const PACE = 450;
const PLACES = 100_000n;
const SIZE = BigInt(PART);

const SIGNS = {
  first: "M15 4v12l-8-6zM5 4v12",
  back: "M13 4v12l-8-6z",
  play: "M6 3.5v13l10.5-6.5z",
  pause: "M7 4v12M13 4v12",
  forward: "M7 4v12l8-6z",
  last: "M5 4v12l8-6zM15 4v12",
};

/**
 * The board is lent for that time; parts come when they are looked at.
 * @param {Player} player @param {Truth} truth @param {string} state @param {bigint} steps
 */
export function solutionPlayer(player, truth, state, steps) {
  const { game, puzzle, view } = player;
  const places = steps < PLACES ? steps : PLACES;
  /** @type {Map<bigint, Promise<Line>>} */
  const parts = new Map();
  let [at, shown] = [0n, 0n];
  let [playing, wanted] = [0, 0];

  const slider = html("input", { type: "range", min: 0, max: Number(places), value: 0, "aria-label": "Move of the solution" });
  slider.addEventListener("input", () => goTo((BigInt(slider.value) * steps) / places));
  const sign = (/** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ click) =>
    html("button", { type: "button", "aria-label": label, title: label, click },
      svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: path })));
  const toggle = sign("Play", SIGNS.play, () => (playing ? pause() : play()));
  const where = html("output", { class: "where", "aria-live": "off" });
  const line = html("p", { class: "line", "aria-hidden": "true" });
  const element = html("div", { class: "solution" },
    html("div", { class: "row" },
      sign("First", SIGNS.first, () => goTo(0n)), sign("Back", SIGNS.back, () => goTo(at - 1n)), toggle,
      sign("Forward", SIGNS.forward, () => goTo(at + 1n)), sign("Last", SIGNS.last, () => goTo(steps))),
    slider, where, line,
    html("div", { class: "row" }, button("Play on from here", take)));

  /** In motion if it is the next or the last one. @param {bigint} step */
  async function goTo(step) {
    at = step < 0n ? 0n : step > steps ? steps : step;
    player.lent = true;
    slider.value = String((at * places) / steps);
    tell();
    try {
      await show(at, ++wanted);
    } catch (error) {
      pause();
      player.tell("problem", error);
    }
  }

  function play() {
    if (at >= steps) at = 0n;
    change("Pause", SIGNS.pause);
    const step = async () => {
      const begun = performance.now();
      await goTo(at + 1n);
      if (!playing) return;
      if (at >= steps) pause();
      else playing = setTimeout(step, Math.max(PACE - (performance.now() - begun), 0));
    };
    playing = setTimeout(step, 0);
  }

  function pause() {
    clearTimeout(playing);
    playing = 0;
    change("Play", SIGNS.play);
  }

  /** @param {string} label @param {string} path */
  function change(label, path) {
    toggle.setAttribute("aria-label", label);
    toggle.title = label;
    toggle.querySelector("path")?.setAttribute("d", path);
  }

  async function take() {
    pause();
    const here = at;
    const { moves, states } = await part(0n);
    player.lent = false;
    if (here > SIZE || game.state !== state) game.begin(await stateAt(here));
    else game.playAll(moves.slice(0, Number(here)), states.slice(0, Number(here) + 1));
  }

  function leave() {
    pause();
    wanted++;
    if (!player.lent) return;
    player.lent = false;
    player.restore();
  }

  /** @param {bigint} to @param {number} turn */
  async function show(to, turn) {
    const from = shown;
    const beside = (to - from) ** 2n === 1n ? await stateAt(from) : null;
    const board = await puzzle.board(await stateAt(to));
    const before = beside === null ? null : await puzzle.board(beside);
    if (turn !== wanted) return;
    const [first, second] = to > from ? [before, board] : [board, before];
    const move = first?.moves.find(({ after }) => after === second?.state);
    if (first && move) {
      view.show(first);
      await view.animate(move, to > from ? {} : { from: 1, to: 0 });
      if (turn !== wanted) return;
    }
    shown = to;
    view.show(board);
  }

  async function tell() {
    where.textContent = `${number(at)} of ${counted(steps, "move")}`;
    const here = at;
    const { moves, states } = await part(here / SIZE).catch(() => ({ moves: [], states: [] }));
    if (at !== here || states.length === 0) return;
    const first = Number(here % SIZE);
    const next = moves.slice(first, first + 8);
    const more = here + BigInt(next.length) < steps ? " …" : "";
    line.textContent = next.length > 0 ? `next: ${next.join(" ")}${more}` : "solved";
  }

  /** @param {bigint} step */
  async function stateAt(step) {
    const index = (step < steps ? step : steps - 1n) / SIZE;
    const { states } = await part(index);
    return states[Number(step - index * SIZE)] ?? "";
  }

  /** @param {bigint} index */
  function part(index) {
    const stored = parts.get(index);
    if (stored) return stored;
    const asked = truth.solution(state, { offset: index * SIZE }).then(({ solution, states = [] }) => ({ moves: solution, states }));
    parts.set(index, asked);
    asked.catch(() => parts.delete(index));
    return asked;
  }

  /** False if a search ended before it had a solution. */
  async function begin() {
    const { moves } = await part(0n);
    tell();
    return moves.length > 0;
  }

  return { element, begin, leave };
}
