"""Hints, in four levels."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, NotRequired

from puzzlebase.service.answers.limits import MAX_BATCH
from puzzlebase.service.answers.lookups import Answer, answer_fields, means
from puzzlebase.service.sources.source import Source


class HintAnswer(Answer):
    """As much help as was asked for."""

    level: Annotated[int, means("1: the distance; 2: also groups; 3: also a move; 4: also a solution")]
    groups: NotRequired[
        Annotated[
            list[str],
            means("parts of the puzzle that the optimal moves move, or the first move of a construction"),
        ]
    ]
    move: NotRequired[
        Annotated[str | None, means("an optimal move, or the first of a construction; null if there is none")]
    ]
    solution: NotRequired[
        Annotated[list[str], means("a shortest solution or a construction, which begins with that move")]
    ]


def hint(source: Source, text: str, level: int) -> HintAnswer:
    """Help by level: 1 the distance, 2 also the parts to move, 3 also a move, 4 also a solution."""
    [distance] = source.distances_of([source.index(text)])
    found = source.solution(text, distance)
    answer: HintAnswer = {**answer_fields(source, text, distance), "level": level}  # type: ignore[typeddict-item]
    if level >= 2:
        answer["groups"] = list(dict.fromkeys(source.puzzle.moves_of(text)[move].group for move in found.first()))
    if level >= 3:
        solution = list(islice(found.moves(), MAX_BATCH if level >= 4 else 1))
        answer["move"] = solution[0] if solution else None
        if level >= 4:
            answer["solution"] = solution
    return answer
