"""A SQL session over the tables of a folder, and the relations of its queries."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.sql.attach import AttachedTable, Function
from puzzlebase.db.sql.errors import no_table_to_query
from puzzlebase.db.sql.limits import DEFAULT_LIMITS, StatementLimits
from puzzlebase.db.sql.scan import TableStates
from puzzlebase.db.sql.session import Session, write_relation
from puzzlebase.paths import table_path
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.functions import FUNCTIONS

if TYPE_CHECKING:
    import duckdb


def session_over_tables(data: Path, limits: StatementLimits = DEFAULT_LIMITS) -> Session:
    """Open a session over every table in the folder, each under its table name."""
    tables = SessionTables(data, limits.memory_mb * 1_000_000)
    functions = [
        Function(each.__name__, *kinds, tables.of_names(each)) for each, kinds in FUNCTIONS.items()
    ]
    attached = {
        name: AttachedTable(table_path(data, name), tables.states(name)) for name in tables.names
    }
    session = Session(data, attached, functions, limits)
    tables.digests = session.tables
    return session


def relation_over_tables(
    query: str, folder: Path, frames: Mapping[str, object], parquet: Path | str | None
) -> duckdb.DuckDBPyRelation:
    """A query over every table of a folder, and frames by name, as a DuckDB relation;
    its rows are also written to a Parquet file if one is named.

    Raises QueryError for a statement that is not one query.
    """
    folder = folder.absolute()
    files = tuple(sorted((path.name, path.stat().st_mtime_ns) for path in folder.glob("*.duckdb")))
    former, session = vars(_sessions).get(str(folder), (None, None))
    if frames or former != files:
        session = session_over_tables(folder, StatementLimits(seconds=1e9))  # no limit
        session.register(frames)
        if not frames:  # else a relation that is read later would see the frames of a later call
            vars(_sessions)[str(folder)] = files, session
    found: duckdb.DuckDBPyRelation = session.relation(query)
    if parquet:
        write_relation(found, Path(parquet))
    return found


# The sessions of this thread, one for each folder, with its files. An old version is freed with its
# last relation.
_sessions = threading.local()


@atexit.register
def _close_sessions() -> None:
    for _, session in vars(_sessions).values():
        session.close()


def sql_rows_of_table(source: OpenTable) -> TableStates:
    """All states of a table, as rows of SQL."""
    space, table = source.space, source.table
    return TableStates(
        size=space.size,
        histograms=table.histograms,
        distances=lambda first, last: space.distance_range(first, last, table.range),
    )


class SessionTables:
    """The tables of a folder by table name, which together hold at most `memory` bytes.

    `names` has the puzzle and goal of each table,
    `digests` the digest of each that the session has attached.
    """

    def __init__(self, data: Path, memory: int) -> None:
        self._sources = Sources(Folder(data, memory))
        built = self._sources.folder.built()
        self.names = {puzzle.table_name(goal): (puzzle.name, goal.name) for puzzle, goal in built}
        self.digests: dict[str, str] = {}

    def open(self, name: str) -> OpenTable:
        """Open a table; raises MissingTable,
        or DamagedTable if its file is damaged or has been replaced.
        """
        if name not in self.digests:
            raise no_table_to_query(table_path(self._sources.folder.data, name))
        source = self._sources.table(*self.names[name])
        if source.origin.tag != self.digests[name]:
            raise DamagedTable(
                f"the table {name!r} was replaced after the session began", "begin another session"
            )
        return source

    def states(self, name: str) -> Callable[[], TableStates]:
        """Make a function that opens a table and returns all its states."""
        return lambda: sql_rows_of_table(self.open(name))

    def of_names(
        self, function: Callable[[OpenTable, pa.Array], pa.Array]
    ) -> Callable[[pa.Array, pa.Array], pa.Array]:
        """Make a function of two columns, table names and values,
        which calls `function` once for each table.
        """

        def answer(names: pa.Array, values: pa.Array) -> pa.Array:
            given = pc.and_(names.is_valid(), values.is_valid())
            rows_of_parts, parts = [np.flatnonzero(~np.asarray(given))], []
            for name in names.filter(given).unique().to_pylist():
                rows = np.flatnonzero(
                    np.asarray(pc.fill_null(pc.equal(names, name), False)) & np.asarray(given)
                )
                rows_of_parts.append(rows)
                asked = values.take(pa.array(rows)) if len(rows) < len(values) else values
                parts.append(function(self.open(name), asked))
            if len(parts) == 1 and len(parts[0]) == len(values):
                return parts[0]
            nulls = pa.nulls(len(rows_of_parts[0]), parts[0].type if parts else pa.null())
            order = np.argsort(np.concatenate(rows_of_parts))
            return pa.concat_arrays([nulls, *parts]).take(pa.array(order))

        return answer
