"""Parquet files: the rows of a result, and whole tables."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from puzzlebase.atomic_files import written
from puzzlebase.db.limits import MOST_WRITTEN
from puzzlebase.db.sql.scan import SCHEMA, StateScan
from puzzlebase.db.sql.session import QueryResult, distinct
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import state_text, states

_ROWS_PER_GROUP = 1 << 20
_ENCODINGS = {"index": "DELTA_BINARY_PACKED", "state": "DELTA_BYTE_ARRAY"}  # 13 MB, not 210, and 53 MB, not 95


def write_parquet(result: QueryResult, path: Path) -> None:
    """Write a result with its types. An existing file is replaced once all rows are written."""
    schema, batches = result.batches()
    names = distinct(schema.names)
    renamed = pa.schema([field.with_name(name) for name, field in zip(names, schema, strict=True)])
    with _parquet_file(path, renamed) as file:
        _write(file, (batch.rename_columns(names) for batch in batches))


def export(source: OpenTable, path: Path, *, with_text: bool, report: Callable[[int], None] = lambda _: None) -> None:
    """Write all states of a table by index, with their distances and, if asked for, their texts.

    The distance is null if the goal cannot be reached. Row groups hold a million states, and they and their pages
    state the min and max of each column. `report` gets the number of states written.

    Raises InvalidRequest if there are too many states.
    """
    if source.space.size > MOST_WRITTEN:
        raise InvalidRequest(
            f"{source.puzzle.name} has {source.space.size:,} states, more than can be written one by one",
            "write some of them: puzzlebase sql --parquet FILE",
        )
    schema = SCHEMA.append(pa.field("state", pa.string(), nullable=False)) if with_text else SCHEMA
    info = source.table.info
    digest = source.origin.tag
    facts = {"puzzle": info.puzzle, "goal": info.goal, "gods_number": str(info.gods_number), "digest": digest}
    batches: Iterable[pa.RecordBatch] = StateScan(lambda: states(source)).scanner().to_reader()
    if with_text:
        batches = (batch.append_column(schema.field("state"), state_text(source, batch["index"])) for batch in batches)
    encodings = {name: kind for name, kind in _ENCODINGS.items() if name in schema.names}
    described = schema.with_metadata(facts)
    with _parquet_file(path, described, use_dictionary=["distance"], column_encoding=encodings) as file:
        _write(file, _counted(batches, report))


def _counted(batches: Iterable[pa.RecordBatch], report: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
    """Pass batches on, and report the rows so far after each."""
    rows = 0
    for batch in batches:
        yield batch
        report(rows := rows + len(batch))


@contextmanager
def _parquet_file(path: Path, schema: pa.Schema, **encoding: Any) -> Iterator[ParquetWriter]:
    """A Parquet file that replaces `path` once it is complete."""
    given = {"compression": "zstd", "write_page_index": True, **encoding}
    with written(path) as unfinished, ParquetWriter(unfinished, schema, **given) as file:
        yield file


def _write(file: ParquetWriter, batches: Iterable[pa.RecordBatch]) -> None:
    """Write batches in whole row groups; the last one is smaller. One is written while those of the next are made."""
    waiting: list[pa.RecordBatch] = []
    writing: deque[Future[None]] = deque()  # at most one, which no frame holds: a full disk's error would be told twice
    with ThreadPoolExecutor(1) as pool:
        for batch in batches:
            waiting.append(batch)
            if sum(map(len, waiting)) >= _ROWS_PER_GROUP:
                while writing:
                    writing.popleft().result()
                writing.append(pool.submit(file.write_table, pa.Table.from_batches(waiting, file.schema)))
                waiting.clear()
        while writing:
            writing.popleft().result()
    file.write_table(pa.Table.from_batches(waiting, file.schema))
