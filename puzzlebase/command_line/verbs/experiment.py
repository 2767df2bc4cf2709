"""Published experiments, run again."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Family
from puzzlebase.service.answers import experiments, text


@click.command()
@click.argument(
    "family",
    callback=lambda _context, _parameter, name: experiments.family_of(name),
    shell_complete=completion.experiments,
)
@click.option("--boards", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Boards of each kind.")
@click.option(
    "--seed", type=click.IntRange(0, 2**53), default=1, show_default=True, help="Equal seeds draw equal boards."
)
@options.chart_file("--chart", "--svg", help="File for a chart of the moves that each method needs, .svg or .png.")
@options.as_json
def verb(family: Family, boards: int, seed: int, chart: Path | None, as_json: bool) -> None:
    """Run a published experiment again, and put today's solver beside it. FAMILY is quantum."""
    found = _run(family, boards, seed)
    if chart:
        from puzzlebase.research.charts.answers import of_experiment
        from puzzlebase.research.charts.drawing import write_chart

        write_chart(of_experiment(found), chart)
    show(Shown(found, text.experiment), as_json)


def _run(family: Family, boards: int, seed: int) -> experiments.ExperimentAnswer:
    """Run it, with a bar of how far it is where there is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"{family.name}: {boards:,} boards of each kind", total=1.0)
        return experiments.experiment(family, boards, seed, lambda part: bar.update(task, completed=part))
