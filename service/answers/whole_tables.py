"""The histogram and the antipodes of a whole table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired

from typing_extensions import TypedDict

from puzzlebase.db.limits import ANTIPODES_KEPT
from puzzlebase.service.answers import text
from puzzlebase.service.answers.record import Within, answer
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.db.table_file import TableInfo
    from puzzlebase.service.sources.table import OpenTable

_MAX_PAGE = 10_000


class Histogram(TypedDict):
    """The number of states at each distance."""

    puzzle: str
    """name of the puzzle"""
    goal: str
    """name of the goal"""
    layers: list[int]
    """number of states at distance 0, 1, 2, ..."""
    lost: NotRequired[int]
    """number of states from which no goal can be reached; only of games and levels"""
    states: int
    """number of states of the space, those that cannot reach the goal included; of games and levels
    without the lost ones, so that it is the sum of the layers
    """
    gods_number: int | None
    """largest distance; null if no state can reach the goal"""
    mean: float
    """mean distance of the states that can reach the goal"""


class Antipodes(TypedDict):
    """The states farthest from the goal."""

    puzzle: str
    """name of the puzzle"""
    goal: str
    """name of the goal"""
    distance: int | None
    """distance of each: the largest there is"""
    count: int
    """number of states at that distance; at most 100,000 are stored"""
    states: list[str]
    """the states of this page"""
    next: int | None
    """the offset of the next page; null on the last one"""


@answer("table", "Histogram", printed=text.histogram)
def histogram(source: OpenTable, from_: str | None = None) -> Histogram:
    """The number of states at each distance.

    Args:
        from_: a set of states, as a goal may be one: count these in place of all

    Raises:
        InvalidRequest: the puzzle has no sets of states
    """
    info = source.table.info
    layers, states = list(info.layers), info.states
    if from_ is not None:
        layers, states = _counted(source, from_)
    answer: Histogram = {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "layers": layers,
        "states": states,
        "gods_number": len(layers) - 1 if layers else None,
        "mean": sum(distance * states for distance, states in enumerate(layers))
        / max(sum(layers), 1),
    }
    if source.of_game:
        answer |= {"states": info.reachable, "lost": info.states - info.reachable}
    return answer


def _counted(source: OpenTable, name: str) -> tuple[list[int], int]:
    """The states of a set at each distance, and their number.
    What neither it nor the goal tells apart is one state.
    """
    import numpy as np  # noqa: PLC0415 -- `--help` needs none

    puzzle = source.puzzle
    if puzzle.board.states_of is None:
        raise InvalidRequest(f"{puzzle.name} has no sets of states", "leave out from")
    distances = source.distances(source.space.rank(puzzle.board.states_of(name, source.goal)))
    return np.bincount(distances[distances >= 0]).tolist(), len(distances)


@answer("table", "Antipodes", printed=text.antipodes, notes=text.antipodes_notes_text)
def antipodes(
    source: OpenTable,
    offset: int = 0,
    limit: Annotated[int, Within(1, _MAX_PAGE, here=ANTIPODES_KEPT)] = 100,
) -> Antipodes:
    """The states farthest from the goal, a page at a time.

    Args:
        offset: number of entries to skip
        limit: number of entries to give

    Raises:
        DamagedTable: the file has false ones
    """
    info = source.table.info
    count = sum(info.layers[-1:])
    states = source.antipodes(offset, limit)
    end = offset + len(states)
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "distance": gods_number_of_whole_table(info),
        "count": count,
        "states": states,
        "next": end if states and end < min(count, source.table.kept) else None,
    }


def gods_number_of_whole_table(info: TableInfo) -> int | None:
    """The largest distance of a whole table; None if no state can reach the goal."""
    return info.gods_number if info.layers else None
