"""Rows of a query, and whole tables, in the formats of other tools: text, CSV, JSON, Parquet, a chart."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, TextIO

import orjson
import pyarrow as pa
from pyarrow import parquet
from rich.table import Table

from db.sql.scan import SCHEMA, StateScan
from db.sql.session import Result
from service.sources.table import OpenTable
from service.sql.chart import chart
from service.sql.functions import state_text, states

_EXACT_IN_JSON = 2**53
_ROWS_OF_A_GROUP = 1 << 20
_ENCODINGS = {"index": "DELTA_BINARY_PACKED", "state": "DELTA_BYTE_ARRAY"}  # 13 MB for 210, 53 for 95 otherwise
POINTS = 10_000


def text(result: Result, most: int) -> tuple[Table, bool]:
    """At most so many rows as a table for people, and whether there are more."""
    columns, every = result.rows()
    rows = list(islice(every, most + 1))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        numeric = all(isinstance(row[number], int | float | None) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for row in rows[:most]:
        table.add_row(*map(_cell, row))
    return table, len(rows) > most


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def write_csv(result: Result, stream: TextIO) -> None:
    """A line for the names of the columns, and one for each row."""
    columns, rows = result.rows()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows(rows)


def write_json(result: Result, stream: BinaryIO) -> None:
    """An array of objects, one a line; integers above 2^53 are strings of digits, as over HTTP."""
    columns, rows = result.rows()
    names = _distinct(columns)
    before = b"["
    for row in rows:
        fields = {name: _plain(value) for name, value in zip(names, row, strict=True)}
        stream.write(before + orjson.dumps(fields, default=str))
        before = b",\n"
    stream.write(b"[]\n" if before == b"[" else b"]\n")


def _distinct(columns: Sequence[str]) -> list[str]:
    """Names of columns of which no two are equal: a, a_1, a_2."""
    names: list[str] = []
    for column in columns:
        others = (f"{column}_{number}" for number in count(1))
        free = (other for other in others if other not in names and other not in columns)
        names.append(next(free) if column in names else column)
    return names


def _plain(value: Any) -> Any:
    if isinstance(value, int) and abs(value) > _EXACT_IN_JSON:
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.hex() if isinstance(value, bytes) else value


def write_parquet(result: Result, path: Path) -> None:
    """The columns with their types; a file of that name is replaced when all has been written."""
    schema, batches = result.batches()
    names = _distinct(schema.names)
    renamed = pa.schema([field.with_name(name) for name, field in zip(names, schema, strict=True)])
    with _parquet(path, renamed) as file:
        _write(file, (batch.rename_columns(names) for batch in batches))


def write_svg(result: Result, path: Path) -> bool:
    """A chart of at most POINTS rows, and whether there are more; raises InvalidRequest where they make none."""
    columns, every = result.rows()
    rows = list(islice(every, POINTS + 1))
    drawn = chart(columns, rows[:POINTS])
    with _unfinished(path) as file:
        file.write_text(drawn, "utf-8")
    return len(rows) > POINTS


def export(source: OpenTable, path: Path, *, with_text: bool) -> None:
    """All states of a table by index, each with its distance, null where the goal cannot be reached, and its text.

    Row groups of a million states hold the least and greatest index and distance, and so do their pages.
    """
    schema = SCHEMA.append(pa.field("state", pa.string(), nullable=False)) if with_text else SCHEMA
    info = source.table.info
    facts = {"puzzle": info.puzzle, "goal": info.goal, "gods_number": str(info.gods_number), "digest": source.tag}
    batches: Iterable[pa.RecordBatch] = StateScan(lambda: states(source)).scanner().to_reader()
    if with_text:
        batches = (batch.append_column(schema.field("state"), state_text(source, batch["index"])) for batch in batches)
    encodings = {name: kind for name, kind in _ENCODINGS.items() if name in schema.names}
    with _parquet(path, schema.with_metadata(facts), use_dictionary=["distance"], column_encoding=encodings) as file:
        _write(file, batches)


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A name of its own beside the final one, which what is written there takes when it is complete."""
    unfinished = path.with_name(f"{path.name}.{token_hex(8)}.writing")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _parquet(path: Path, schema: pa.Schema, **encoding: Any) -> Iterator[parquet.ParquetWriter]:
    """A file that takes its name when it is complete."""
    with (
        _unfinished(path) as unfinished,
        parquet.ParquetWriter(unfinished, schema, compression="zstd", write_page_index=True, **encoding) as file,
    ):
        yield file


def _write(file: parquet.ParquetWriter, batches: Iterable[pa.RecordBatch]) -> None:
    """Whole row groups, the last one smaller."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= _ROWS_OF_A_GROUP:
            file.write_table(pa.Table.from_batches(waiting, file.schema))
            waiting.clear()
    file.write_table(pa.Table.from_batches(waiting, file.schema))
