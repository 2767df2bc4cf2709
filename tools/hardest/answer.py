"""The hardest states of a puzzle, from the file of `puzzlebase hardest` beside the table."""

from __future__ import annotations

from typing import TypedDict

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.hardest.file import HARDEST_FILES, KINDS, hardest_path


class KindOfStates(TypedDict):
    """The states of one kind, counted, and some of them by name."""

    kind: str
    meaning: str  # its states, and which of them are named
    states: int  # their number at all distances
    by_distance: list[int]  # their number at distance 0, 1, 2, ... from the goal
    distance: int | None  # of those that are named; None where there are none
    count: int  # of the named states; None if there are none
    different: int | None  # of these up to symmetry; None if that is not known
    named: list[str]  # some of these, different up to symmetry if that is known


class HardestAnswer(TypedDict):
    """The hardest states of a puzzle and goal."""

    puzzle: str
    goal: str
    symmetries: int | None  # of puzzle and goal; None if their number is not known
    kinds: list[KindOfStates]


def hardest(source: OpenTable) -> HardestAnswer:
    """The hardest states of a table; raises MissingTable before they are found, DamagedTable for a changed file."""
    info, table = source.table.info, source.table.file
    path = hardest_path(table.path.parent, table.path.stem)
    command = f"puzzlebase hardest {info.puzzle}" + (f" --goal {source.goal.name}" if "@" in table.path.stem else "")
    missing = MissingTable(f"the hardest states of {info.puzzle} have not been found yet", command)
    stored = HARDEST_FILES.read(path, missing, puzzle=info.puzzle, goal=info.goal, digest=table.digest)
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "symmetries": stored.symmetries,
        "kinds": [
            {
                "kind": name,
                "meaning": meaning,
                "states": sum(found.by_distance),
                "by_distance": [*found.by_distance],
                "distance": found.distance,
                "count": found.count,
                "different": found.different,
                "named": [*found.states],
            }
            for name, meaning in KINDS.items()
            for found in [stored.kinds[name]]
        ],
    }
