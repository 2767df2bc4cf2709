"""Hints: help in four steps."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, NotRequired

from pydantic import Field

from puzzlebase.service.answers.limits import MAX_BATCH
from puzzlebase.service.answers.lookups import Answer, answer_fields
from puzzlebase.service.sources.source import Source


class HintAnswer(Answer):
    """As much help as was asked for."""

    level: Annotated[int, Field(description="1: the distance; 2: also groups; 3: also a move; 4: also a solution")]
    groups: NotRequired[
        Annotated[
            list[str],
            Field(description="parts of the puzzle that the optimal moves move, or the first move of a construction"),
        ]
    ]
    move: NotRequired[
        Annotated[
            str | None, Field(description="an optimal move, or the first of a construction; null if there is none")
        ]
    ]
    solution: NotRequired[
        Annotated[list[str], Field(description="a shortest solution or a construction, which begins with that move")]
    ]


def hint(source: Source, text: str, level: int) -> HintAnswer:
    """Help in steps: the distance, the parts to move, a move, a solution."""
    [distance] = source.distances_of([source.index(text)])
    found = source.solution(text, distance)
    answer: HintAnswer = {**answer_fields(source, text, distance), "level": level}  # type: ignore[typeddict-item]
    if level >= 2:
        answer["groups"] = list(dict.fromkeys(source.puzzle.moves[move].group for move in found.first()))
    if level >= 3:
        solution = list(islice(found.moves(), MAX_BATCH if level >= 4 else 1))
        answer["move"] = solution[0] if solution else None
        if level >= 4:
            answer["solution"] = solution
    return answer
