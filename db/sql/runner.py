"""Run statements on a DuckDB connection, each within its time, and translate errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from puzzlebase.db.catalog import NO_EXTENSIONS
from puzzlebase.db.sql.errors import translate_error
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.stored_file import Closing

T = TypeVar("T")

_ROWS_PER_FETCH = 10_000
_ROWS_PER_BATCH = 131_072
_INTERRUPT_SECONDS = 0.05  # within which an interrupted call should end


class Watch:
    """The deadline of a statement, and the error of a function of ours.
    A connection in it would never be freed.
    """

    def __init__(self) -> None:
        self.deadline = 0.0
        self.raised: Exception | None = None

    def watched(self, function: Callable[..., T]) -> Callable[..., T]:
        """The same function, for DuckDB to call in a query.
        Its error is stored: DuckDB passes on only the text.
        """

        def watched(*arguments: Any) -> T:
            try:
                if monotonic() > self.deadline:  # a batch may take long
                    raise duckdb.InterruptException("its time is over")  # noqa: TRY301
                return function(*arguments)
            except Exception as error:
                self.raised = error
                # a relation has DuckDB's error, and so only the text
                if hint := getattr(error, "hint", None):
                    raise type(error)(f"{error}; {hint}", hint) from error
                raise

        return watched


class Runner(Closing):
    """One DuckDB connection, which runs one statement at a time; for one thread.

    Methods raise QueryError, LimitReached, DamagedTable,
    or the error of a function that `watch` watches.
    """

    def __init__(self, limits: StatementLimits, folder: Path) -> None:
        self.limits = limits
        self._folder = folder  # of the tables
        self.connection = duckdb.connect()
        for setting in NO_EXTENSIONS:
            self.connection.execute(f"SET {setting}")
        self._thread = ThreadPoolExecutor(1)  # DuckDB is called in it; see _call
        self.watch = Watch()

    def parse(self, text: str) -> list[duckdb.Statement]:
        """The statements of a text."""
        with self._errors():
            return self.connection.extract_statements(text)

    def execute(self, statement: duckdb.Statement) -> duckdb.DuckDBPyConnection:
        """Start a statement; its rows can then be fetched from the cursor."""
        return self._start(lambda: self.connection.execute(statement))

    def rows(self, statement: duckdb.Statement) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Run a query: the names of its columns, and its rows as they are read."""
        cursor = self.execute(statement)

        def rows() -> Iterator[tuple[Any, ...]]:
            with self._errors():
                while fetched := self._call(lambda: cursor.fetchmany(_ROWS_PER_FETCH)):
                    yield from fetched

        return [column[0] for column in cursor.description or []], rows()

    def batches(self, statement: duckdb.Statement) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """Run a query: the schema of its columns in Arrow,
        and its rows in batches as they are read.
        """
        reader = self._start(
            lambda: self.connection.sql(statement).to_arrow_reader(_ROWS_PER_BATCH)
        )

        def batches() -> Iterator[pa.RecordBatch]:
            with self._errors():
                while (batch := self._call(lambda: next(reader, None))) is not None:
                    yield batch

        return reader.schema, batches()

    def relation(self, statement: duckdb.Statement) -> duckdb.DuckDBPyRelation:
        """A query that runs when its rows are read; its time begins now."""
        return self._start(lambda: self.connection.sql(statement))

    def close(self) -> None:
        """Close the connection."""
        self._thread.shutdown()
        self.connection.close()

    def _start(self, call: Callable[[], T]) -> T:
        """Make the first call of a statement, whose time begins now."""
        with self._errors():
            self.watch.deadline = monotonic() + self.limits.seconds
            return self._call(call)

    def _call(self, call: Callable[[], T]) -> T:
        """Call DuckDB in a thread: a main thread that waits for DuckDB would not notice Ctrl-C."""
        called = self._thread.submit(call)
        try:
            return called.result()
        except KeyboardInterrupt:
            # a call about to start ignores the first interrupt
            while wait([called], _INTERRUPT_SECONDS).not_done:
                self.connection.interrupt()
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise the error of a watched function, or translate that of DuckDB or Arrow."""
        self.watch.raised = None
        try:
            yield
        except (duckdb.Error, pa.ArrowException) as error:
            cause = self.watch.raised or error
            ours = not isinstance(cause, duckdb.Error | pa.ArrowException)
            raise (cause if ours else translate_error(cause, self.limits, self._folder)) from error
