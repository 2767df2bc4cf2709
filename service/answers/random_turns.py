"""States that so many random turns from solved lead to: what a player does who mixes a puzzle by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from puzzlebase.puzzles import NoSpace, Puzzle
from puzzlebase.service.answers.answer import answer_fields
from puzzlebase.service.answers.difficulties import percentile_of
from puzzlebase.service.answers.random_states import RandomAnswer, draw
from puzzlebase.service.problems import InvalidRequest
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.texts import after_moves_by_rules

MAX_TURNS = 1000


def random_turns(source: Source, turns: int, walk: str, key: str | None = None) -> RandomAnswer:
    """The state after random turns from solved, with these as its scramble; equal keys give equal states.

    The walks are those of builder/mixing. Raises InvalidRequest for wheels that alternate where there are none.
    """
    wheels = _has_wheels(source)
    if walk == "alternate" and not wheels:
        raise InvalidRequest(f"{source.puzzle.name} has no wheels that could alternate", "take the walk any or no-undo")
    start = source.goal.states[0]

    def choose(number: int, count: int) -> int:
        return draw(count, key and f"{key} {number}")

    made = list(_made(source.puzzle, start, turns, choose, walk, wheels=wheels))
    state = made[-1][1] if made else start
    index = source.index(state)
    distance = source.distance(index)
    return {
        **answer_fields(source, state, distance, index),
        "drawn": "turns",
        "percentile": percentile_of(distance, source.whole.table.info.layers) if source.whole else None,
        "scramble": [move for move, _ in made],
    }


def _made(
    puzzle: Puzzle, state: str, turns: int, choose: Callable[[int, int], int], walk: str, *, wheels: bool
) -> Iterator[tuple[str, str]]:
    """Each turn's move and the state after it. `choose` draws a number below its second argument for each turn."""
    before, wheel = "", ""
    for number in range(turns):
        after = zip(puzzle.moves, after_moves_by_rules(puzzle, state), strict=True)
        legal = [(move, to) for move, to in after if to]
        if walk != "any":
            new = [(move, to) for move, to in legal if (move.group != wheel if wheels else to != before)]
            legal = new or legal
        if not legal:
            return
        move, to = legal[choose(number, len(legal))]
        before, wheel, state = state, move.group, to
        yield move.name, state


def _has_wheels(source: Source) -> bool:
    """Whether any turn of one wheel is one move, as where a table stores orbits."""
    try:
        space = source.space or source.puzzle.space(source.goal)
    except NoSpace:
        return False
    return space.orbits is not None
