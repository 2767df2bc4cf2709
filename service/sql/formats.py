"""The rows of a result as text for people, as CSV and as JSON."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from itertools import count, islice
from typing import Any, BinaryIO, TextIO

import orjson
from rich.table import Table

from puzzlebase.db.sql.session import QueryResult

_EXACT_IN_JSON = 2**53


def text_table(result: QueryResult, max_rows: int) -> tuple[Table, bool]:
    """At most so many rows as a table for people, and whether there are more."""
    columns, rows = result.rows()
    shown = list(islice(rows, max_rows + 1))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        numeric = all(isinstance(row[number], int | float | None) for row in shown)
        table.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for row in shown[:max_rows]:
        table.add_row(*map(_cell, row))
    return table, len(shown) > max_rows


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_csv(result: QueryResult, stream: TextIO) -> None:
    """Write a line with the names of the columns, and a line for each row."""
    csv_lines(*result.rows(), stream)


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]], stream: TextIO) -> None:
    """The same of rows that have been read."""
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows(rows)


def write_json(result: QueryResult, stream: BinaryIO) -> None:
    """Write an array of objects, one a line. Integers above 2^53 become strings of digits, as over HTTP."""
    columns, rows = result.rows()
    names = distinct(columns)
    before = b"["
    for row in rows:
        fields = {name: _json_value(value) for name, value in zip(names, row, strict=True)}
        stream.write(before + orjson.dumps(fields, default=str))
        before = b",\n"
    stream.write(b"[]\n" if before == b"[" else b"]\n")


def distinct(columns: Sequence[str]) -> list[str]:
    """The names of columns, with numbers added to repeated ones: a, a_1, a_2."""
    names: list[str] = []
    for column in columns:
        others = (f"{column}_{number}" for number in count(1))
        free = (other for other in others if other not in names and other not in columns)
        names.append(next(free) if column in names else column)
    return names


def _json_value(value: Any) -> Any:
    if isinstance(value, int) and abs(value) > _EXACT_IN_JSON:
        return str(value)
    if isinstance(value, dict):
        return {str(key): _json_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(each) for each in value]
    return value.hex() if isinstance(value, bytes) else value
