"""The job of an oracle: it is asked for what is published, and may write a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.publishing import STARTS_ANEW, BuildError, failures
from puzzlebase.builder.verify import agree
from puzzlebase.plugins.methods.record import NotProved, Oracle


@dataclass(frozen=True)
class OracleJob(Job):
    """An oracle to ask for every published distance; it needs no file."""

    certificate: bool = False  # the oracle's own certificate: a verification also writes it to a file, and checks it

    @property
    def path(self) -> Path:
        """The file of the certificate."""
        return self.data / f"{self.puzzle.name}.certificate"

    @property
    def oracle(self) -> Oracle:
        """The puzzle's oracle; raises BuildError if it has none."""
        oracle = self.puzzle.engine(Oracle)
        if oracle is None:
            raise BuildError(f"{self.puzzle.name} has no oracle", "build its table")
        return oracle

    def build(self) -> Path:
        """Ask the oracle as `verify` does, since there is nothing to build."""
        self._make()
        return self.path

    def _make(self) -> None:
        self.report.say(self.verify())

    def verify(self) -> str:
        """Ask the oracle for every published distance and return the result in words; raises as Job.verify does."""
        puzzle = self.puzzle
        goals = self.report.phase("goals and published distances", len(puzzle.goals), "goals")
        with goals as phase:
            for goal in puzzle.goals:
                solver = self.oracle.load(goal)
                agree(f"distances of the goal {goal.name}", [0] * len(goal.states), solver.distances(goal.states))
                if goal.published and goal.published.start_distance is not None:
                    what = f"distance from the start of {goal.name} published in {goal.published.source}"
                    agree(what, goal.published.start_distance, solver.distance(goal.start))
                phase.advance(1)
        if self.certificate:
            return "\n".join(self.certify(self.path))
        return f"{puzzle.name} needs no file: its oracle gives every published distance"

    def certify(self, path: Path) -> list[str]:
        """Write the oracle's certificate to a file, have it checked and return its proofs; raises VerificationError."""
        report = self.report
        if self.oracle.certify is None:
            raise VerificationError(f"the oracle of {self.puzzle.name} has no certificate")
        try:
            with failures(path, report, STARTS_ANEW), report.phase("certificate of the oracle", 1, "certificate"):
                path.parent.mkdir(parents=True, exist_ok=True)
                return [*self.oracle.certify(path)]
        except NotProved as error:
            raise VerificationError(f"{error}; {error.hint}") from error
