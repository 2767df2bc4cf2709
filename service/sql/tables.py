"""A SQL session over the tables of a folder: what a session of db/sql has to know of puzzles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.paths import table_path
from puzzlebase.db.sql.attach import AttachedTable, Function
from puzzlebase.db.sql.limits import DEFAULT_LIMITS, StatementLimits
from puzzlebase.db.sql.scan import TableStates
from puzzlebase.db.sql.session import Session
from puzzlebase.db.table import Table
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.functions import (
    at_home,
    distance_of_index,
    distance_of_text,
    state_index,
    state_text,
    successors,
)

_FUNCTIONS: dict[Callable[[OpenTable, pa.Array], pa.Array], tuple[str, str]] = {
    state_text: ("BIGINT", "VARCHAR"),
    state_index: ("VARCHAR", "BIGINT"),
    distance_of_text: ("VARCHAR", "INTEGER"),
    distance_of_index: ("BIGINT", "INTEGER"),
    at_home: ("BIGINT", "INTEGER"),
    successors: ("BIGINT", 'STRUCT("move" VARCHAR, "index" BIGINT, distance INTEGER)[]'),
}
"""The functions of SQL, each with the types of its values and of its results."""


def open_session(data: Path, limits: StatementLimits = DEFAULT_LIMITS) -> Session:
    """A session over every table in the folder, each under its table name."""
    tables = SessionTables(data, limits.memory_mb * 1_000_000)
    functions = [Function(each.__name__, *kinds, tables.of_names(each)) for each, kinds in _FUNCTIONS.items()]
    attached = {name: AttachedTable(table_path(data, name), tables.states(name)) for name in tables.names}
    session = Session(attached, functions, limits)
    tables.digests = session.tables
    return session


def states(source: OpenTable) -> TableStates:
    """All states of a table."""
    space, table = source.space, source.table
    return TableStates(space.size, table.histograms, lambda first, last: space.distance_range(first, last, table.range))


class SessionTables:
    """The tables of a folder by table name, which together hold at most `memory` bytes.

    The file of each stays open once it was needed; its distances may be evicted. `names` gives the puzzle and the goal
    of each; `digests` those that the session has attached.
    """

    def __init__(self, data: Path, memory: int) -> None:
        tables = Tables(data, memory)
        self.names = {puzzle.table_name(goal): (puzzle.name, goal.name) for puzzle, goal in tables.built()}
        self.digests: dict[str, str] = {}
        self._tables = tables
        self._opened: dict[str, tuple[Puzzle, Goal, Table]] = {}

    def open(self, name: str) -> OpenTable:
        """One of the tables; raises MissingTable, or DamagedTable if its file is damaged or has been replaced."""
        if name not in self._opened:
            if name not in self.digests:
                raise MissingTable(f"there is no table {name!r}", "SELECT puzzle FROM puzzles lists the tables")
            source = self._tables.get(*self.names[name])
            if source.origin.tag != self.digests[name]:
                raise DamagedTable(f"the table {name!r} was replaced after the session began", "begin another session")
            self._opened[name] = source.puzzle, source.goal, source.table
        puzzle, goal, table = self._opened[name]  # no space, which the account of memory may free
        return OpenTable(puzzle, goal, puzzle.space(goal), table)

    def states(self, name: str) -> Callable[[], TableStates]:
        """A function that opens a table and gives all its states."""
        return lambda: states(self.open(name))

    def of_names(self, function: Callable[[OpenTable, pa.Array], pa.Array]) -> Callable[[pa.Array, pa.Array], pa.Array]:
        """Make a function of one table and values a function of table names and values; null for null.

        The function is called once for each table, with the values of all rows that name it.
        """

        def answer(names: pa.Array, values: pa.Array) -> pa.Array:
            given = pc.and_(names.is_valid(), values.is_valid())
            rows_of_parts, parts = [np.flatnonzero(~np.asarray(given))], []
            for name in names.filter(given).unique().to_pylist():
                rows = np.flatnonzero(np.asarray(pc.fill_null(pc.equal(names, name), False)) & np.asarray(given))
                rows_of_parts.append(rows)
                asked = values.take(pa.array(rows)) if len(rows) < len(values) else values
                parts.append(function(self.open(name), asked))
            if len(parts) == 1 and len(parts[0]) == len(values):
                return parts[0]
            nulls = pa.nulls(len(rows_of_parts[0]), parts[0].type if parts else pa.null())
            order = np.argsort(np.concatenate(rows_of_parts))
            return pa.concat_arrays([nulls, *parts]).take(pa.array(order))

        return answer
