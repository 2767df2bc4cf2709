"""A file of a definition, and the family that it gives."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from puzzlebase import hooks
from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.definition import PATTERN, Definition
from puzzlebase.plugins.definitions.goal_sets import GoalSets
from puzzlebase.plugins.definitions.moves import all_moves, some_moves
from puzzlebase.plugins.definitions.puzzle import Draw, patterns_of, puzzle_of
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.file_texts import text_of_puzzle_file
from puzzlebase.puzzles.contract.errors import UnknownPuzzle
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import Family, Puzzle
from puzzlebase.puzzles.files import (
    DRAWING,
    FormatError,
    InvalidDefinition,
    content_of_puzzle_file,
    drawing_of_puzzle_file,
)

# after a file's name: only a generator and its inverse are moves, or a generator alone
QUARTER, FORWARD = "-quarter", "-forward"
MOVES = "+"  # before each move of a puzzle that has only some

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_PLACE = 200  # after ours
_LONGEST_NAME = 150  # of a puzzle with some moves: a file's name has its goal besides


@dataclass(frozen=True)
class DefinitionFile:
    """A file of a definition."""

    path: Path

    @property
    def name(self) -> str:
        """The puzzle's name: the file's without its ending."""
        return self.path.stem.removesuffix(".kpuzzle").removesuffix(".def")

    @property
    def definition(self) -> Definition:
        """The definition; raises InvalidDefinition, also for a wrong drawing."""
        return self._content[0]

    @property
    def error(self) -> InvalidDefinition | None:
        """The error of a file that cannot be read."""
        return self._found if isinstance(self._found, InvalidDefinition) else None

    @property
    def _content(self) -> tuple[Definition, Draw | None]:
        if isinstance(self._found, InvalidDefinition):
            raise self._found.again()
        return self._found

    @cached_property
    def _found(self) -> tuple[Definition, Draw | None] | InvalidDefinition:
        """The definition and the maker of its drawing,
        or their error: a file is read once, right or wrong.
        """
        path = self.path
        try:
            definition = self._read()
            path = drawing_of_puzzle_file(self.path)
            drawing = self._drawing
            read = hooks.find("drawings", DRAWING) if drawing is not None else None
            return definition, read(drawing, definition) if read else None
        except FormatError as refused:
            where = f", line {refused.line}" if refused.line else ""
            return InvalidDefinition(
                f"{path}{where}: {refused.what}", f"expected: {refused.expected}"
            )
        except OSError as error:
            return InvalidDefinition(
                f"{path}: {error.strerror}", "take a text file that is shorter and may be read"
            )
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever the reader of a plugin does
            what = f"{path}: {type(error).__name__}: {shorten(str(error))}"
            return InvalidDefinition(what, "mend the plugin that reads it")

    def _read(self) -> Definition:
        if not _NAME.fullmatch(self.name) or self.name.endswith(QUARTER):
            raise FormatError(
                f"{self.name!r} is no name of a puzzle",
                "a file named with letters, digits, - and _, at most 60, that does not "
                f"end in {QUARTER}",
            )
        read: Callable[[str], Definition] | None = hooks.find("readers", self.path.suffix.lower())
        if not read:
            endings = ", ".join(hooks.plugin_references("readers"))
            raise FormatError("this is no definition by its name", f"a name that ends in {endings}")
        found = read(self._text)
        GoalSets(Texts(found), all_moves(found), Goal("solved", ())).check()
        if found.patterns and found.is_large and (patterns := patterns_of(self.name, found)):
            _ = patterns.chosen  # which raises FormatError
        return found

    @property
    def rules(self) -> str:
        """A digest of both texts, 16 hexadecimal digits; raises FormatError and OSError."""
        return hashlib.blake2b(
            repr((self._text, self._drawing)).encode(), digest_size=8
        ).hexdigest()

    @cached_property
    def _text(self) -> str:
        """The text, in Latin-1 if it is no UTF-8: this changes words for people alone."""
        content = content_of_puzzle_file(self.path)
        try:
            return text_of_puzzle_file(content)
        except FormatError:
            return content.decode("latin-1")

    @cached_property
    def _drawing(self) -> str | None:
        beside = drawing_of_puzzle_file(self.path)
        return text_of_puzzle_file(content_of_puzzle_file(beside)) if beside.exists() else None

    def puzzle(self, name: str) -> Puzzle:
        """Make the puzzle of a name; raise UnknownPuzzle for a missing move or pattern.

        The name of the puzzle has its moves in the order of the file.
        """
        if len(name) > _LONGEST_NAME:
            raise UnknownPuzzle(
                f"{shorten(name)!r} is no name of a puzzle", f"at most {_LONGEST_NAME} characters"
            )
        whole, _, number = name.partition(PATTERN)
        whole, title, definition = self.with_moves(whole)
        if not number:
            return replace(puzzle_of(whole, definition, self._content[1]), title=title)
        patterns = patterns_of(whole, definition)
        coarse: Definition | None = patterns.numbered(number) if patterns else None
        if coarse is None:
            raise UnknownPuzzle(
                f"there is no puzzle {name!r}",
                f"puzzlebase check {self.path} names its patterns, which follow from "
                "PUZZLEBASE_PATTERN_MEMORY",
            )
        return puzzle_of(f"{whole}{PATTERN}{number}", coarse)

    def with_moves(self, name: str) -> tuple[str, str, Definition]:
        """The name, the title and the definition of a puzzle by its metric and moves;
        raises UnknownPuzzle.
        """
        metric, *words = name.split(MOVES)
        title, definition = self.definition.title or self.name, self.definition
        if metric.endswith(QUARTER):
            title, definition = f"{title}, turned step by step", definition.quarter
        if metric.endswith(FORWARD):
            title, definition = f"{title}, in one direction", replace(definition, forward=True)
        if words:
            words, definition = some_moves(definition, words)
            title += f", only with {', '.join(words)}" if words else ""
        return MOVES.join([metric, *words]), title, definition

    @cached_property
    def family(self) -> Family:
        """The family of the puzzle in both metrics,
        with all or some moves; raises InvalidDefinition.
        """
        quarters = len(all_moves(self.definition)) > len(all_moves(self.definition.quarter))
        names = (self.name, self.name + QUARTER) if quarters else (self.name,)
        return Family(
            name=self.name,
            title=self.definition.title or self.name,
            pattern=re.compile(
                f"(?:{'|'.join(map(re.escape, (*names, self.name + FORWARD)))})"
                f"(?:[{MOVES}][^{PATTERN}]*)?(?:{PATTERN}p[1-9])?"
            ),
            template=" or ".join(names),
            members=names,
            make=self.puzzle,
            place=_PLACE,
            rules=self.rules,
            unused=tuple(f"{self.path}: {each}" for each in self.definition.unused),
        )
