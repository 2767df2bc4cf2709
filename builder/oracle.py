"""The data that a puzzle's oracle answers from: built and verified. Of an oracle that needs none, its answers are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.preflight import Estimate, estimate_oracle
from puzzlebase.builder.publishing import STARTS_ANEW, BuildError, failures, held, unpublished
from puzzlebase.builder.verify import agree
from puzzlebase.db.blobs import BlobsFile, BlobsWriter
from puzzlebase.db.paths import oracle_path
from puzzlebase.puzzles import Oracle
from puzzlebase.puzzles.contract.errors import NotProved


@dataclass(frozen=True)
class OracleJob(Job):
    """An oracle's data, for all goals of its puzzle, to build or to verify.

    With `certificate` a verification also writes the oracle's own certificate beside the file, and has it checked.
    """

    certificate: bool = False

    @property
    def path(self) -> Path:
        """The file of the data."""
        return oracle_path(self.data, self.puzzle.name)

    @property
    def oracle(self) -> Oracle:
        """The puzzle's oracle; raises BuildError where it has none."""
        oracle = self.puzzle.engine(Oracle)
        if oracle is None:
            raise BuildError(f"{self.puzzle.name} has no oracle", "build its table")
        return oracle

    @property
    def needs_data(self) -> bool:
        """True if the oracle answers from data."""
        return bool(self.oracle.needs(self.puzzle.name, self.goal))

    def estimate(self) -> Estimate:
        """What a build needs, and what there is."""
        needed = estimate_oracle(self.path)
        return needed if self.needs_data else replace(needed, memory=0, disk=0, seconds=0.0)

    def build(self) -> Path:
        """Build the data as Job.build does. For an oracle that needs none, only ask it for every published distance."""
        if self.needs_data:
            return super().build()
        self.report.say(self.verify())
        return self.path

    def verify(self) -> str:
        """Ask the oracle for every published distance and return what that has shown; raises as Job.verify does."""
        if self.needs_data:
            self._check(self.path)
        else:
            self._ask({}, nullcontext)
        if self.certificate:
            return "\n".join(self.certify(self.path.with_suffix(".certificate")))
        if self.needs_data:
            return f"{self.path} is sound: it gives every published distance"
        return f"{self.puzzle.name} needs no file: its oracle gives every published distance"

    def certify(self, path: Path) -> list[str]:
        """Write the oracle's certificate to a file and have it checked; returns what it proves, line by line.

        Raises VerificationError.
        """
        if self.oracle.certify is None:
            raise VerificationError(f"the oracle of {self.puzzle.name} has no certificate")
        try:
            with (
                failures(path, self.report, STARTS_ANEW),
                self.report.phase("certificate of the oracle", 1, "certificate"),
            ):
                return [*self.oracle.certify(path)]
        except NotProved as error:
            raise VerificationError(str(error)) from error

    def _make(self) -> None:
        with held(self.path), unpublished(self.path) as unfinished:
            with self.report.phase("oracle", 1, "puzzle"):
                blobs = self.oracle.make()
            with BlobsWriter(unfinished) as writer:
                writer.finish(self.puzzle.name, blobs)
            self._check(unfinished)

    def _check(self, path: Path) -> None:
        """Read the data back and ask the oracle for the distances that are known."""
        puzzle = self.puzzle
        with BlobsFile(path) as file:
            agree("puzzle", puzzle.name, file.puzzle)
            self._ask(file.blobs(), file.damage)

    def _ask(self, blobs: Mapping[str, bytes], damage: Callable[[], AbstractContextManager[None]]) -> None:
        """Ask the oracle for the distances that are known; `damage` holds what loading the blobs may raise."""
        puzzle = self.puzzle
        with self.report.phase("goals and published distances", len(puzzle.goals), "goals") as phase:
            for goal in puzzle.goals:
                with damage():
                    solver = self.oracle.load(blobs, goal)
                agree(f"distances of the goal {goal.name}", [0] * len(goal.states), solver.distances(goal.states))
                if goal.published and goal.published.start_distance is not None:
                    what = f"distance from the start of {goal.name} published in {goal.published.source}"
                    agree(what, goal.published.start_distance, solver.distance(goal.start))
                phase.advance(1)
