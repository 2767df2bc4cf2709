/** @type {Rule<{ state?: string }, Board>} */
export async function answer(source, { state: text = source.header.start }) {
  const state = source.read(text);
  const drawing = await source.drawing();
  const { width, height, marks, places } = drawing.header;
  const pieces = drawing.pieces(state);
  const moves = source.moves(state).map((next) => {
    const effect = drawing.effect(next, state, pieces);
    const label = source.header.labelled && pieces.find((piece) => piece?.id === effect.handle[0])?.label;
    return { move: next.move, group: label ? `${next.group} ${label}` : next.group, after: source.text(next.state), ...effect };
  });
  return {
    puzzle: source.name, goal: source.goal, state: text, solved: solvedIn(source, state), width, height,
    places: places.map(([name, x, y]) => ({ name, x, y })), marks,
    pieces: pieces.filter((piece) => piece !== null), moves, permutations: null,
  };
}

/** @param {Table} source @param {Read} state */
function solvedIn({ header, ranking }, { letters }) {
  const [solved] = header.solved;
  if (!solved || !ranking.names) return solved ?? null;
  const own = [...new Set(solved)].filter((letter) => !letters.includes(letter)).sort();
  const missing = [...letters.slice(1)].filter((letter) => !solved.includes(letter)).sort();
  return Array.from(solved, (letter) => missing[own.indexOf(letter)] ?? letter).join("");
}
