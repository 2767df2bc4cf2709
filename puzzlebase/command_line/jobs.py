"""What `build` and `verify` work on: a table, layers, the tables of patterns, or what a tool puts in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click
from click.core import ParameterSource

from puzzlebase.builder import Job, LayersJob, PatternsJob, TableJob
from puzzlebase.puzzles import Puzzle

_OF_ENGINE: dict[str, type[Job]] = {"patterns": PatternsJob}
"""By the kind of a puzzle's first engine; tables for all others."""


def maker_of(puzzle: Puzzle, added: Iterable[Any], *, layers: bool) -> Callable[..., Job]:
    """What makes the job: of a table, or of what a puzzle has that is too large for one. `added` are tools' options.

    Options that this kind of job does not have are refused.
    """
    first = puzzle.engines[0].kind if puzzle.engines else ""
    make: Callable[..., Job] = LayersJob if layers else _OF_ENGINE.get(first, TableJob)
    for each in added:
        make = each.instead_of(make, puzzle)
    if make is LayersJob:
        refuse({"force": "layers, which are found as far as memory goes"}, puzzle)
    return make


def refuse(options: Mapping[str, str], puzzle: Puzzle) -> None:
    """Raise UsageError for one of these options that is given; each has a name of what it does not go with."""
    for option, what in options.items():
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{option} does not go with {what.format(puzzle.name)}; leave it out")


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None and value is not False}
