"""Hints: help in four steps."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, NotRequired

from pydantic import Field

from service.answers.answer import MAX_BATCH, Answer, common
from service.sources.source import Source


class HintAnswer(Answer):
    """As much help as was asked for."""

    level: Annotated[int, Field(description="1 distance, 2 also groups, 3 also a move, 4 also the solution")]
    groups: NotRequired[Annotated[list[str], Field(description="parts of the puzzle that an optimal move moves")]]
    move: NotRequired[Annotated[str | None, Field(description="an optimal move; null where nothing is to do")]]
    solution: NotRequired[Annotated[list[str], Field(description="a shortest solution, that move first")]]


def hint(source: Source, text: str, level: int) -> HintAnswer:
    """Help in steps: how far, what to move, the move, the solution."""
    index = source.index(text)
    distance = source.distance(index)
    answer: HintAnswer = {**common(source, text, distance, index), "level": level}  # type: ignore[typeddict-item]
    moves = [source.puzzle.moves[move] for move, _ in source.optimal_moves(index, distance)]
    if level >= 2:
        answer["groups"] = list(dict.fromkeys(move.group for move in moves))
    if level >= 3:
        answer["move"] = moves[0].name if moves else None
    if level >= 4:
        answer["solution"] = [
            source.puzzle.moves[move].name for move in islice(source.line(index, distance), MAX_BATCH)
        ]
    return answer
