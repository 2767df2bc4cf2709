"""The part of an oracle in `build` and `verify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
class OracleFirst:
    """Chooses the job of an oracle that comes before a table."""

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """The maker of the oracle's job in place of `make`, if the puzzle has one."""
        from puzzlebase.plugins.methods.job import OracleJob
        from puzzlebase.plugins.methods.record import Oracle

        if not isinstance(next(iter(puzzle.engines), None), Oracle):
            return make
        options.refuse(_REFUSED, puzzle)
        return OracleJob


def _say_where(_context: click.Context, _parameter: click.Parameter, certificate: bool) -> None:
    if certificate:
        raise click.UsageError(
            "the certificate of Panex is found and checked by a program that is not installed: "
            "python -m research.panex_theorem 34, at the top of a clone"
        )


CERTIFICATE = click.option(
    "--certificate",
    is_flag=True,
    expose_value=False,
    callback=_say_where,
    help="Tell where the proof of Panex's oracle is.",
)
ORACLE = options.Added(OracleFirst, ())
VERIFIED_ORACLE = options.Added(OracleFirst, (CERTIFICATE,))
