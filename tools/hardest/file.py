"""The file of a table's hardest states, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

from puzzlebase.tools.json_file import JsonFiles

KindName = Literal["antipodes", "one-solution", "one-good-move", "local-maxima"]

# The kinds of hardest states, and which states of a kind are named.
KINDS: dict[KindName, str] = {
    "antipodes": "states farthest from the goal",
    "one-solution": "unsolved states with exactly one shortest solution; the farthest of them",
    "one-good-move": "states with exactly one optimal move among several, so that every other one is a mistake; "
    "the farthest of them",
    "local-maxima": "states with no move that leads farther from the goal; the nearest of them",
}

MOST_NAMED = 100  # states of a kind


class Found(TypedDict):
    """The states of one kind, counted, and some of them by name."""

    states: int  # their number at all distances
    by_distance: list[int]  # their number at distance 0, 1, 2, ... from the goal
    distance: int | None  # of those that are named; None where there are none
    count: int  # of the states at this distance; 0 if there are none
    different: int | None  # of these up to symmetry; None if that is not known
    named: list[str]  # some of these, at most MOST_NAMED, different up to symmetry if that is known


@dataclass(frozen=True, slots=True)
class Hardest:
    """The hardest states of the table with this digest, and the number of symmetries, None if not known."""

    puzzle: str
    goal: str
    digest: str
    symmetries: int | None
    kinds: dict[KindName, Found]
    format: Literal[2] = 2


HARDEST_FILES = JsonFiles(Hardest, "hardest", 256 << 20)


def hardest_path(data: Path, table_name: str) -> Path:
    """The file of the hardest states of a puzzle and goal."""
    return data / f"{table_name}.hardest.json"
