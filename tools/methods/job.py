"""The data of a puzzle's oracle, built and verified; an oracle without data is only asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.preflight import PROGRAM, SMALL_FILE, Estimate, free_disk
from puzzlebase.builder.publishing import STARTS_ANEW, BuildError, failures, held, unpublished
from puzzlebase.builder.verify import agree
from puzzlebase.command_line import options
from puzzlebase.db.blobs import BlobsFile, BlobsWriter
from puzzlebase.machine import spare_memory
from puzzlebase.paths import oracle_path
from puzzlebase.puzzles import Puzzle
from puzzlebase.tools.methods.record import NotProved, Oracle

_SECONDS = 5.0  # time of a build, measured on the existing oracles
_REFUSED = {
    "depth": "the oracle of {}",
    "sample": "the oracle of {}, which is checked in full",
    "layers": "the oracle of {}, which is checked in full",
}


@dataclass(frozen=True)
class OracleJob(Job):
    """An oracle's data, for all goals of its puzzle, to build or to verify."""

    certificate: bool = False  # the oracle's own certificate: a verification also writes it to this file, and checks it

    @property
    def path(self) -> Path:
        """The file of the data."""
        return oracle_path(self.data, self.puzzle.name)

    @property
    def oracle(self) -> Oracle:
        """The puzzle's oracle; raises BuildError if it has none."""
        oracle = self.puzzle.engine(Oracle)
        if oracle is None:
            raise BuildError(f"{self.puzzle.name} has no oracle", "build its table")
        return oracle

    @property
    def needs_data(self) -> bool:
        """True if the oracle answers from data."""
        return bool(self.oracle.needs(self.puzzle.name, self.goal))

    def estimate(self) -> Estimate:
        """The needs of a build, beside what is free."""
        memory, disk, seconds = (PROGRAM, SMALL_FILE, _SECONDS) if self.needs_data else (0, 0, 0.0)
        return Estimate("oracle", None, None, memory, disk, seconds, spare_memory(), free_disk(self.path))

    def build(self) -> Path:
        """Build the data as Job.build does. An oracle without data is only asked for every published distance."""
        if self.needs_data:
            return super().build()
        self.report.say(self.verify())
        return self.path

    def verify(self) -> str:
        """Ask the oracle for every published distance and return the result in words; raises as Job.verify does."""
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
        """Write the oracle's certificate to a file, have it checked and return its proofs; raises VerificationError."""
        report = self.report
        if self.oracle.certify is None:
            raise VerificationError(f"the oracle of {self.puzzle.name} has no certificate")
        try:
            with failures(path, report, STARTS_ANEW), report.phase("certificate of the oracle", 1, "certificate"):
                return [*self.oracle.certify(path)]
        except NotProved as error:
            raise VerificationError(f"{error}; {error.hint}") from error

    def _make(self) -> None:
        with held(self.path), unpublished(self.path) as unfinished:
            with self.report.phase("oracle", 1, "puzzle"):
                blobs = self.oracle.make()
            with BlobsWriter(unfinished) as writer:
                writer.finish(self.puzzle.name, blobs)
            self._check(unfinished)

    def _check(self, path: Path) -> None:
        """Read the data back and ask the oracle for the known distances."""
        puzzle = self.puzzle
        with BlobsFile(path) as file:
            agree("puzzle", puzzle.name, file.puzzle)
            self._ask(file.blobs, file.damage)

    def _ask(self, blobs: Mapping[str, bytes], damage: Callable[[], AbstractContextManager[None]]) -> None:
        """Ask the oracle for the known distances; `damage` translates the errors of damaged blobs."""
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
    (_oracle("Build the data of the puzzle's oracle, if it has one, not the table."),),
    "With --oracle, build the data of the puzzle's oracle. If a puzzle is too large for a table, they are built "
    "without the option.",
)
VERIFY = options.Added(
    OracleOptions,
    (
        _oracle("Check the data of the puzzle's oracle, not the table."),
        click.option(
            "--certificate", is_flag=True, help="Also write the oracle's own certificate, and have it checked."
        ),
    ),
)
