"""One lookup: the distance of a state and of all it can move to."""

from __future__ import annotations

from math import inf
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase.service.answers.answer import Answer, Distance, Text, answer_fields
from puzzlebase.service.sources.source import UNDECIDED, UNKNOWN, Source
from puzzlebase.service.sources.texts import after_moves, after_moves_by_rules

_OPEN = (UNKNOWN, UNDECIDED)


class MoveAnswer(TypedDict):
    """A move and the state it leads to. A search may not know the distance behind a move that is not optimal."""

    move: Annotated[str, Field(description="name of the move")]
    state: Text
    distance: Distance
    delta: Annotated[int | None, Field(description="change of distance, -1 at best; null if it is not known")]
    optimal: Annotated[
        bool | None, Field(description="whether the move begins a shortest solution; null if that is not known")
    ]


class LookupAnswer(Answer):
    """A state's distance and its moves."""

    moves: Annotated[
        list[MoveAnswer], Field(description="every legal move, best first; equally good ones in the puzzle's order")
    ]


def lookup(source: Source, text: str) -> LookupAnswer:
    """Distance of a state and of all it can move to; raises as the puzzle's `parse` does."""
    puzzle = source.puzzle
    index = source.index(text)
    successors, distances = source.neighbours(index)
    distance = distances.pop()
    if index >= 0:
        states = after_moves(puzzle, text, successors[:-1])
        legal = [move for move, to in enumerate(successors[:-1]) if to >= 0]
    else:
        states = after_moves_by_rules(puzzle, text)
        legal = [move for move, state in enumerate(states) if state]
    legal.sort(key=[to if to >= 0 else inf for to in distances].__getitem__)
    moves = puzzle.moves
    answers = [move_answer(moves[move].name, states[move], distances[move], distance) for move in legal]
    return {**answer_fields(source, text, distance), "moves": answers}


def move_answer(move: str, state: str, distance: int, before: int, weight: int = 1) -> MoveAnswer:
    """A move from a state at distance `before` to one at `distance`; both may be UNREACHED, UNKNOWN or UNDECIDED.

    `weight` is how many moves its name stands for.
    """
    known = distance >= 0
    return {
        "move": move,
        "state": state,
        "distance": distance if known else None,
        "delta": distance - before if known and before >= 0 else None,
        "optimal": None if before in _OPEN or distance == UNDECIDED else 0 <= distance <= before - weight,
    }
