"""The hardest states of a puzzle, from what `puzzlebase hardest` found beside the table."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.answers.lookups import GoalName, PuzzleName
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.hardest.file import KINDS, hardest_path, read_hardest


class KindOfStates(TypedDict):
    """The states of one kind, counted, and some of them by name."""

    kind: Annotated[str, Field(description="name of the kind")]
    meaning: Annotated[str, Field(description="which states these are, and which of them are named")]
    states: Annotated[int, Field(description="how many there are at all distances")]
    by_distance: Annotated[list[int], Field(description="how many lie at distance 0, 1, 2, ... from the goal")]
    distance: Annotated[int | None, Field(description="distance of those that are named; null where there are none")]
    count: Annotated[int, Field(description="how many lie at that distance")]
    different: Annotated[int | None, Field(description="how many of these are left up to symmetry; null if not known")]
    named: Annotated[list[str], Field(description="some of these, all different up to symmetry where that is known")]


class HardestAnswer(TypedDict):
    """The hardest states of a puzzle and goal."""

    puzzle: PuzzleName
    goal: GoalName
    symmetries: Annotated[int | None, Field(description="number of symmetries of puzzle and goal; null if not known")]
    kinds: Annotated[list[KindOfStates], Field(description="kinds of hard states")]


def hardest(source: OpenTable) -> HardestAnswer:
    """The hardest states of a table; raises MissingTable before they were found, DamagedTable for a changed file."""
    info, table = source.table.info, source.table.file
    path = hardest_path(table.path.parent, table.path.stem)
    command = f"puzzlebase hardest {info.puzzle}" + (f" --goal {source.goal.name}" if "@" in table.path.stem else "")
    try:
        stored = read_hardest(path)
    except MissingTable:
        raise MissingTable(f"the hardest states of {info.puzzle} have not been found yet", command) from None
    if (stored.puzzle, stored.goal, stored.digest) != (info.puzzle, info.goal, table.digest):
        raise MissingTable(f"{str(path)!r} was found in another table", f"find them again: {command}")
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
