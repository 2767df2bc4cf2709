"""The options of `build` for a cluster.
Nothing else of this folder is imported unless one is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line.options import Added

if TYPE_CHECKING:
    from puzzlebase.builder import Job
    from puzzlebase.puzzles import Puzzle


@dataclass(frozen=True)
class ClusterOptions:
    """The values of the options."""

    address: str | None
    workers: int | None

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """Return the maker of a job on a cluster if an option was given,
        else `make`. Only tables can be built so.
        """
        from puzzlebase.builder import TableJob

        if self.address is None:
            if self.workers is not None:
                raise click.UsageError("--cluster-workers goes with --cluster ADDRESS")
            return make
        if make is not TableJob:
            raise click.UsageError(
                f"--cluster builds whole tables, and this is none of {puzzle.name}; leave it out"
            )
        try:
            from puzzlebase.plugins.cluster.driver import engine_of
            from puzzlebase.plugins.cluster.machines import connect
        except ModuleNotFoundError as error:
            if error.name != "ray":
                raise
            remedy = "pip install 'puzzlebase[cluster]'"
            raise click.UsageError(
                f"--cluster needs Ray, which is not installed: {remedy}"
            ) from None
        connect(self.address, self.workers)
        return partial(TableJob, engine=partial(engine_of, self.workers))


ADDED = Added(
    ClusterOptions,
    (
        click.option(
            "--cluster",
            "address",
            metavar="ADDRESS",
            help="Build on the Ray cluster at this address, or start one here with `local`.",
        ),
        click.option(
            "--cluster-workers",
            "workers",
            type=click.IntRange(1, 4096),
            help="Parts to divide a build on a cluster into. The default is one for each "
            "processor of the cluster.",
        ),
    ),
)
