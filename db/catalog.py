"""The schema of a file, and the check that a file holds only its base tables:
reading a view runs it.

Files are copied between machines, so their content is input. A view over read_text('/etc/passwd')
with the name of one of our tables would be served. A macro in it is not looked for, which would
take as long as all else of opening a file: our statements name the file with each table, and never
make it the one whose functions are called.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

# For every connection that opens a file: a file may ask for an extension, and so for the network.
NO_EXTENSIONS = "autoinstall_known_extensions = false", "autoload_known_extensions = false"
_Entries = set[tuple[str, str, str, str]]  # kind, schema, name, and the SQL that makes a table


FORMAT = 2  # of tables that this version reads


@cache
def statements(name: str) -> str:
    """The statements of a schema: of a table, or of the `ranking` that some have beside the others;
    or the query for all `entries` of a catalog.
    """
    return files("puzzlebase.db").joinpath("schema", f"{name}.sql").read_text("utf-8")


def catalog_fault(connection: duckdb.DuckDBPyConnection, database: str) -> str | None:
    """The fault of the catalog of a database that must not be read;
    None if it holds the schema's tables and no more.
    """
    table = statements("table")
    if _entries(connection, database) in (_made_by(table), _made_by(table + statements("ranking"))):
        return None
    return (
        f"does not hold the tables of format {FORMAT}, which this version reads, and nothing else"
    )


@cache
def _made_by(sql: str) -> _Entries:
    import duckdb  # noqa: PLC0415 -- only where a file is opened

    with duckdb.connect() as connection:
        connection.execute(sql)
        return _entries(connection, "memory")


def _entries(connection: duckdb.DuckDBPyConnection, database: str) -> _Entries:
    return {*connection.cursor().execute(statements("entries"), {"name": database}).fetchall()}
