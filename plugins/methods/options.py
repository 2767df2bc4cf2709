"""The options of `build` and `verify` for oracles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.builder.job import Job
    from puzzlebase.puzzles import Puzzle

_REFUSED = {
    "depth": "the oracle of {}",
    "layers": "the oracle of {}, which is checked in full",
}


@dataclass(frozen=True)
class OracleOptions:
    """The values of the options of `build` and `verify` for oracles."""

    oracle: bool
    certificate: bool = False

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """The maker of the oracle's job in place of `make`, if an option asks for it or it comes before a table."""
        from puzzlebase.plugins.methods.job import OracleJob
        from puzzlebase.plugins.methods.record import Oracle

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
