"""What a whole table tells: its histogram and its antipodes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase.db.table_file import ANTIPODES_KEPT, TableInfo
from puzzlebase.service.answers.lookups import GoalName, PuzzleName
from puzzlebase.service.sources.table import OpenTable


class Histogram(TypedDict):
    """How many states lie at each distance."""

    puzzle: PuzzleName
    goal: GoalName
    layers: Annotated[list[int], Field(description="number of states at distance 0, 1, 2, ...")]
    states: Annotated[
        int, Field(description="number of states of the space, those that cannot reach the goal included")
    ]
    gods_number: Annotated[int | None, Field(description="largest distance; null if no state can reach the goal")]
    mean: Annotated[float, Field(description="mean distance of the states that can reach the goal")]


class Antipodes(TypedDict):
    """The states farthest from the goal."""

    puzzle: PuzzleName
    goal: GoalName
    distance: Annotated[int | None, Field(description="distance of each: the largest there is")]
    count: Annotated[int, Field(description=f"how many there are; at most {ANTIPODES_KEPT:,} are kept")]
    states: Annotated[list[str], Field(description="the states of this page")]
    next: Annotated[int | None, Field(description="the offset of the next page; null on the last one")]


def histogram(source: OpenTable) -> Histogram:
    """How many states lie at each distance."""
    info = source.table.info
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "layers": list(info.layers),
        "states": info.states,
        "gods_number": gods_number(info),
        "mean": sum(distance * states for distance, states in enumerate(info.layers)) / max(info.reachable, 1),
    }


def antipodes(source: OpenTable, offset: int, limit: int) -> Antipodes:
    """A page of the states farthest from the goal; raises DamagedTable if those in the file are not."""
    info = source.table.info
    count = sum(info.layers[-1:])
    stored = min(count, ANTIPODES_KEPT)
    indices = np.array([index for index, _ in source.table.file.antipodes(offset, limit)], np.int64)
    sound = len(indices) == min(limit, max(stored - offset, 0)) and ((indices >= 0) & (indices < info.states)).all()
    if not sound or (source.distances(indices) != info.gods_number).any():
        raise source.table.file.damaged("has antipodes that are not at the largest distance")
    # The file has texts too, but goals that share a table may have letters of their own.
    states = [source.puzzle.format(board) for board in source.space.unrank(indices)] if len(indices) else []
    end = offset + len(states)
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "distance": gods_number(info),
        "count": count,
        "states": states,
        "next": end if states and end < stored else None,
    }


def gods_number(info: TableInfo) -> int | None:
    """The largest distance; None if no state can reach the goal."""
    return info.gods_number if info.layers else None
