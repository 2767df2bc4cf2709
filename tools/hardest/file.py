"""The file of a table's hardest states, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Found:
    """The states of one kind, counted at each distance, and some of them at one distance."""

    by_distance: tuple[int, ...]  # their number at distance 0, 1, 2, ... from the goal
    distance: int | None  # of `states`; None if there is no state of the kind
    count: int  # of those at `distance`
    different: int | None  # of these up to symmetry; None if that is not known
    states: tuple[str, ...]  # at most MOST_NAMED

    @property
    def is_sound(self) -> bool:
        """True if its numbers agree with one another."""
        if self.distance is None:
            return not any(self.by_distance) and not self.states and self.count == 0
        at = self.by_distance[self.distance] if 0 <= self.distance < len(self.by_distance) else 0
        return self.count == at > 0 and 0 < len(self.states) <= min(MOST_NAMED, self.different or at) <= at


@dataclass(frozen=True, slots=True)
class Hardest:
    """The hardest states of the table with this digest, and the number of symmetries, None if not known."""

    puzzle: str
    goal: str
    digest: str
    symmetries: int | None
    kinds: dict[KindName, Found]
    format: int = _FORMAT


def _is_sound(hardest: Hardest) -> bool:
    known = hardest.format == _FORMAT and set(hardest.kinds) == set(KINDS)
    return known and all(found.is_sound for found in hardest.kinds.values())


_FILES = JsonFiles(Hardest, _is_sound, "hardest", 256 << 20)
write_hardest = _FILES.write
read_hardest = _FILES.read


def hardest_path(data: Path, table_name: str) -> Path:
    """The file of the hardest states of a puzzle and goal."""
    return data / f"{table_name}.hardest.json"
