"""What every answer about a state has."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from service.sources.source import UNKNOWN, Source

MAX_BATCH = 10_000
"""States of a batch, moves of a game, moves of a page of a solution."""


Text = Annotated[str, Field(description="a state, in the caller's own letters")]


PuzzleName = Annotated[str, Field(description="the puzzle's name")]


GoalName = Annotated[str, Field(description="the goal's name")]


Distance = Annotated[
    int | None, Field(description="fewest moves to the goal; null where it cannot be reached, or is not known")
]


class Answer(TypedDict):
    """What every answer about a state has."""

    puzzle: PuzzleName
    goal: GoalName
    state: Text
    solvable: Annotated[
        bool | None, Field(description="whether the goal can be reached; null where a search ended without knowing")
    ]
    distance: Distance
    exact: Annotated[
        bool, Field(description="whether distance is proven; false where a search ended at its budget: see lower_bound")
    ]
    lower_bound: Annotated[int | None, Field(description="proven: no solution is shorter")]
    upper_bound: Annotated[int | None, Field(description="proven: a solution of this length exists")]
    source: Annotated[str, Field(description="where it comes from: table (or an oracle, as exact), or search")]


def common(source: Source, text: str, distance: int, index: int = -1) -> Answer:
    """What every answer about a state has; `distance` is UNREACHED where there is no way.

    Where it is UNKNOWN, `index` tells which state the search has proven a bound of.
    """
    known = distance if distance >= 0 else None
    exact = distance != UNKNOWN
    return {
        "puzzle": source.puzzle.name,
        "goal": source.goal.name,
        "state": text,
        "solvable": known is not None if exact else source.space.connected or None,
        "distance": known,
        "exact": exact,
        "lower_bound": known if exact else source.lower_bound(index),
        "upper_bound": known,
        "source": source.name,
    }
