"""The options of `build` and `verify` for oracles. They load no library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from puzzlebase.builder import Job
from puzzlebase.command_line import options
from puzzlebase.command_line.jobs import refuse
from puzzlebase.puzzles import Puzzle
from puzzlebase.tools.methods.job import OracleJob
from puzzlebase.tools.methods.record import Oracle

_REFUSED = {
    "depth": "the oracle of {}",
    "sample": "the oracle of {}, which is checked in full",
    "layers": "the oracle of {}, which is checked in full",
}


@dataclass(frozen=True)
class OracleOptions:
    """The values of the options."""

    oracle: bool
    certificate: bool = False

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """What makes the job of the oracle in place of `make`, if it is asked for or comes before a table."""
        asked = self.oracle or self.certificate
        if asked and puzzle.engine(Oracle) is None:
            raise click.UsageError(f"{puzzle.name} has no oracle; leave the option out for its table")
        if not asked and not isinstance(next(iter(puzzle.engines), None), Oracle):
            return make
        refuse(_REFUSED, puzzle)
        return partial(OracleJob, certificate=self.certificate)


def _oracle(help: str) -> Any:  # noqa: A002 -- as click calls it
    return click.option("--oracle", is_flag=True, help=help)


BUILD = options.Added(
    OracleOptions,
    (_oracle("Build the data of the puzzle's oracle, if it has one, not the table."),),
    "With --oracle, build the data of the puzzle's oracle; where a puzzle is too large for a table, this is what is "
    "built without --oracle too.",
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
