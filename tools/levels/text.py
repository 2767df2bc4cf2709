"""Files of levels: grids of characters, each after lines of words.

A line that begins with ; or ' is a comment. `; par: 23` is a value, and the first other comment is the title. A grid is
a run of lines that are not empty. After a line `goal` comes another grid of the same level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from puzzlebase.puzzles.definitions.definition import FormatError, title_of
from puzzlebase.puzzles.definitions.files import text_of

MOST_LEVELS = 10_000
MOST_CELLS = 1 << 12
_VALUE = re.compile(r"(\w+)\s*:\s*(.*)")


class BadLevel(ValueError):
    """A level or a state that cannot be read; the message begins with the file, the line and the column."""

    def __init__(self, path: Path | None, line: int, column: int, message: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {message}" if path else f"row {line}, column {column}: {message}")


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of characters, the first of them line `first` of a file; rows of a state have no file."""

    path: Path | None
    first: int
    rows: tuple[str, ...]

    @classmethod
    def of(cls, state: str) -> Self:
        """The rows of a state, which / joins."""
        return cls(None, 1, tuple(state.split("/")))

    @property
    def width(self) -> int:
        """The number of characters of the longest row."""
        return max(map(len, self.rows))

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        """Each character with its row and its column, from 0 on."""
        return ((row, column, char) for row, text in enumerate(self.rows) for column, char in enumerate(text))

    def fault(self, row: int, column: int, message: str) -> BadLevel:
        """Make the error of a fault at a row and a column, counted from 0."""
        return BadLevel(self.path, self.first + row, column + 1, message)


@dataclass(frozen=True, slots=True)
class LevelText:
    """The text of a level in its file.

    Attributes:
        title: its first comment without a value; empty if there is none.
        values: the values of its comments by name, each with its line.
        start: the first grid.
        goal: the grid after a line `goal`.
    """

    title: str
    values: Mapping[str, tuple[str, int]]
    start: Grid
    goal: Grid | None = None

    def value(self, name: str, allowed: tuple[str, ...]) -> str:
        """A value, by default the first allowed one; raises BadLevel for any other."""
        value, line = self.values.get(name, (allowed[0], 0))
        if value not in allowed:
            raise BadLevel(self.start.path, line, 1, f"{name} is {value!r}, and must be one of {', '.join(allowed)}")
        return value

    @property
    def par(self) -> int | None:
        """The par that the file states; raises BadLevel if it is no number."""
        if "par" not in self.values:
            return None
        value, line = self.values["par"]
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise BadLevel(self.start.path, line, 1, f"par is {value!r}, and must be a number of moves")
        return int(value)


def read_levels(path: Path, content: bytes) -> list[LevelText]:
    """The levels of a file's content in their order; raises BadLevel."""
    try:
        text = text_of(content)
    except FormatError as error:
        raise BadLevel(path, error.line or 1, 1, error.what) from None
    reader = _Reader(path)
    for number, line in enumerate(text.splitlines(), 1):
        reader.take(number, line.rstrip())
    reader.end_grid()
    if not reader.levels:
        raise BadLevel(path, 1, 1, "there is no level in the file")
    return reader.levels


@dataclass(slots=True)
class _Reader:
    """Takes a file line by line. Comments belong to the level after them."""

    path: Path
    levels: list[LevelText] = field(default_factory=list)
    title: str = ""
    values: dict[str, tuple[str, int]] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    first: int = 0
    goal: bool = False

    def take(self, number: int, line: str) -> None:
        """Take a line."""
        if line.startswith((";", "'")):
            self.end_grid()
            words = line.strip(";' ")
            if match := _VALUE.fullmatch(words):
                self.values[match[1].lower()] = (match[2].strip(), number)
            else:
                self.title = self.title or title_of(words)
        elif line.strip().lower() == "goal":
            self.end_grid()
            if not self.levels:
                raise BadLevel(self.path, number, 1, "a goal must come after its level")
            self.goal = True
        elif line:
            self.first = self.first or number
            self.rows.append(line)
        else:
            self.end_grid()

    def end_grid(self) -> None:
        """End the grid whose rows have been taken, if there are any."""
        if not self.rows:
            return
        grid = Grid(self.path, self.first, tuple(self.rows))
        if grid.width * len(grid.rows) > MOST_CELLS:
            raise grid.fault(0, 0, f"the level has more than {MOST_CELLS:,} cells")
        if self.goal:
            self.levels[-1] = replace(self.levels[-1], goal=grid)
        else:
            if len(self.levels) == MOST_LEVELS:
                raise grid.fault(0, 0, f"the file has more than {MOST_LEVELS:,} levels; cut it into several")
            self.levels.append(LevelText(self.title, self.values, grid))
            self.title, self.values = "", {}
        self.rows, self.first, self.goal = [], 0, False
