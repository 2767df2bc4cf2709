"""One lookup: the distance of a state and of all it can move to."""

from __future__ import annotations

from math import inf
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from service.answers.answer import Answer, Distance, Text, common
from service.sources.source import UNKNOWN, Source


class MoveAnswer(TypedDict):
    """A move and the state it leads to. A search need not know the distance behind a move that is not optimal."""

    move: Annotated[str, Field(description="as players name it")]
    state: Text
    distance: Distance
    delta: Annotated[int | None, Field(description="change of distance: -1 is best; null where not known")]
    optimal: Annotated[
        bool | None, Field(description="whether it begins a shortest solution; null where that is not known")
    ]


class LookupAnswer(Answer):
    """A state's distance and its moves."""

    moves: Annotated[list[MoveAnswer], Field(description="every legal move, best first, then in the puzzle's order")]


def lookup(source: Source, text: str) -> LookupAnswer:
    """Distance of a state and of all it can move to; raises as the puzzle's `parse` does."""
    index = source.index(text)
    around, distances = source.neighbours(index)
    distance = distances.pop()
    names = source.puzzle.moves
    states = source.played(text, around[:-1]) if index >= 0 else source.played_by_rules(text)
    nearest = sorted(range(len(names)), key=[to if to >= 0 else inf for to in distances].__getitem__)
    legal = [states[m] if index < 0 else around[m] >= 0 for m in range(len(names))]
    moves = [move_answer(names[m].name, states[m], distances[m], distance) for m in nearest if legal[m]]
    return {**common(source, text, distance, index), "moves": moves}


def move_answer(move: str, state: str, distance: int, before: int) -> MoveAnswer:
    """A move to a state at `distance` from one at `before`, either UNREACHED or UNKNOWN where it is so."""
    known = distance >= 0
    return {
        "move": move,
        "state": state,
        "distance": distance if known else None,
        "delta": distance - before if known and before >= 0 else None,
        "optimal": None if before == UNKNOWN else 0 <= distance < before,
    }
