import { all, counted, html } from "./dom.js";
import { Offline } from "./problem.js";
import { markPath } from "./path.js";
import { gameOf, kindOf, noteKind, today } from "./progress.js";
import { wordFor } from "./truth.js";

const DAILY = "medium";
/** Milliseconds that a page waits for its first position before it finds one itself. */
const PATIENCE = 3000;
const MIXED = { turns: 30 };

/** @param {Controls} controls @param {string} name @param {string} begin */
export function newPositions(controls, name, begin) {
  const { byId, player, about, host } = controls;
  const element = byId("positions");
  const { game, puzzle } = player;
  const { title, difficulties: words, levels } = about;
  const first = words[0] ? { difficulty: words[0].name } : {};
  /** Random turns mix, for the way back: a search may find none. */
  const scramble = begin !== "" && ["none", "layers"].includes(about.coverage) ? MIXED : {};

  const byDistance = html("nav", { "aria-label": "Levels by distance" }, "By distance", html("ol", { class: "path", role: "list" }, ...levels.map(step)));
  element.replaceChildren(
    ...words.map((word) => choice(titled(word), rangeOf(word), () => draw({ difficulty: word.name }))),
    words.length > 0 ? "" : choice("Scramble", "a random position", () => draw(scramble)),
    choice("Daily", "for everyone", () => drawDay(today())),
    choice("Start", "the beginning", () => beginAt(puzzle.board(), {})),
    choice("Set up", "your own", setUp),
    levels.length > 0 ? byDistance : "",
  );
  const paths = all(".path");
  paths.forEach(markPath);

  /** @param {Difficulty} level */
  function step(level) {
    const press = () => draw({ difficulty: level.name });
    return html("li", {}, html("button", { type: "button", title: described(level), "data-level": `${name} ${level.name}`, click: press }, level.name));
  }

  /** @param {Wanted} fields */
  function draw(fields) {
    const { min, turns, ...kind } = fields;
    return beginAt(puzzle.random(fields), min === turns ? kind : {});
  }

  /** @param {string} day */
  function drawDay(day) {
    return draw({ daily: day, ...(words.length > 0 && { difficulty: DAILY }) });
  }

  async function setUp() {
    try {
      await (await import("./editor.js")).edit(controls);
    } catch (error) {
      host.tell(error);
    }
  }

  async function walk() {
    return (await import("./walks.js")).walk(puzzle);
  }

  async function walked() {
    return noted(await walk(), {});
  }

  /** @param {Promise<Position>} drawn @param {Kind} kind */
  async function beginAt(drawn, kind) {
    element.setAttribute("aria-busy", "true");
    try {
      await player.open(drawn.then((found) => noted(found, kind)));
    } catch (error) {
      host.tell(error);
      if (error instanceof Offline && !kind.daily) await player.open(walked());
    } finally {
      element.setAttribute("aria-busy", "false");
    }
  }

  /** @param {Position} found @param {Kind} kind */
  function noted({ state, distance, scramble: moves }, kind) {
    noteKind(gameOf(puzzle, state), distance === null ? { ...kind, scramble: moves } : kind);
    return state;
  }

  /** @param {string | undefined} difficulty */
  function named(difficulty) {
    const found = [...words, ...levels].find((each) => each.name === difficulty);
    return found ?? (difficulty === DAILY ? words.filter((word) => word.name !== "hardest").at(-1) : undefined);
  }

  return {
    name,
    title,
    first,
    draw,
    drawDay,
    walk,
    mark: () => paths.forEach(markPath),

    /** Where the game began as its file has it: the address of the next level, if there is one. */
    get level() {
      const own = begin === "" && about.goals.some(({ start }) => start === game.start);
      const here = document.querySelector(".path [aria-current]")?.parentElement;
      return own ? { next: here?.nextElementSibling?.querySelector("a")?.href } : null;
    },

    get kind() {
      const kind = kindOf(gameOf(puzzle, game.start));
      if (kind.daily || kind.difficulty) return kind;
      const word = wordFor(words, puzzle.knownDistance(game.start));
      return word ? { difficulty: word.name } : {};
    },

    get said() {
      const { daily, difficulty } = this.kind;
      const known = named(difficulty);
      return [daily ? `daily ${daily}` : "", known ? described(known).toLowerCase() : ""].filter(Boolean).join(", ");
    },

    get harder() {
      const { difficulty } = this.kind;
      const ladder = levels.some((level) => level.name === difficulty) ? levels : words;
      const known = named(difficulty);
      const after = ladder[ladder.findIndex((each) => each === known) + 1];
      return difficulty && after ? { difficulty: after.name } : null;
    },

    get next() {
      const { difficulty } = this.kind;
      return difficulty ? { difficulty } : first;
    },

    /** @param {Promise<Position>} drawn @param {Kind} kind */
    async beginWith(drawn, kind) {
      const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
      const found = Promise.race([drawn.catch((error) => kind.daily && host.tell(error)), late]);
      await player.open(found.then((one) => (one ? noted(/** @type {Position} */ (one), kind) : walked())));
    },
  };
}

/** @param {string} words @param {string} meaning @param {() => void} click */
function choice(words, meaning, click) {
  return html("button", { type: "button", click }, html("span", {}, words), html("small", {}, meaning));
}

/** @param {Difficulty} difficulty */
function described(difficulty) {
  return `${titled(difficulty)}, ${rangeOf(difficulty)}`;
}

/** @param {Difficulty} difficulty */
function titled({ name }) {
  if (name === "first") return "First steps";
  return /^\d+$/.test(name) ? `Level ${name}` : name.charAt(0).toUpperCase() + name.slice(1);
}

/** @param {Difficulty} difficulty */
function rangeOf({ min, max }) {
  return min === max ? counted(max, "move") : `${min} to ${counted(max, "move")}`;
}
