"""The verb measures: the measures that a family's experiments take of a state."""

from __future__ import annotations

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Puzzle
from puzzlebase.puzzles.discovery import extra_of
from puzzlebase.service.answers.text import aligned, number
from puzzlebase.service.error_status import InvalidRequest


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@options.as_json
def verb(puzzle: Puzzle, state: str, as_json: bool) -> None:
    """Measure a state by the heuristics of a published experiment.

    For quantum boards these are the five of Adams' paper.
    """
    measures = extra_of(puzzle, "measures")
    if measures is None:
        raise InvalidRequest(f"{puzzle.name} has no measures", "quantum boards have them")
    found: dict[str, int] = measures(puzzle, state)
    show(Shown(found, lambda _: aligned([(name, number(value)) for name, value in found.items()], [1])), as_json)
