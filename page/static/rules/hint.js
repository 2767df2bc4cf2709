import { answer as board } from "./board.js";
import { about, optimal } from "./lookup.js";
import { passed } from "./play.js";
import { solution } from "./solutions.js";

/** @type {Rule<{ state: string, level?: number } & HintOptions, Hint>} */
export async function answer(source, { state: start, level = 1, moves = [] }) {
  const states = passed(source, start, moves);
  const distances = await source.distances(states);
  const [here, distance] = [/** @type {Read} */ (states.at(-1)), distances.at(-1) ?? -1];
  const text = source.text(here);
  const best = await optimal(source, here, distance);
  const drawn = level >= 2 && source.header.labelled ? (await board(source, { state: text })).moves : [];
  const found = level >= 3 ? (await solution(source, here, distance, level >= 4 ? 10_000 : 1)).map(({ move }) => move) : [];
  const lost = distances.indexOf(-1);
  return {
    ...about(source, text, distance), level,
    ...(level >= 2 ? { groups: [...new Set(best.map((each) => drawn.find(({ move }) => move === each.move)?.group ?? each.group))] } : {}),
    ...(level >= 3 ? { move: found[0] ?? null } : {}),
    ...(level >= 4 ? { solution: found } : {}),
    ...(source.isGame ? { take_back: lost < 0 ? 0 : lost === 0 ? null : states.length - lost } : {}),
  };
}
