"""The options of `sql` for a chart of the last result. They load no library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import click

from puzzlebase.command_line import options
from puzzlebase.plugins.chart_option import chart_file

MAX_ROWS = 10_000  # rows that are drawn


@dataclass(frozen=True)
class ChartOptions:
    """The values of the options: the file of the chart, and its look."""

    flag: ClassVar[str] = "--chart"
    chart: Path | None = None
    title: str = ""
    unit: str = ""
    log: bool = False

    def writer(self) -> Callable[[Any], None] | None:
        """The function that writes a Result to the file; None if no file is named."""
        return None if self.chart is None else self._write

    def _write(self, result: Any) -> None:
        from puzzlebase.plugins.charts.chart import write_chart

        columns, every = result.rows()
        rows = list(islice(every, MAX_ROWS + 1))
        assert self.chart is not None
        write_chart(self.chart, columns, rows[:MAX_ROWS], title=self.title, unit=self.unit, log=self.log)
        if len(rows) > MAX_ROWS:
            click.echo(f"only the first {MAX_ROWS:,} rows are drawn", err=True)


ADDED = options.Added(
    ChartOptions,
    (
        chart_file(
            "--chart",
            "--svg",
            help="Draw the last result to this file, .svg or .png. Its first column is the horizontal axis, the "
            "others are lines.",
        ),
        click.option("--title", default="", help="Title of the chart."),
        click.option("--unit", default="", help="Title of its vertical axis."),
        click.option("--log", is_flag=True, help="Make its vertical axis logarithmic."),
    ),
)
