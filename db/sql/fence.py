"""Two fences keep unknown statements from changing anything,
and from reading anything but the tables.

1. DuckDB's own settings turn the file system, extensions and writing to disk off, and bound time
   and memory. `lock` makes these settings and locks them, after the tables are attached and before
   the first statement runs.
2. Only statements that `is_query` or `creates` accepts are run. This alone is not enough: a WITH
   may hold a COPY.
"""

from __future__ import annotations

import re

import duckdb
from duckdb import DuckDBPyConnection, Statement, StatementType

from puzzlebase.db.catalog import NO_EXTENSIONS
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.sql.limits import StatementLimits

_SETTINGS = (
    *NO_EXTENSIONS,
    "allow_community_extensions = false",
    "allow_persistent_secrets = false",
    "python_enable_replacements = false",  # the names of Python variables are not tables
    # a statement that exceeds its memory is refused and does not write to disk
    "temp_directory = ''",
    "enable_external_access = false",  # alone, this leaves attached files and their logs accessible
    # so no statement opens a path; the attached files stay open
    "disabled_filesystems = 'LocalFileSystem'",
    "lock_configuration = true",
)
# DuckDB strips the comments before a statement
_SET_VARIABLE = re.compile(r"SET\s+VARIABLE\s", re.IGNORECASE)
_EXPLAIN = re.compile(r"EXPLAIN\b\s*(ANALY[SZ]E\b\s*)?(\([^()]*\)\s*(?=[^\s;]))?", re.IGNORECASE)
_CREATE = re.compile(r"CREATE\s", re.IGNORECASE)


def lock(connection: DuckDBPyConnection, limits: StatementLimits) -> None:
    """Put up the first fence: set the limits,
    turn off all access to the outside, and lock the settings.
    """
    bounds = (
        f"memory_limit = '{limits.memory_mb}MB'",
        f"threads = {limits.threads}",
        f"max_execution_time = {max(round(limits.seconds * 1000), 1)}",
    )
    for setting in (*bounds, *_SETTINGS):
        connection.execute(f"SET {setting}")


def fence_refusal(statement: Statement) -> QueryError:
    """The error for a statement that the fence refuses."""
    return QueryError(
        f"this statement is not run here: {statement.query.strip()!r}",
        "a session runs SELECT, EXPLAIN SELECT, SET VARIABLE, and CREATE in memory",
    )


def is_query(connection: DuckDBPyConnection, statement: Statement) -> bool:
    """True for a query, or an EXPLAIN of one; the connection only parses parts of it."""
    type_, query = _type(statement), statement.query
    if explains := _EXPLAIN.match(query):
        explained = _parsed(connection, query[explains.end() :])
        return (
            len(explained) == 1
            and not _EXPLAIN.match(explained[0].query)
            and is_query(connection, explained[0])
        )
    # a statement with a PIVOT, which is a query if it fits into FROM ()
    if type_ is StatementType.MULTI:
        content = query.encode()
        ends = (at for at, _ in duckdb.tokenize(query) if content[at : at + 1] == b";")
        # nor the comments that follow it
        without_semicolon = content[: next(ends, len(content))].decode()
        return bool(_parsed(connection, f"FROM (\n{without_semicolon}\n)"))
    return type_ is StatementType.SELECT


def creates(statement: Statement) -> bool:
    """True for SET VARIABLE and CREATE, whose results stay in memory until the session ends."""
    type_, query = _type(statement), statement.query
    if type_ is StatementType.SET:
        return bool(_SET_VARIABLE.match(query))
    return type_ is StatementType.CREATE or (
        type_ is StatementType.MULTI and bool(_CREATE.match(query))
    )


def _parsed(connection: DuckDBPyConnection, text: str) -> list[Statement]:
    try:
        return connection.extract_statements(text)
    except duckdb.ParserException:
        return []


def _type(statement: Statement) -> StatementType | None:
    """DuckDB's type of a statement; None for a type that has no name in Python, such as CONNECT."""
    try:
        return statement.type
    except ValueError:
        return None
