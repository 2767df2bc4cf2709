"""States that so many random turns from solved lead to: what a player does who mixes a puzzle by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from puzzlebase.puzzles import Indices, NoSpace, Puzzle, Space
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from puzzlebase.service.answers.answer import answer_fields
from puzzlebase.service.answers.difficulties import percentile_of
from puzzlebase.service.answers.random_states import RandomAnswer, draw
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.texts import after_moves_by_rules

MAX_TURNS = 1000

WalkName = Literal["any", "no-undo", "alternate"]

WALKS: dict[WalkName, str] = {
    "any": "any legal move, each equally likely",
    "no-undo": "any but one that undoes the last, or turns its wheel once more",
    "alternate": "the wheels one after the other, the first one at random, any turn of each",
}
"""The walks by name, and what is drawn before each turn."""


class Made(NamedTuple):
    """A move by its number, the state before it and the state after it."""

    move: int
    before: str
    after: str


Again = Callable[[Made, Made], bool]
"""Whether a walk leaves out a move, the second one, because of the one before it."""


def random_turns(source: Source, turns: int, walk: str, key: str | None = None) -> RandomAnswer:
    """The state after random turns from solved, with these as its scramble; equal keys give equal states.

    Raises InvalidRequest for wheels that alternate where there are none.
    """
    space = _space(source)
    # Where any turn of one wheel is one move, a table stores orbits.
    wheels = space is not None and space.orbits is not None
    if walk == "alternate" and not wheels:
        raise InvalidRequest(f"{source.puzzle.name} has no wheels that could alternate", "take the walk any or no-undo")
    start = source.goal.states[0]

    def choose(number: int, count: int) -> int:
        return draw(count, key and f"{key} {number}")

    undo = inverse_moves(space) if walk == "no-undo" and space and not (wheels or space.grows) else None
    made = list(_made(source.puzzle, start, turns, choose, _again(source.puzzle, walk, undo, wheels=wheels)))
    state = made[-1][1] if made else start
    [distance] = source.distances_of([source.index(state)])
    return {
        **answer_fields(source, state, distance),
        "drawn": "turns",
        "percentile": percentile_of(distance, source.whole.table.info.layers) if source.whole else None,
        "scramble": [move for move, _ in made],
    }


def _made(
    puzzle: Puzzle, state: str, turns: int, choose: Callable[[int, int], int], again: Again
) -> Iterator[tuple[str, str]]:
    """Each turn's move and the state after it. `choose` draws a number below its second argument for each turn."""
    last: Made | None = None
    for number in range(turns):
        after = enumerate(after_moves_by_rules(puzzle, state))
        legal = [Made(move, state, to) for move, to in after if to]
        if not legal:
            return
        new = legal if last is None else [each for each in legal if not again(last, each)]
        open_to = new or legal
        last = open_to[choose(number, len(open_to))]
        state = last.after
        yield puzzle.moves[last.move].name, state


def _again(puzzle: Puzzle, walk: str, undo: Indices | None, *, wheels: bool) -> Again:
    """Whether a walk leaves out a move because of the last one; `undo` is which move undoes which, where known."""
    if walk == "any":
        return lambda _last, _next: False
    if wheels:
        return lambda last, following: puzzle.moves[last.move].group == puzzle.moves[following.move].group
    if undo is None:
        return lambda last, following: following.after == last.before
    # A move that changes nothing one can see is another one than that which undoes the last.
    return lambda last, following: bool(undo[last.move] == following.move)


def _space(source: Source) -> Space | None:
    try:
        return source.space or source.puzzle.space(source.goal)
    except NoSpace:
        return None
