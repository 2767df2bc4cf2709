"""Files of levels: grids of characters, and words between them.

A line that begins with ; or ' is a comment on the next level. `; par: 23` is a value, `; title: X`
the title, `; author: X` the author, who at the head of a file is that of all its levels. A grid is
a run of rows, and a format may say which lines are rows; all other lines are words. Those right
under a grid belong to it. After a line `goal` comes another grid of the same level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Self

from puzzlebase.errors import shorten
from puzzlebase.plugins.file_texts import text_of_puzzle_file, title_in_puzzle_file
from puzzlebase.puzzles.contract.errors import BrokenPuzzle
from puzzlebase.puzzles.files import FormatError

MOST_LEVELS = 10_000
MOST_CELLS = 1 << 12
MEND = "mend the file or move it away; no other puzzle is harmed"
"""The hint at what to do with a file that cannot be read."""
VALUES = "par", "counts", "order", "alike"
"""The names of the values of levels; a format says which of them it uses."""
_NAMED = re.compile(r"(\w[\w ]*?)\s*([:=])\s*(.*)")
_SOLUTION = re.compile("[lurdLURD]{6,}")
_COMMENT = re.compile(
    r"(?ims)^[ \t]*comment:[ \t]*$(?:(?!^[ \t]*comment:[ \t]*$).)*?^[ \t]*comment-end"
)
"""A comment of several lines, from the line that begins it to the line that ends it."""
_SKIPPED = "\r"  # no line of a file, since it ends one

Cell = tuple[int, int]
"""A row and a column, from 0 on."""
Value = tuple[str, int]
"""A value as its file has it, and its line."""
Line = tuple[int, str]
"""The number of a line in its file, from 1 on, and its words, or a row of it."""
Rows = Callable[[str], Sequence[str]]
"""The rows that a line of a file holds; none if it is empty or words."""


class BadLevel(BrokenPuzzle, ValueError):
    """A level or a state that cannot be read;
    the message begins with the file, the line and the column.
    """


def bad_level(path: Path | None, line: int, message: str, column: int = 1) -> BadLevel:
    """Make the error of a line of a file, or of a row of a state."""
    where = f"{path}:{line}:{column}" if path else f"row {line}, column {column}"
    return BadLevel(f"{where}: {message}", MEND)


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of characters, each with its line in a file; rows of a state have no file."""

    path: Path | None
    rows: tuple[str, ...]
    lines: Sequence[int]

    @classmethod
    def of(cls, state: str) -> Self:
        """The rows of a state, which / joins."""
        rows = tuple(state.split("/"))
        return cls(None, rows, range(1, len(rows) + 1))

    @property
    def width(self) -> int:
        """The number of characters of the longest row."""
        return max(map(len, self.rows))

    def __iter__(self) -> Iterator[tuple[Cell, str]]:
        """Each cell with its character."""
        return (
            ((row, column), char)
            for row, text in enumerate(self.rows)
            for column, char in enumerate(text)
        )

    def fault(self, message: str, cell: Cell = (0, 0)) -> BadLevel:
        """Make the error of a fault at a cell."""
        row, column = cell
        return bad_level(self.path, self.lines[row], message, column + 1)


@dataclass(slots=True)
class Words:
    """The words about a level: a title that they state, else their first words; an author;
    values by name, each with its line; sentences on comments that are nearly values.
    """

    title: str = ""
    first: str = ""
    author: str = ""
    values: dict[str, Value] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)

    def take(self, path: Path, number: int, words: str, *, comment: bool) -> None:
        """Take a line without the marks of a comment;
        raises BadLevel for what is nearly a value.
        """
        named = _NAMED.fullmatch(words)
        if not named:
            if any(map(str.isalnum, words)) and not _SOLUTION.fullmatch(words):
                self.first = self.first or title_in_puzzle_file(words)
            return
        name, sign, value = named[1].lower(), named[2], named[3]
        if name in VALUES and sign == ":":
            self.values[name] = value, number
        elif near := get_close_matches(name, VALUES, 1, 0.8):
            raise bad_level(
                path, number, f"{words!r} is no value; did you mean '{near[0]}: {value}'?"
            )
        elif name == "title":
            self.title = title_in_puzzle_file(value)
        elif name == "author":
            self.author = title_in_puzzle_file(value)
        elif comment and value.isalnum():
            self.unused.append(str(bad_level(path, number, f"{shorten(words)!r} is not used")))


