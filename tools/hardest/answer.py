"""The hardest states of a puzzle, from the file of `puzzlebase hardest` beside the table."""

from __future__ import annotations

from typing_extensions import TypedDict

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.hardest.file import HARDEST_FILES, KINDS, Found, hardest_path


class KindOfStates(Found):
    """The states of one kind."""

    kind: str
    meaning: str  # its states, and which of them are named


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
        "kinds": [{"kind": name, "meaning": meaning, **stored.kinds[name]} for name, meaning in KINDS.items()],
    }
