"""A job: the file to build or to verify. Each kind of file has its own:
TableJob, LayersJob and those of plugins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from puzzlebase.builder.errors import CONTINUES, STARTS_ANEW, build_failures
from puzzlebase.builder.preflight import Estimate
from puzzlebase.builder.progress import Reporter
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.machine import processors
from puzzlebase.puzzles import Goal, Puzzle, Space
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES


@dataclass(frozen=True)
class Job(ABC):
    """The file of a puzzle and goal, in the folder `data`, to build or to verify."""

    puzzle: Puzzle
    goal: Goal
    data: Path
    version: str = ""  # for the log
    threads: int = field(default_factory=processors)
    report: Reporter = field(default_factory=Reporter)
    force: bool = field(default=False, kw_only=True)  # build although memory or disk seem too small
    # files for distances that a build reads back
    mapped: MappedFiles = field(default=NOT_MAPPED, kw_only=True)

    resumes: ClassVar[bool] = False  # True: a stopped build continues when it is run again

    @property
    @abstractmethod
    def path(self) -> Path:
        """The file."""

    @property
    def paths(self) -> Sequence[Path]:
        """All files, if there are several."""
        return (self.path,)

    @cached_property
    def space(self) -> Space:
        """The puzzle's states, relative to the goal; raises NoSpace."""
        with RANKING_TABLES.stored_in(self.mapped.numberings):
            return self.puzzle.space(self.goal)

    def texts(self, indices: list[int]) -> list[str]:
        """The states of indices as they are written."""
        return [self.puzzle.text(index, self.goal) for index in indices]

    def estimate(self) -> Estimate | None:
        """Estimate the memory, disk and time that a build needs beside what is free;
        None if nothing tells.
        """
        return None

    def build(self) -> Path:
        """Build, verify and publish the file, and return its path.
        Raises Shortage, VerificationError, BuildError.
        """
        with build_failures(self.path, self.report, CONTINUES if self.resumes else STARTS_ANEW):
            self.data.mkdir(parents=True, exist_ok=True)
            self._prepare()
            if needed := self.estimate():
                self.report.say(needed.describe())
                if not self.force:
                    needed.check(self.puzzle.name)
            self._make()
        return self.path

    def _prepare(self) -> None:  # noqa: B027 (an oracle has nothing to prepare)
        """Make the space or graph that the estimate reads."""

    @abstractmethod
    def _make(self) -> None:
        """Write the file, verify it and publish it."""

    @abstractmethod
    def verify(self) -> str:
        """Check the file and return the result in words;
        raises VerificationError, MissingTable and DamagedTable.
        """
