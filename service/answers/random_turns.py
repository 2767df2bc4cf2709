"""States after random turns from solved, as a player mixes a puzzle by hand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple

from puzzlebase.puzzles import Indices, NoSpace, Puzzle
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from puzzlebase.service.answers.random_states import RandomAnswer, answer, draw
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import Source, after_moves_by_rules

MAX_TURNS = 1000
WalkName = Literal["any", "no-undo", "alternate"]
# The walks by name, with what is drawn before each turn.
WALKS: dict[WalkName, str] = {
    "any": "any legal move, each equally likely",
    "no-undo": "any but one that undoes the last, or turns its wheel once more",
    "alternate": "the wheels one after the other, the first one at random, any turn of each",
}


class _Made(NamedTuple):
    """A move by its number, with the states before and after it."""

    move: int
    before: str
    after: str


def random_turns(source: Source, turns: int, walk: str, key: str | None = None) -> RandomAnswer:
    """Play random turns from solved; they are the scramble, and equal keys give equal states.

    Raises InvalidRequest for wheels that alternate where there are none.
    """
    puzzle, space = source.puzzle, source.space
    with suppress(NoSpace):
        space = space or puzzle.space(source.goal)
    # Where any turn of one wheel is one move, a table stores orbits.
    wheels = space is not None and space.orbits is not None
    if walk == "alternate" and not wheels:
        raise InvalidRequest(f"{puzzle.name} has no wheels that could alternate", "take the walk any or no-undo")
    undo = inverse_moves(space) if walk == "no-undo" and space and not (wheels or space.grows) else None
    again = _again(puzzle, walk, undo, wheels=wheels)
    state, scramble = source.goal.states[0], []
    last: _Made | None = None
    for number in range(turns):
        legal = [_Made(move, state, to) for move, to in enumerate(after_moves_by_rules(puzzle, state)) if to]
        if not legal:
            break
        chosen_from = [each for each in legal if last is None or not again(last, each)] or legal
        last = chosen_from[draw(len(chosen_from), key and f"{key} {number}")]
        state = last.after
        scramble.append(puzzle.moves[last.move].name)
    [distance] = source.distances_of([source.index(state)])
    return answer(source, state, distance, "turns", scramble)


def _again(puzzle: Puzzle, walk: str, undo: Indices | None, *, wheels: bool) -> Callable[[_Made, _Made], bool]:
    """The function that says if a walk leaves out a move because of the last; `undo`: the inverse moves, if known."""
    if walk == "any":
        return lambda _last, _next: False
    if wheels:
        return lambda last, following: puzzle.moves[last.move].group == puzzle.moves[following.move].group
    if undo is None:
        return lambda last, following: following.after == last.before
    # A move that changes nothing one can see is another one than that which undoes the last.
    return lambda last, following: bool(undo[last.move] == following.move)
