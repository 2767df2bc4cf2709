"""The option --certificate of `verify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.builder.job import Job
    from puzzlebase.puzzles import Puzzle


@dataclass(frozen=True)
class Certificate:
    """The value of the option."""

    certificate: bool

    def instead_of(self, make: Callable[..., Job], _puzzle: Puzzle) -> Callable[..., Job]:
        """The maker of the job, unchanged; raises UsageError with the option."""
        if self.certificate:
            raise click.UsageError(
                "the certificate of Panex is found and checked by a program that is not installed: "
                "python -m research.panex_theorem 34, at the top of a clone"
            )
        return make


CERTIFICATE = options.Added(
    Certificate, (click.option("--certificate", is_flag=True, help="Tell where the proof of Panex's oracle is."),)
)
