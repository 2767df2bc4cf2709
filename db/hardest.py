"""The file of a table's hardest states, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from puzzlebase.db.errors import DamagedTable, MissingTable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

KindName = Literal["antipodes", "one-solution", "one-good-move", "local-maxima"]

KINDS: dict[KindName, str] = {
    "antipodes": "states farthest from the goal",
    "one-solution": "unsolved states with exactly one shortest solution; the farthest of them",
    "one-good-move": "states with exactly one optimal move among several, so that every other one is a mistake; "
    "the farthest of them",
    "local-maxima": "states none of whose moves leads farther from the goal; the nearest of them",
}
"""The kinds of hardest states, and which of a kind are named."""

MOST_NAMED = 100
"""So many states of a kind are named at most."""

_FORMAT = 1
_MOST_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """The states of one kind.

    Attributes:
        by_distance: how many lie at distance 0, 1, 2, ... from the goal.
        distance: of those that are named; None where there is no state of the kind.
        count: how many lie at that distance.
        different: how many of these no symmetry takes into one another; None where that is not known.
        states: some of them, one of each kind up to symmetry where these are known, at most MOST_NAMED.
    """

    by_distance: tuple[int, ...]
    distance: int | None
    count: int
    different: int | None
    states: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether its numbers belong together."""
        if self.distance is None:
            return not any(self.by_distance) and not self.states and self.count == 0
        at = self.by_distance[self.distance] if 0 <= self.distance < len(self.by_distance) else 0
        return self.count == at > 0 and 0 < len(self.states) <= min(MOST_NAMED, self.different or at) <= at


@dataclass(frozen=True, slots=True)
class Hardest:
    """The hardest states of the table that has this digest; `symmetries` is how many there are, None if not known."""

    puzzle: str
    goal: str
    digest: str
    symmetries: int | None
    kinds: dict[KindName, Found]
    format: int = _FORMAT


def write_hardest(path: Path, hardest: Hardest) -> None:
    """Write the file."""
    path.write_bytes(_adapter().dump_json(hardest))


def read_hardest(path: Path) -> Hardest:
    """Read the file; raises MissingTable, or DamagedTable where it is not what was written."""
    from pydantic import ValidationError  # noqa: PLC0415 -- it takes long to load

    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        hardest = _adapter().validate_json(content[:_MOST_BYTES], strict=True)
    except FileNotFoundError:
        raise MissingTable(f"there is no {path.name!r} yet", "compute it with: puzzlebase hardest") from None
    except (OSError, ValidationError) as error:
        raise _damaged(path, str(error).splitlines()[0]) from None
    if (
        hardest.format != _FORMAT
        or set(hardest.kinds) != set(KINDS)
        or not all(found.is_sound for found in hardest.kinds.values())
    ):
        raise _damaged(path, "its numbers do not belong together")
    return hardest


def _damaged(path: Path, why: str) -> DamagedTable:
    return DamagedTable(f"{str(path)!r} is not what was written: {why}", "compute it again with: puzzlebase hardest")


@cache
def _adapter() -> TypeAdapter[Hardest]:
    from pydantic import TypeAdapter  # noqa: PLC0415 -- it takes long to load

    return TypeAdapter(Hardest)
