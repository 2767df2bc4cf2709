"""What solutions take, for any size."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.service.answers import formulas, text
from puzzlebase.service.answers.formulas import DEFAULT_SIZES


@click.command()
@click.argument("name")
@click.option("--variant", help="Variant of the family, such as nnn. The default is its first.")
@click.option(
    "--disks", "sizes", default=DEFAULT_SIZES, show_default=True, help="Disks, or tiles of a tower: N or FIRST-LAST."
)
@options.chart_file("--chart", help="Also draw the moves by size to this file, .svg or .png.")
@options.as_json
@options.data
def verb(data: Path, name: str, variant: str | None, sizes: str, chart: Path | None, as_json: bool) -> None:
    """Show what solutions take for any size: by recurrence, by closed form and exactly.

    NAME is a family, hanoi or panex; or a family and a variant, such as hanoi-nnn. Exact values come from a table or
    an oracle, where there is one.
    """
    found = formulas.formula(headers(data), name, variant, sizes)
    if chart:
        from puzzlebase.research.charts.answers import of_formula
        from puzzlebase.research.charts.drawing import write_chart

        write_chart(of_formula(found), chart)
    show(Shown(found, text.formula), as_json)
