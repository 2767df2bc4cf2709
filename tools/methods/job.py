"""The job of an oracle: it is asked for what is published, and may write a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.publishing import STARTS_ANEW, BuildError, failures
from puzzlebase.builder.verify import agree
from puzzlebase.command_line import options
from puzzlebase.puzzles import RANKING_TABLES, Puzzle
from puzzlebase.tools.methods.record import NotProved, Oracle

_REFUSED = {
    "depth": "the oracle of {}",
    "layers": "the oracle of {}, which is checked in full",
}


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
        with goals as phase, RANKING_TABLES.stored_in(self.mapped.numberings):
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
                return [*self.oracle.certify(path)]
        except NotProved as error:
            raise VerificationError(f"{error}; {error.hint}") from error


@dataclass(frozen=True)
class OracleOptions:
    """The values of the options of `build` and `verify` for oracles."""

    oracle: bool
    certificate: bool = False

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """The maker of the oracle's job in place of `make`, if an option asks for it or it comes before a table."""
        asked = self.oracle or self.certificate
        if asked and puzzle.engine(Oracle) is None:
            raise click.UsageError(f"{puzzle.name} has no oracle; leave the option out for its table")
        if not asked and not isinstance(next(iter(puzzle.engines), None), Oracle):
            return make
        options.refuse(_REFUSED, puzzle)
        return partial(OracleJob, certificate=self.certificate)


def _oracle(help: str) -> Any:  # noqa: A002 -- as click calls it
    return click.option("--oracle", is_flag=True, help=help)


BUILD = options.Added(
    OracleOptions,
    (_oracle("Check the puzzle's oracle, if it has one; build no table."),),
    "With --oracle, check the puzzle's oracle by every published distance. If a puzzle is too large for a table, this "
    "is all that a build does.",
)
VERIFY = options.Added(
    OracleOptions,
    (
        _oracle("Check the puzzle's oracle, not the table."),
        click.option(
            "--certificate", is_flag=True, help="Also write the oracle's own certificate, and have it checked."
        ),
    ),
)
