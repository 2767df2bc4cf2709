"""How far states are from solved."""

from __future__ import annotations

import sys
from functools import partial

import click
import orjson

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown
from puzzlebase.command_line.sources import FEW_BLOCKS, searching
from puzzlebase.db.packed import DEFAULT_MEMORY
from puzzlebase.kernels import interpreted
from puzzlebase.service.answers import lookups, text
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.sources.source import Source


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("states", nargs=-1, required=True, callback=options.refuse_options)
@click.option("--moves/--no-moves", default=None, help="Show every move. The default is to do so for a single state.")
@partial(searching, memory=lambda given: FEW_BLOCKS if _single(given["states"]) else DEFAULT_MEMORY)
def verb(source: Source, states: tuple[str, ...], moves: bool | None) -> Shown:
    """Show how far STATES are from solved and, for a single state, every move, best first.

    "-" in place of the states reads them from standard input, one per line. The exit status is 1
    if one of several states cannot be looked up.
    """
    if _single(states) and moves is not False:
        with interpreted():
            return Shown(lookups.lookup(source, states[0]), text.lookup)
    many = [line.strip() for line in sys.stdin] if states == ("-",) else list(states)
    found = lookup_batch(source, many, moves=bool(moves))
    results = orjson.loads(found)
    failed = any("problem" in result for result in results["results"])
    return Shown(found, lambda _: text.batch(results), failed=failed)


def _single(states: tuple[str, ...]) -> bool:
    return len(states) == 1 and states[0] != "-"
