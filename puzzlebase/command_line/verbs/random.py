"""A random state, as hard as one wants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown
from puzzlebase.command_line.sources import searching
from puzzlebase.service.answers import random_states, random_turns, text
from puzzlebase.service.answers.difficulties import DIFFICULTIES
from puzzlebase.service.answers.random_turns import MAX_TURNS, WALKS
from puzzlebase.service.sources.source import Source


@dataclass(frozen=True)
class _Draw:
    """The options of `random`: how hard the state has to be, and the key that makes the draw repeatable."""

    distance: int | None
    min_distance: int | None
    max_distance: int | None
    percentile: float | None
    difficulty: str | None
    turns: int | None
    walk: str | None
    seed: str | None
    daily: date | None

    def __post_init__(self) -> None:
        ranged = self.min_distance is not None or self.max_distance is not None
        named = self.distance, self.percentile, self.difficulty, self.turns
        if ranged + sum(value is not None for value in named) > 1:
            raise click.UsageError("give only one of --distance, --min and --max, --percentile, --difficulty, --turns")
        if self.walk is not None and self.turns is None:
            raise click.UsageError("--walk goes with --turns")
        if self.seed is not None and self.daily is not None:
            raise click.UsageError("give only one of --seed and --daily")


@click.command()
@options.puzzle
@options.record(
    _Draw,
    "draw",
    click.option("--distance", type=click.IntRange(0), help="Exact distance from solved."),
    click.option("--min", "min_distance", type=click.IntRange(0), help="Min distance from solved."),
    click.option("--max", "max_distance", type=click.IntRange(0), help="Max distance from solved."),
    click.option(
        "--percentile", type=options.FiniteFloat(0, 100), help="Percentage of states that are at most as far."
    ),
    click.option("--difficulty", type=click.Choice([*DIFFICULTIES]), help="How hard the state should be, by name."),
    click.option("--turns", type=click.IntRange(0, MAX_TURNS), help="Random turns to make from solved."),
    click.option("--walk", type=click.Choice([*WALKS]), help="How each of the turns is drawn. The default is any."),
    click.option("--seed", help="Any text; equal seeds give equal states."),
    click.option("--daily", type=options.Day(["%Y-%m-%d"]), help="Draw the state of this day, or of today."),
)
@searching
def verb(source: Source, draw: _Draw) -> Shown:
    """Draw a random state, as hard as you want, with a scramble that leads to it."""
    key = random_states.key(draw.seed, draw.daily)
    if draw.turns is not None:
        return Shown(random_turns.random_turns(source, draw.turns, draw.walk or "any", key), text.random_state)
    found = random_states.random(
        source,
        min_distance=draw.min_distance if draw.distance is None else draw.distance,
        max_distance=draw.max_distance if draw.distance is None else draw.distance,
        percentile=draw.percentile,
        difficulty=draw.difficulty,
        key=key,
    )
    return Shown(found, text.random_state)
