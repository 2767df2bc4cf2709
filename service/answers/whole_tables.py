"""What a whole table tells: its histogram and its antipodes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field
from typing_extensions import TypedDict

from db import ANTIPODES_KEPT, TableInfo
from puzzles import Indices
from service.answers.answer import GoalName, PuzzleName
from service.sources.table import OpenTable


class Histogram(TypedDict):
    """States by distance."""

    puzzle: PuzzleName
    goal: GoalName
    layers: Annotated[list[int], Field(description="how many states lie at distance 0, 1, 2, ...")]
    states: Annotated[
        int, Field(description="states of the space, those counted from which the goal cannot be reached")
    ]
    gods_number: Annotated[
        int | None, Field(description="the greatest distance; null where no state can reach the goal")
    ]
    mean: Annotated[float, Field(description="mean distance of the states that can be solved")]


class Antipodes(TypedDict):
    """States farthest from the goal."""

    puzzle: PuzzleName
    goal: GoalName
    distance: Annotated[int | None, Field(description="of each of them: the greatest that there is")]
    count: Annotated[int, Field(description=f"how many there are; at most {ANTIPODES_KEPT:,} are kept")]
    states: Annotated[list[str], Field(description="those of this page")]
    next: Annotated[int | None, Field(description="the offset of the next page; null on the last")]


def histogram(source: OpenTable) -> Histogram:
    """How many states lie at each distance."""
    info = source.table.info
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "layers": list(info.layers),
        "states": info.states,
        "gods_number": _gods_number(info),
        "mean": sum(distance * states for distance, states in enumerate(info.layers)) / max(info.reachable, 1),
    }


def antipodes(source: OpenTable, offset: int, limit: int) -> Antipodes:
    """A page of the states farthest from the goal; raises DamagedTable where the table says otherwise of them."""
    info = source.table.info
    count = sum(info.layers[-1:])
    indices = np.array([index for index, _ in source.table.file.antipodes(offset, limit)], np.int64)
    if len(indices) != min(limit, max(min(count, ANTIPODES_KEPT) - offset, 0)) or not _farthest(source, indices):
        raise source.table.file.damaged("has antipodes that are none")
    # Not the file's texts: goals that share a table may have letters of their own.
    states = [source.puzzle.format(board) for board in source.space.unrank(indices)] if len(indices) else []
    end = offset + len(states)
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "distance": _gods_number(info),
        "count": count,
        "states": states,
        "next": end if states and end < min(count, ANTIPODES_KEPT) else None,
    }


def _gods_number(info: TableInfo) -> int | None:
    return info.gods_number if info.layers else None


def _farthest(source: OpenTable, states: Indices) -> bool:
    """Whether these are indices of states at the greatest distance."""
    within = ((states >= 0) & (states < source.space.size)).all()
    return bool(within and (source.distances(states) == source.table.info.gods_number).all())
