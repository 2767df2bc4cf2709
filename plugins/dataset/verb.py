"""The verb dataset: states of a table with distances and optimal moves, as files for learning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle

_NUMBER = click.IntRange(1, 10**12)


@click.command()
@options.puzzle
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.goal
@click.option("--states", type=_NUMBER, help="Draw so many states, all equally likely.")
@click.option("--per-distance", type=_NUMBER, help="Draw so many states at each distance.")
@click.option("--texts", is_flag=True, help="Write the text of each state too.")
@options.with_default(
    "--seed", type=click.IntRange(0, 2**63), default=0, help="Number that draws and splits states."
)
@options.data_option
def verb(
    data: Path,
    puzzle: Puzzle,
    to: Path,
    goal: str | None,
    states: int | None,
    per_distance: int | None,
    texts: bool,
    seed: int,
) -> None:
    """Write states with their distances and optimal moves, for learning.

    FOLDER gets Parquet files for training, validation and tests, and a card that describes them.
    By default these are all states that can reach the goal.
    """
    from puzzlebase.builder.progress import Reporter
    from puzzlebase.plugins.dataset.publishing import Wanted, write_dataset
    from puzzlebase.service.sources.sources import Sources

    if states and per_distance:
        raise click.UsageError("give only one of --states and --per-distance")
    source = Sources(data).table(puzzle.name, goal)
    by: Literal["distance"] | None = "distance" if per_distance else None
    wanted = Wanted(states or per_distance, by, texts, seed)
    written = write_dataset(source, to, wanted, Reporter())
    click.echo(f"{to}: {written:,} states")
