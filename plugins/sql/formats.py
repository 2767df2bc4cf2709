"""The rows of a result as text for people, as CSV and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import count, islice

from rich.cells import cell_len
from rich.table import Table

from puzzlebase.db.sql.session import QueryResult
from puzzlebase.service.exact_json import to_json


def text_table(result: QueryResult, max_rows: int, width: int = 1 << 20) -> tuple[Table, bool]:
    """Make a table of at most so many rows for people,
    with a line for each field if it would be wider than `width`.

    True if there are more rows.
    """
    columns, rows = result.rows()
    shown = list(islice(rows, max_rows + 1))
    cells = [[*map(_cell, row)] for row in shown[:max_rows]]
    widths = [max(map(cell_len, column)) + 2 for column in zip(columns, *cells, strict=True)]
    if sum(widths) - 2 > width:
        table = Table(box=None, pad_edge=False, show_header=False)
        for row in cells:
            for field in zip(columns, row, strict=True):
                table.add_row(*field)
            table.add_row()
        return table, len(shown) > max_rows
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        numeric = all(isinstance(row[number], int | float | None) for row in shown)
        table.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for cell in cells:
        table.add_row(*cell)
    return table, len(shown) > max_rows


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_json(result: QueryResult) -> None:
    """Print a JSON array of objects, one a line. Long integers are as over HTTP."""
    stream = sys.stdout.buffer
    columns, rows = result.rows()
    names = distinct_columns(columns)
    before = b"["
    for row in rows:
        fields = dict(zip(names, row, strict=True))
        stream.write(
            before
            + to_json(fields, lambda value: value.hex() if isinstance(value, bytes) else str(value))
        )
        before = b",\n"
    stream.write(b"[]\n" if before == b"[" else b"]\n")


def distinct_columns(columns: Sequence[str]) -> list[str]:
    """Number repeated names of columns: a, a_1, a_2."""
    names: list[str] = []
    for column in columns:
        others = (f"{column}_{number}" for number in count(1))
        free = (other for other in others if other not in names and other not in columns)
        names.append(next(free) if column in names else column)
    return names
