"""What `build` and `verify` work on: a table, layers, the tables of patterns or an oracle's data."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from puzzlebase.builder import Job, LayersJob, OracleJob, PatternsJob, TableJob
from puzzlebase.puzzles import Puzzle


def kind_of(puzzle: Puzzle, *, layers: bool, oracle: bool) -> type[Job]:
    """What to build or verify: a table, or what a puzzle that is too large for one has: an oracle, or patterns.

    Options that this kind of job does not have are refused.
    """
    engines = [engine.kind for engine in puzzle.engines]
    if oracle and "oracle" not in engines:
        raise click.UsageError(f"{puzzle.name} has no oracle; leave the option out for its table")
    kind = _KINDS.get("oracle" if oracle else engines[0] if engines else "table", TableJob)
    kind = LayersJob if layers and kind is not OracleJob else kind
    for option, what in _REFUSED.get(kind, {}).items():
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{option} does not go with {what.format(puzzle.name)}; leave it out")
    return kind


_KINDS: dict[str, type[Job]] = {"table": TableJob, "patterns": PatternsJob, "oracle": OracleJob}


_REFUSED: dict[type[Job], dict[str, str]] = {
    LayersJob: {"force": "layers, which are found as far as memory goes"},
    OracleJob: {
        "depth": "the oracle of {}",
        "sample": "the oracle of {}, which is checked in full",
        "layers": "the oracle of {}, which is checked in full",
    },
}
"""The options that a kind of job does not have, and how it is named to a user who gives one."""


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None and value is not False}
