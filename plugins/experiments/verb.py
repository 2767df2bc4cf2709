"""The verbs experiment, for published experiments that are run again,
and measures, for their measures of a state.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.plugins.chart import chart_file, write_chart
from puzzlebase.service.answers.text import number
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.terminal_text import align_columns

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle


@click.command()
@click.argument("family", metavar="FAMILY", type=click.Choice(["quantum"]))
@options.with_default(
    "--boards",
    type=click.IntRange(1, 10**6),
    default=100,
    help="Boards of each kind.",
)
@options.with_default(
    "--seed",
    type=click.IntRange(0, 2**53),
    default=1,
    help="Equal seeds draw equal boards.",
)
@chart_file(help="SVG file for a chart of the moves that each method needs.")
@options.as_json
def verb(family: str, boards: int, seed: int, chart: Path | None, as_json: bool) -> None:
    """Run a published experiment again.

    The published results are shown beside those of the present solver. FAMILY is quantum.
    """
    from puzzlebase.puzzles.families.quantum import experiments

    numbers, moves = experiments.run_experiments(boards, seed)
    parts = range(101)
    axis = "percent of the boards"
    lines = {
        name: [each[round((boards - 1) * part / 100)] for part in parts]
        for name, each in moves.items()
    }
    answer = {
        "family": family,
        "source": experiments.SOURCE,
        "boards": boards,
        "seed": seed,
        "numbers": numbers,
        "axis": axis,
        "lines": lines,
    }
    if chart:
        write_chart(
            chart,
            columns=[axis, *lines],
            rows=list(zip(parts, *lines.values(), strict=True)),
            title=f"{family}: {boards:,} boards of each kind, seed {seed}",
            unit="moves",
        )
    show(Shown(answer, _lines), as_json)


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    """A line for each number: the published one, ours with its range, and the present solver's."""
    yield f"{answer['source']}; {answer['boards']:,} boards of each kind, seed {answer['seed']}"
    rows: list[tuple[str, ...]] = [
        ("figure", "board", "quantity", "published", "mean", "low", "high", "new", "")
    ]
    for each in answer["numbers"]:
        values = (each[name] for name in ("published", "mean", "low", "high", "new"))
        rounded = ("-" if value is None else f"{value:,.0f}" for value in values)
        outside = "outside" if each["within"] is False else ""
        rows.append((str(each["figure"]), each["board"], each["quantity"], *rounded, outside))
    yield from align_columns(rows, range(3, 8))


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@options.as_json
def measures(puzzle: Puzzle, state: str, as_json: bool) -> None:
    """Measure a state by the heuristics of a published experiment.

    For quantum boards these are the five of Adams' paper.
    """
    from puzzlebase.puzzles.discovery import extra_of

    measured = extra_of(puzzle, "measures")
    if measured is None:
        raise InvalidRequest(f"{puzzle.name} has no measures", "quantum boards have them")
    found: dict[str, int] = measured(puzzle, state)
    show(
        Shown(
            found,
            lambda _: align_columns([(name, number(value)) for name, value in found.items()], [1]),
        ),
        as_json,
    )