@dataclass(slots=True)
class LevelText:
    """The text of a level in its file: the words about it, its first grid,
    and the grid after a line `goal`.
    """

    words: Words
    start: Grid
    goal: Grid | None = None

    def wrong(self, name: str, message: str) -> BadLevel:
        """Make the error of a value that is stated."""
        return bad_level(self.start.path, self.words.values[name][1], message)

    def value(self, name: str, allowed: Sequence[str]) -> str:
        """A value, by default the first allowed one; raises BadLevel for any other."""
        value, _ = self.words.values.get(name, (allowed[0], 0))
        if value not in allowed:
            raise self.wrong(name, f"{name} is {value!r}, and must be one of {', '.join(allowed)}")
        return value

    def refuse_others(self, names: Sequence[str], *, goal: bool) -> None:
        """Raise BadLevel if the level has a value with another name,
        or a goal although its format has none.
        """
        for name in self.words.values:
            if name not in names:
                raise self.wrong(
                    name, f"{name} is no value of such a level, only {', '.join(names)}"
                )
        if self.goal and not goal:
            raise self.goal.fault("such a level has no goal of its own: take this board away")

    @property
    def par(self) -> int | None:
        """The par that the file states; raises BadLevel if it is no number."""
        if "par" not in self.words.values:
            return None
        value, _ = self.words.values["par"]
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise self.wrong("par", f"par is {value!r}, and must be a number of moves")
        return int(value)


def every_line(line: str) -> Sequence[str]:
    """The rows of a format whose lines are all rows, unless they are empty."""
    return [row] if (row := line.rstrip()) else []


def levels_of_text(path: Path, content: bytes, rows_of: Rows = every_line) -> list[LevelText]:
    """The levels of a file's content in their order; raises BadLevel."""
    try:
        text = text_of_puzzle_file(content)
    except FormatError as error:
        raise bad_level(path, error.line or 1, error.what) from None
    reader = _Reader(path)
    for kind, run in groupby(_lines(text, rows_of), itemgetter(0)):
        reader.take(kind, [line for _, line in run])
    for name, (_, line) in reader.above.values.items():
        raise bad_level(path, line, f"no level follows this {name}: write it above its level")
    return reader.levels


def _lines(text: str, rows_of: Rows) -> Iterator[tuple[str, Line]]:
    """Each line, or each row that it holds, after its kind: rows, goal, empty, comment or words."""
    every = _COMMENT.sub(_skipped, "\n".join(text.splitlines())).split("\n")
    for number, line in enumerate(every, 1):
        words = line.strip()
        comment = words.startswith((";", "'"))
        if line == _SKIPPED:
            continue
        if words.lower() == "goal":
            yield "goal", (number, words)
        elif rows := [] if comment else rows_of(line):
            yield from (("rows", (number, row)) for row in rows)
        elif comment and (words := words.strip(";' ")):
            yield "comment", (number, words)
        else:
            yield "words" if words else "empty", (number, words)


def _skipped(comment: re.Match[str]) -> str:
    """As many lines, of which the first one alone is taken."""
    return "comment:" + f"\n{_SKIPPED}" * comment[0].count("\n")


@dataclass(slots=True)
class _Reader:
    """Takes a file by runs of lines of a kind."""

    path: Path
    levels: list[LevelText] = field(default_factory=list)
    above: Words = field(default_factory=Words)  # of the level that comes
    author: str = ""  # of all levels, by the head of the file
    goal: bool = False  # True if the next grid is the goal of the last level
    former: str = ""  # the kind of the run before

    def take(self, kind: str, run: Sequence[Line]) -> None:
        """Take a run. Words right under a grid belong to its level, others to the next one."""
        if kind == "rows":
            self._take_grid(run)
        elif kind == "goal":
            if not self.levels or self.levels[-1].goal:
                wrong = (
                    "the level has two goals" if self.levels else "a goal must come after its level"
                )
                raise bad_level(self.path, run[0][0], wrong)
            self.goal = True
        elif kind == "empty":
            if not self.levels:
                self.author = self.above.author or self.author
        else:
            under = (kind, self.former) == ("words", "rows")
            about = self.levels[-1].words if under else self.above
            if self.former == "empty":
                about.first = ""
            for number, words in run:
                about.take(self.path, number, words, comment=kind == "comment")
        self.former = kind

    def _take_grid(self, run: Sequence[Line]) -> None:
        numbers, rows = zip(*run, strict=True)
        grid = Grid(self.path, rows, numbers)
        if grid.width * len(rows) > MOST_CELLS:
            raise grid.fault(f"the level has more than {MOST_CELLS:,} cells")
        if self.goal:
            self.levels[-1].goal = grid
            self.goal = False
            return
        if len(self.levels) == MOST_LEVELS:
            raise grid.fault(f"the file has more than {MOST_LEVELS:,} levels; cut it into several")
        about = self.above
        about.title = about.title or about.first
        about.author = about.author or self.author
        self.levels.append(LevelText(about, grid))
        self.above = Words()
