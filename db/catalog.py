"""The schema of a file, and the check that a file holds only its base tables: reading a view or a macro runs it.

Files are copied between machines, so their content is input. A view over read_text('/etc/passwd') with the name of one
of our tables would be served. Our own statements would call a macro with the name of a DuckDB function.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import duckdb

_TABLES = "SELECT 'table', schema_name, table_name, sql FROM duckdb_tables() WHERE database_name = $name"
_ENTRIES = f"""
    {_TABLES}
    UNION ALL SELECT 'view', schema_name, view_name, '' FROM duckdb_views() WHERE database_name = $name AND NOT internal
    UNION ALL SELECT 'macro', schema_name, function_name, '' FROM duckdb_functions()
        WHERE database_name = $name AND NOT internal
    UNION ALL SELECT 'type', schema_name, type_name, '' FROM duckdb_types() WHERE database_name = $name AND NOT internal
    UNION ALL SELECT 'sequence', schema_name, sequence_name, '' FROM duckdb_sequences() WHERE database_name = $name
    UNION ALL SELECT 'index', schema_name, index_name, '' FROM duckdb_indexes() WHERE database_name = $name
    UNION ALL SELECT 'schema', schema_name, '', '' FROM duckdb_schemas() WHERE database_name = $name AND NOT internal
"""  # noqa: S608 (our own names)
# For every connection that opens a file: a file may ask for an extension, and so for the network.
NO_EXTENSIONS = "autoinstall_known_extensions = false", "autoload_known_extensions = false"
_Entries = dict[tuple[str, str, str], str]  # kind, schema, name -> the SQL that makes a table


class Schema(NamedTuple):
    """A kind of file: db/schema/NAME.sql, the format that this version reads, and the table that states the format."""

    name: str
    format: int
    header: str
    optional: str = ""  # a table that some files have beside the others, as db/schema/OPTIONAL.sql makes it

    @property
    def sql(self) -> str:
        """The statements that make the tables of a new file."""
        return statements(self.name)


def statements(name: str) -> str:
    """The statements of a schema's file."""
    return files("puzzlebase.db").joinpath("schema", f"{name}.sql").read_text("utf-8")


def fault(connection: duckdb.DuckDBPyConnection, database: str, schema: Schema) -> str | None:
    """Name the fault of an attached database that must not be read; None if it holds only the schema's tables."""
    found = _entries(connection, database)
    expected = _expected(schema, whole=("table", "main", schema.optional) in found)
    if found == expected:
        return None
    stated = _format(connection, database, schema.header, found)
    if stated is not None and stated != schema.format:
        return f"has format {stated}, this version reads {schema.format}"
    for kind, _, name in sorted(found.keys() - expected.keys()):
        return f"holds a {kind} {name!r}, which is no part of it"
    for _, _, name in sorted(expected.keys() - found.keys()):
        return f"lacks the table {name!r}"
    other = min(entry for entry in expected if found[entry] != expected[entry])
    return f"has other columns in its table {other[2]!r}"


def _format(connection: duckdb.DuckDBPyConnection, database: str, header: str, found: _Entries) -> int | None:
    """The format that a database states as a plain number in a table; a view or an expression is not read."""
    if not found.get(("table", "main", header), "").startswith(f"CREATE TABLE {header}(format INTEGER NOT NULL, "):
        return None
    cursor = connection.cursor()
    rows = cursor.execute(f'SELECT format FROM "{database}".main.{header}').fetchall()  # noqa: S608 (our own names)
    return rows[0][0] if len(rows) == 1 else None


@cache
def _expected(schema: Schema, *, whole: bool) -> _Entries:
    import duckdb  # noqa: PLC0415 -- only where a file is opened

    with duckdb.connect() as connection:
        connection.execute(schema.sql + (statements(schema.optional) if whole else ""))
        return _entries(connection, "memory", _TABLES)


def _entries(connection: duckdb.DuckDBPyConnection, database: str, query: str = _ENTRIES) -> _Entries:
    rows = connection.cursor().execute(query, {"name": database}).fetchall()
    return {(kind, schema, name): sql for kind, schema, name, sql in rows}
