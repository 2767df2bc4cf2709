"""The errors of a SQL session, and the translation of DuckDB's errors into them."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from puzzlebase.db.errors import DamagedTable, MissingTable, TableError
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.errors import ErrorWithHint, first_line
from puzzlebase.paths import build_remedy, table_path

_OVER_A_LIMIT = (duckdb.InterruptException, duckdb.OutOfMemoryException)
_UNREADABLE = (
    duckdb.IOException,
    duckdb.SerializationException,
    duckdb.InternalException,
    duckdb.FatalException,
)
_MISSING = re.compile(
    r'Catalog Error: Table with name (?:states of |")([a-z0-9@-]+)(?:\.\w+")? does not exist'
)


class QueryError(ErrorWithHint):
    """A statement is wrong or may not be run."""


class LimitReached(TableError):
    """A statement needs more time or memory than it may use."""


def translate_error(
    error: Exception, limits: StatementLimits, folder: Path
) -> QueryError | TableError:
    """Turn an error of DuckDB or Arrow into LimitReached,
    DamagedTable, QueryError, or MissingTable of a folder.
    """
    if isinstance(error, _OVER_A_LIMIT):
        return LimitReached(
            f"the statement was stopped: {first_line(error)}",
            f"it may use {limits.seconds:g} s and {limits.memory_mb} MB; ask for less, "
            "or raise the limits",
        )
    if isinstance(error, _UNREADABLE):
        return DamagedTable(
            f"a table cannot be read: {first_line(error)}", "check it: puzzlebase verify PUZZLE"
        )
    if isinstance(error, duckdb.PermissionException):
        return QueryError(str(error), "a session reads the attached tables and nothing else")
    if missing := _MISSING.match(str(error)):
        return no_table_to_query(table_path(folder, missing[1]))
    return QueryError(
        str(error), "SELECT puzzle FROM puzzles lists the tables; docs/sql.md lists everything else"
    )


def no_table_to_query(path: Path) -> MissingTable:
    """Make the error of a query for a table that is not in its folder."""
    listing = "SELECT puzzle FROM puzzles lists those that are there"
    return MissingTable(f"there is no table of {path.stem} yet", f"{build_remedy(path)}; {listing}")
