"""Published experiments, run again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Family
from puzzlebase.service.answers.text import aligned
from puzzlebase.tools.experiments.answer import ExperimentAnswer, drawn, experiment, families, family_of


@click.command()
@click.argument(
    "family",
    callback=lambda _context, _parameter, name: family_of(name),
    shell_complete=lambda _context, _parameter, begun: [name for name in families() if name.startswith(begun)],
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
        options.chart_writer(chart)(chart, **drawn(found))
    show(Shown(found, _lines), as_json)


def _run(family: Family, boards: int, seed: int) -> ExperimentAnswer:
    """Run it, with a bar of how far it is where there is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"{family.name}: {boards:,} boards of each kind", total=1.0)
        return experiment(family, boards, seed, lambda part: bar.update(task, completed=part))


def _lines(answer: ExperimentAnswer) -> Iterator[str]:
    """A line for each number: the published one, ours with its range, and the present solver's."""
    yield f"{answer['source']}; {answer['boards']:,} boards of each kind, seed {answer['seed']}"
    rows: list[tuple[str, ...]] = [("figure", "board", "quantity", "published", "mean", "low", "high", "new", "")]
    for number in answer["numbers"]:
        values = (number["published"], number["mean"], number["low"], number["high"], number["new"])
        rounded = ("-" if value is None else f"{value:,.0f}" for value in values)
        outside = "outside" if number["within"] is False else ""
        rows.append((str(number["figure"]), number["board"], number["quantity"], *rounded, outside))
    yield from aligned(rows, range(3, 8))
