"""Parquet files: the rows of a result, and whole tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from puzzlebase.atomic_files import new_file
from puzzlebase.db.limits import MOST_WRITTEN
from puzzlebase.db.sql.scan import SCHEMA, StateScan
from puzzlebase.db.sql.session import QueryResult
from puzzlebase.plugins.sql.formats import distinct_columns
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.functions import state_text
from puzzlebase.service.sql.tables import sql_rows_of_table

_ROWS_PER_GROUP = 1 << 20
# 13 MB, not 210, and 53 MB, not 95
_ENCODINGS = {"index": "DELTA_BINARY_PACKED", "state": "DELTA_BYTE_ARRAY"}


def write_parquet(result: QueryResult, path: Path) -> None:
    """Write a result with its types. An existing file is replaced once all rows are written."""
    schema, batches = result.batches()
    names = distinct_columns(schema.names)
    renamed = pa.schema([field.with_name(name) for name, field in zip(names, schema, strict=True)])
    _write(path, renamed, (batch.rename_columns(names) for batch in batches))


def write_table(
    source: OpenTable,
    path: Path,
    *,
    with_text: bool,
    report: Callable[[int], None] = lambda _: None,
) -> None:
    """Write all states of a table by index, with their distances and, if asked for, their texts.

    The distance is null if the goal cannot be reached. Row groups hold a million states, and they
    and their pages state the min and max of each column. `report` gets the number of states
    written.

    Raises InvalidRequest if there are too many states.
    """
    if source.space.size > MOST_WRITTEN:
        raise InvalidRequest(
            f"{source.puzzle.name} has {source.space.size:,} states, more than can be "
            "written one by one",
            "write some of them: puzzlebase sql --parquet FILE",
        )
    schema = SCHEMA.append(pa.field("state", pa.string(), nullable=False)) if with_text else SCHEMA
    info = source.table.info
    digest = source.origin.tag
    facts = {
        "puzzle": info.puzzle,
        "goal": info.goal,
        "gods_number": str(info.gods_number),
        "digest": digest,
    }
    batches: Iterable[pa.RecordBatch] = (
        StateScan(lambda: sql_rows_of_table(source)).scanner().to_reader()
    )
    if with_text:
        batches = (
            batch.append_column(schema.field("state"), state_text(source, batch["index"]))
            for batch in batches
        )
    encodings = {name: kind for name, kind in _ENCODINGS.items() if name in schema.names}
    described = schema.with_metadata(facts)
    _write(
        path,
        described,
        batches,
        report,
        use_dictionary=["distance"],
        column_encoding=encodings,
    )


def _write(
    path: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    report: Callable[[int], None] = lambda _: None,
    **encoding: Any,
) -> None:
    """Write batches in whole row groups; the last one is smaller. `report` gets the rows so far.
    The file replaces `path` once it is complete.
    """
    settings = {"compression": "zstd", "write_page_index": True, **encoding}
    waiting: list[pa.RecordBatch] = []
    rows = 0
    with new_file(path) as unfinished, ParquetWriter(unfinished, schema, **settings) as file:
        for batch in batches:
            waiting.append(batch)
            report(rows := rows + len(batch))
            if sum(map(len, waiting)) >= _ROWS_PER_GROUP:
                file.write_table(pa.Table.from_batches(waiting, schema))
                waiting.clear()
        file.write_table(pa.Table.from_batches(waiting, schema))
