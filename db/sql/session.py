"""A SQL session: DuckDB over many tables at once, for untrusted statements.

Tables are attached read-only (attach.py), a fence blocks everything else (fence.py), and each
statement has limits of time and memory (runner.py). Objects that a statement creates stay in memory
and end with the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from puzzlebase.atomic_files import new_file
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.sql import fence
from puzzlebase.db.sql.attach import AttachedTable, Function, attach, attach_function, sql
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.runner import Runner
from puzzlebase.db.stored_file import Closing


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a query, which runs when it is read,
    once. `last` is true for the last query of a text.
    """

    _runner: Runner
    _statement: duckdb.Statement
    last: bool

    def rows(self) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """The names of the columns, and the rows as they are read."""
        return self._runner.rows(self._statement)

    def batches(self) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """The schema of the columns in Arrow, and the rows in batches as they are read."""
        return self._runner.batches(self._statement)


class Session(Closing):
    """A session for one thread; running raises QueryError,
    LimitReached, DamagedTable, or the error of a function.
    """

    def __init__(
        self,
        folder: Path,
        tables: Mapping[str, AttachedTable],
        functions: Sequence[Function],
        limits: StatementLimits,
    ) -> None:
        self.limits = limits
        self.tables: dict[str, str] = {}  # digests by table name
        self.damaged: list[DamagedTable] = []  # of the tables that are left out
        self._runner = Runner(limits, folder)
        try:
            for function in functions:
                attach_function(self._runner, function)
            self._runner.connection.execute(sql("macros"))
            for name, table in tables.items():
                try:
                    self.tables[name] = attach(self._runner, name, table)
                except DamagedTable as damage:
                    self.damaged.append(damage)
            fence.lock(self._runner.connection, limits)
        except BaseException:
            self._runner.close()
            raise

    def register(self, frames: Mapping[str, object]) -> None:
        """Let queries read frames of pandas or polars, or tables of Arrow, by these names."""
        for name, frame in frames.items():
            self._runner.connection.register(name, frame)

    def set_puzzle(self, name: str) -> None:
        """Set the SQL variable `puzzle` to the name of a table; raises MissingTable."""
        if name not in self.tables:
            raise MissingTable(
                f"there is no table {name!r}", f"tables: {', '.join(self.tables) or 'none'}"
            )
        self._runner.connection.execute("SET VARIABLE puzzle = ?", [name])

    def run(self, text: str) -> Iterator[QueryResult]:
        """Run the statements of a text one after another;
        yield the result of each query among them.
        """
        statements = self._runner.parse(text)
        queries = [
            number
            for number, each in enumerate(statements)
            if fence.is_query(self._runner.connection, each)
        ]
        for number, statement in enumerate(statements):
            if number in queries:
                yield QueryResult(self._runner, statement, last=number == queries[-1])
            elif fence.creates(statement):
                self._runner.execute(statement)
            else:
                raise fence.fence_refusal(statement)

    def relation(self, text: str) -> duckdb.DuckDBPyRelation:
        """One query, which DuckDB runs when its rows are read;
        raises QueryError for anything but one query.
        """
        statements = self._runner.parse(text)
        if len(statements) != 1 or not fence.is_query(self._runner.connection, statements[0]):
            raise QueryError("this is not one query", "give one SELECT")
        return self._runner.relation(statements[0])

    def close(self) -> None:
        """Close the session and every table in it."""
        self._runner.close()


def write_relation(relation: duckdb.DuckDBPyRelation, path: Path) -> None:
    """Write the rows of a session's relation to a Parquet file, which its fences would not let."""
    with new_file(path) as unfinished, duckdb.connect() as unfenced:
        unfenced.from_arrow(relation.to_arrow_reader()).write_parquet(str(unfinished))
