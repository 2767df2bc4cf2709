"""A job: what to build or verify, and where. Each kind of file has its own: TableJob, LayersJob, PatternsJob."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from puzzlebase.builder.preflight import Estimate
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import CONTINUES, STARTS_ANEW, failures
from puzzlebase.builder.threads import default_threads
from puzzlebase.puzzles import Goal, Puzzle, Space


@dataclass(frozen=True)
class Job(ABC):
    """A file of a puzzle to build or to verify: the one for `goal` in the folder `data`. `version` goes into the log.

    With `force` the file is built although memory or disk seem too small.
    """

    puzzle: Puzzle
    goal: Goal
    data: Path
    version: str = ""
    threads: int = field(default_factory=default_threads)
    report: Reporter = field(default_factory=Reporter)
    force: bool = field(default=False, kw_only=True)

    resumes: ClassVar[bool] = False
    """Whether a build that was stopped continues when it is run again; else it starts anew."""

    @property
    @abstractmethod
    def path(self) -> Path:
        """The file."""

    @cached_property
    def space(self) -> Space:
        """The puzzle's states, relative to the goal; raises NoSpace."""
        return self.puzzle.space(self.goal)

    @abstractmethod
    def estimate(self) -> Estimate:
        """What a build needs, and what there is."""

    def build(self) -> Path:
        """Build, verify and publish the file, and return its path.

        It takes its name only when all of it has been verified. Raises Shortage, VerificationError, BuildError.
        """
        with failures(self.path, self.report, CONTINUES if self.resumes else STARTS_ANEW):
            self.data.mkdir(parents=True, exist_ok=True)
            self._prepare()
            needed = self.estimate()
            self.report.say(needed.describe())
            if not self.force:
                needed.check(self.puzzle.name)
            self._make()
        return self.path

    def _prepare(self) -> None:  # noqa: B027 (an oracle has nothing to prepare)
        """Make what the estimate looks at."""

    @abstractmethod
    def _make(self) -> None:
        """Write the file, verify it and publish it."""

    @abstractmethod
    def verify(self) -> str:
        """Check the file and return what that has shown; raises VerificationError, MissingTable and DamagedTable."""
