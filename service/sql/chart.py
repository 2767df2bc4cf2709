"""A result as a chart."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from puzzlebase.db.sql.session import Result
from puzzlebase.research.charts.chart import Chart, Style, chart_of
from puzzlebase.research.charts.drawing import write_chart

MAX_ROWS = 10_000
"""Rows that are drawn at most."""


def of_result(result: Result, style: Style) -> tuple[Chart, bool]:
    """A chart of the first MAX_ROWS rows, and whether there are more; raises InvalidRequest if they make no chart."""
    columns, every = result.rows()
    rows = list(islice(every, MAX_ROWS + 1))
    return chart_of(columns, rows[:MAX_ROWS], style), len(rows) > MAX_ROWS


def write_result(result: Result, style: Style, path: Path) -> bool:
    """Write it to a file whose name ends in .svg or .png, and return whether there are more rows."""
    chart, more = of_result(result, style)
    write_chart(chart, path)
    return more
