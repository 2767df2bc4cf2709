"""The place of patterns in `build` and `verify`, which have no options for them."""

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
class PatternOptions:
    """No options: the puzzle decides."""

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """Return the maker of the tables of patterns in place of a table's,
        if patterns answer; else `make`.
        """
        from puzzlebase.builder import LayersJob, TableJob
        from puzzlebase.plugins.patterns.job import job_of, searched

        if make is LayersJob or not searched(puzzle):
            return make
        if make is not TableJob:
            raise click.UsageError(
                f"{puzzle.name} is searched with patterns: build their tables one by one, by name"
            )
        return job_of


ADDED = options.Added(PatternOptions, ())
