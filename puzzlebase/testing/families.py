"""Tests of a family of puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import ClassVar

from rich.console import Console

from puzzlebase.builder import Reporter, TableJob
from puzzlebase.puzzles import Family, Goal, Puzzle
from puzzlebase.testing.puzzles import laws_of


class FamilyLaws:
    """A subclass names a family; the laws are tested for its first members."""

    family: ClassVar[Family]
    members: ClassVar[int] = 2
    """The number of members that are tested."""

    @property
    def cases(self) -> Iterator[tuple[Puzzle, Goal]]:
        """Each goal of the members."""
        for name in self.family.members[: self.members]:
            puzzle = self.family.make(name)
            for goal in puzzle.goals:
                yield puzzle, goal

    def test_names_match_the_pattern(self) -> None:
        """The family's pattern matches the names of its puzzles,
        and each makes the puzzle of this name.
        """
        for name in self.family.members:
            assert self.family.pattern.fullmatch(name)
        assert [puzzle.name for puzzle, goal in self.cases if goal is puzzle.goals[0]] == [
            *self.family.members[: self.members]
        ]

    def test_puzzles_obey_the_laws(self) -> None:
        """Every law holds for every goal."""
        for puzzle, goal in self.cases:
            for law in laws_of(puzzle):
                law(puzzle, goal)

    def test_a_table_is_built_and_proven(self, tmp_path: Path) -> None:
        """The first member has a table,
        which agrees with the numbers that the goal says are published.
        """
        puzzle, goal = next(self.cases)
        job = TableJob(puzzle, goal, tmp_path, report=Reporter(Console(file=StringIO())))
        job.build()
        job.verify()
