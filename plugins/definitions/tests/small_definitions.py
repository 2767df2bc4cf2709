"""Small definitions of every kind, and functions that write them to files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.puzzles.discovery import discover_definitions, forget

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


class Case(NamedTuple):
    """A small definition, lines with slashes between;
    its states and its numbering, where known by hand.
    """

    lines: str
    states: int | None = None
    kind: str | None = None

    @property
    def text(self) -> str:
        """The file."""
        return self.lines.replace(" / ", "\n")


LINKED = (
    "Move X / A / 2 3 4 5 1 / B / 2 3 4 5 1 / End / Move Y / A / 2 1 3 4 5 / B / 2 1 3 4 5 / End"
)
TWISTS = "Move R / C / 2 3 1 4 / 1 2 0 0 / End / Move L / C / 1 3 4 2 / 0 1 1 1 / End"
LAMPS = " / ".join(
    f"Move {at} / LAMP / 1 2 3 4 5 / "
    f"{' '.join('1' if abs(k - at) < 2 else '0' for k in range(5))} / End"
    for at in range(5)
)
SMALL = {
    "corners": Case(f"Set C 4 3 / Solved / C / 1 2 3 4 / 0 0 0 0 / End / {TWISTS}", 324),
    "equal": Case(
        "Set A 4 1 / Set B 4 2 / Solved / A / 7 7 3 3 / B / 1 1 2 2 / 0 1 0 0 / End / "
        "Move X / A / 2 3 4 1 / B / 2 1 3 4 / 1 0 0 0 / End / Move Y / B / 1 3 4 2 / 0 0 1 1 / End"
    ),
    "linked": Case(f"Set A 5 1 / Set B 5 1 / Solved / End / {LINKED}", 120, "group"),
    "linked-equal": Case(
        f"Set A 5 1 / Set B 5 1 / Solved / A / 1 1 2 2 3 / B / 1 2 2 1 1 / End / {LINKED}",
        None,
        "list",
    ),
    "wild": Case(f"Set C 4 3 / Solved / C / 1 2 2 3 / 0 ? ? 2 / End / {TWISTS}"),
    "lamps": Case(f"Set LAMP 5 2 / Solved / LAMP / 1 1 1 1 1 / 0 0 0 0 0 / End / {LAMPS}", 16),
    "still": Case(
        "Set A 6 1 / Set B 2 4 / Solved / A / 1 2 3 4 5 1 / B / 1 2 / 3 1 / End / "
        "Move R / A / 1 3 4 2 5 6 / B / 1 2 / 1 0 / End",
        12,
    ),
    "two-orbits": Case(
        "Set A 6 1 / Solved / A / 1 2 3 3 2 1 / End / Move R / A / 2 3 1 4 5 6 / End / Move T / A "
        "/ 2 1 3 5 6 4 / End",
        18,
    ),
    "parity": Case(
        "Set A 5 1 / Set B 4 1 / Solved / End / Move S / A / 2 1 3 4 5 / B / 2 1 3 4 / End / "
        "Move A / A / 2 3 4 5 1 / End / Move B / B / 2 3 1 4 / End / Move C / B / 1 3 4 2 / End",
        1440,
        "product",
    ),
}

CUBE = "Set C 3 2\nSolved\nC\n1 2 3\n0 0 0\nEnd\nMove R\nC\n2 3 1\n0 0 1\nEnd\n"


def whole_cube() -> str:
    """The 3x3x3."""
    return (EXAMPLES / "3x3x3.tws").read_text("utf-8")


@contextmanager
def definitions_from(folder: Path) -> Iterator[None]:
    """Read definitions from a folder meanwhile."""
    with mock.patch.dict(os.environ):
        discover_definitions(folder)
        yield
    forget()


def turning(places: int, name: str = "R") -> str:
    """A definition of one move that takes every piece to the next place."""
    order = " ".join(map(str, [*range(2, places + 1), 1]))
    return f"Set C {places} 1\nSolved\nEnd\nMove {name}\nC\n{order}\nEnd\n"


def written(folder: Path, name: str, text: str, ending: str = ".tws") -> DefinitionFile:
    """Write a definition to a file of some name."""
    path = folder / f"{name}{ending}"
    path.write_text(text, "utf-8")
    return DefinitionFile(path)
