"""Attach tables to a session, read-only,
with scans of their states; make functions of states known to SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL

from puzzlebase.db.catalog import FORMAT, catalog_fault
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.sql.runner import Runner
from puzzlebase.db.sql.scan import StateScan, TableStates
from puzzlebase.db.stored_file import check_stored_file
from puzzlebase.errors import first_line
from puzzlebase.paths import build_remedy


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function: `call` takes Arrow arrays of table names and of values,
    and returns one of the same length.
    """

    name: str
    parameter: str
    returns: str
    call: Callable[[pa.Array, pa.Array], pa.Array]


@dataclass(frozen=True, slots=True)
class AttachedTable:
    """The file of a table for a session, and its states,
    which are opened when a statement first reads them.
    """

    path: Path
    states: Callable[[], TableStates]


def attach_function(runner: Runner, function: Function) -> None:
    """Attach a function to a session, so that SQL knows it."""
    answer = runner.watch.watched(function.call)

    def call(names: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.Array:
        return answer(names.combine_chunks(), values.combine_chunks())

    runner.connection.create_function(
        function.name,
        call,
        ["VARCHAR", function.parameter],
        function.returns,
        type=ARROW,
        null_handling=SPECIAL,
    )


def attach(runner: Runner, name: str, table: AttachedTable) -> str:
    """Attach a table under its name and return its digest;
    raises DamagedTable if it cannot be read.
    """
    connection, watched = runner.connection, runner.watch.watched
    path, alias = str(table.path).replace("'", "''"), name.replace('"', '""')
    try:
        check_stored_file(table.path)
        connection.execute(f"ATTACH '{path}' AS \"{alias}\" (TYPE duckdb, READ_ONLY)")
        if found := catalog_fault(connection, name):
            connection.execute(f'DETACH "{alias}"')
            raise _left_out(table.path, found)
        connection.execute("SET VARIABLE puzzle = ?", [name])
        connection.execute("SET VARIABLE format = ?", [FORMAT])
        connection.execute(sql("attach"))
        ((digest,),) = connection.execute(
            "SELECT digest FROM puzzles WHERE puzzle = ?", [name]
        ).fetchall()
    except duckdb.Error as error:
        raise _left_out(table.path, first_line(error)) from error
    finally:
        connection.execute("RESET VARIABLE puzzle")

    def states() -> TableStates:
        opened = table.states()
        return replace(opened, distances=watched(opened.distances))

    connection.register(f"states of {name}", StateScan(watched(states)))
    return str(digest)


def _left_out(path: Path, reason: str) -> DamagedTable:
    return DamagedTable(f"the table in {str(path)!r} is left out: {reason}", build_remedy(path))


@cache
def sql(name: str) -> str:
    """The text of a .sql file of this folder."""
    return files("puzzlebase.db.sql").joinpath(f"{name}.sql").read_text("utf-8")
