"""What every answer about a state has."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from puzzlebase.service.sources.source import UNKNOWN, Source

Text = Annotated[str, Field(description="a state, in the caller's own letters")]
PuzzleName = Annotated[str, Field(description="name of the puzzle")]
GoalName = Annotated[str, Field(description="name of the goal")]
Integer = Annotated[int, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+$"}]})]
"""An integer of any length. In JSON it is a number up to 2^53, and above a decimal string (service/exact_json.py)."""

Distance = Annotated[
    Integer | None,
    Field(description="fewest moves to the goal; null if it cannot be reached or the distance is not known"),
]


class Answer(TypedDict):
    """What every answer about a state has."""

    puzzle: PuzzleName
    goal: GoalName
    state: Text
    solvable: Annotated[bool | None, Field(description="whether the goal can be reached; null if that is not known")]
    distance: Distance
    exact: Annotated[
        bool,
        Field(description="whether distance is proven; if not, the bounds are"),
    ]
    lower_bound: Annotated[Integer | None, Field(description="proven: every solution has at least so many moves")]
    upper_bound: Annotated[Integer | None, Field(description="proven: there is a solution of so many moves")]
    source: Annotated[
        str,
        Field(
            description="where the answer comes from: table (also an oracle's data), oracle (one that needs no data), "
            "search or construction"
        ),
    ]


def answer_fields(source: Source, text: str, distance: int) -> Answer:
    """What every answer about a state has; `distance` may be UNREACHED or UNKNOWN."""
    known = distance if distance >= 0 else None
    bounds = None if distance != UNKNOWN else source.solution(text, distance).bounds()
    return {
        "puzzle": source.puzzle.name,
        "goal": source.goal.name,
        "state": text,
        "solvable": bounds.solvable if bounds else known is not None,
        "distance": known,
        "exact": bounds is None,
        "lower_bound": bounds.lower if bounds else known,
        "upper_bound": bounds.upper if bounds else known,
        "source": source.origin.name,
    }
