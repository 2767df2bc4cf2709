"""The verbs experiment, for published experiments that are run again, and measures, for their measures of a state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from typing_extensions import TypedDict

from puzzlebase import hooks, puzzles
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.plugins.chart_option import chart_file, chart_writer
from puzzlebase.plugins.experiments.record import Experiment, Finding
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.service.answers.text import aligned, number
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.puzzles import Family, Puzzle

_EXTRA = "experiment"  # the key of Family.extra whose value names an Experiment


class ExperimentAnswer(TypedDict):
    """An experiment that was run again."""

    family: str
    """name of the family of puzzles"""
    source: str
    """who published the experiment"""
    boards: int
    """number of boards of each kind"""
    seed: int
    """what they were drawn from"""
    numbers: list[Finding]
    """the numbers, by figure"""
    axis: str
    """what the rows of `lines` are over"""
    lines: dict[str, list[float]]
    """values over all boards, sorted, in 101 steps"""


def _families() -> dict[str, Family]:
    return {family.name: family for family in puzzles.all_families() if _EXTRA in family.extra}


def family_of(name: str) -> Family:
    """The family of a name that has an experiment; raises InvalidRequest."""
    known = _families()
    if name not in known:
        hint = f"families that have one are: {', '.join(known)}"
        raise InvalidRequest(f"there is no experiment with {shorten(name)!r}", hint)
    return known[name]


@click.command()
@click.argument("family", callback=lambda _context, _parameter, name: family_of(name))
@click.option("--boards", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Boards of each kind.")
@click.option(
    "--seed", type=click.IntRange(0, 2**53), default=1, show_default=True, help="Equal seeds draw equal boards."
)
@chart_file("--chart", "--svg", help="File for a chart of the moves that each method needs, .svg or .png.")
@options.as_json
def verb(family: Family, boards: int, seed: int, chart: Path | None, as_json: bool) -> None:
    """Run a published experiment again.

    The published results are shown beside those of the present solver. FAMILY is quantum.
    """
    found = experiment(family, boards, seed)
    if chart:
        chart_writer(chart)(chart, **_drawn(found))
    show(Shown(found, _lines), as_json)


def experiment(family: Family, boards: int, seed: int) -> ExperimentAnswer:
    """Run the experiment of a family over so many boards."""
    published: Experiment = hooks.attribute(family.extra[_EXTRA])
    found = published.run(boards, seed)
    return {
        "family": family.name,
        "source": published.source,
        "boards": boards,
        "seed": seed,
        "numbers": found.numbers,
        "axis": found.axis,
        "lines": {
            name: [values[round((boards - 1) * part / 100)] for part in range(101)]
            for name, values in found.lines.items()
        },
    }


def _drawn(found: ExperimentAnswer) -> dict[str, Any]:
    """The values of each method over all boards, sorted, as a writer draws them."""
    lines = found["lines"]
    return {
        "columns": [found["axis"], *lines],
        "rows": [(part, *values) for part, values in enumerate(zip(*lines.values(), strict=True))],
        "title": f"{found['family']}: {found['boards']:,} boards of each kind, seed {found['seed']}",
        "unit": "moves",
    }


def _lines(answer: ExperimentAnswer) -> Iterator[str]:
    """A line for each number: the published one, ours with its range, and the present solver's."""
    yield f"{answer['source']}; {answer['boards']:,} boards of each kind, seed {answer['seed']}"
    rows: list[tuple[str, ...]] = [("figure", "board", "quantity", "published", "mean", "low", "high", "new", "")]
    for each in answer["numbers"]:
        values = (each["published"], each["mean"], each["low"], each["high"], each["new"])
        rounded = ("-" if value is None else f"{value:,.0f}" for value in values)
        outside = "outside" if each["within"] is False else ""
        rows.append((str(each["figure"]), each["board"], each["quantity"], *rounded, outside))
    yield from aligned(rows, range(3, 8))


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
    show(Shown(found, lambda _: aligned([(name, number(value)) for name, value in found.items()], [1])), as_json)
