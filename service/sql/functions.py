"""SQL over whole tables: what a session of db/sql/session.py needs to know of puzzles, and tables as Parquet."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from db import MissingTable, table_path
from db.sql import session as db_session
from db.sql.limits import DEFAULT_LIMITS, Limits
from db.sql.scan import States
from db.sql.session import AttachedTable, Function, Session
from puzzles import UNREACHED, Indices
from service.problems import InvalidRequest
from service.sources.folder import Tables
from service.sources.table import OpenTable

_SUCCESSOR = pa.struct([("move", pa.string()), ("index", pa.int64()), ("distance", pa.int32())])


def session(data: Path, limits: Limits = DEFAULT_LIMITS) -> Session:
    """A session over every table in the folder, each under its table name."""
    catalog = Catalog(data)
    functions = (
        Function("state_text", "BIGINT", "VARCHAR", catalog.by_table(state_text)),
        Function("state_index", "VARCHAR", "BIGINT", catalog.by_table(state_index)),
        Function("distance_of_text", "VARCHAR", "INTEGER", catalog.by_table(distance_of_text)),
        Function("distance_of_index", "BIGINT", "INTEGER", catalog.by_table(distance_of_index)),
        Function(
            "successors",
            "BIGINT",
            'STRUCT("move" VARCHAR, "index" BIGINT, distance INTEGER)[]',
            catalog.by_table(successors),
        ),
    )
    tables = {name: AttachedTable(table_path(data, name), catalog.states(name)) for name in catalog.names}
    begun = Session(tables, functions, limits)
    catalog.digests = begun.tables
    return begun


def queries() -> dict[str, str]:
    """The queries of db/sql/queries by name, with what each shows."""
    return {name: _shown(text) for name, text in db_session.queries().items()}


def _shown(query: str) -> str:
    """The comment that a query begins with."""
    lines = takewhile(lambda line: line.startswith("--"), query.splitlines())
    return " ".join(line.removeprefix("--").strip() for line in lines)


def text(session: Session, query: str, puzzle: str | None) -> str:
    """The statements that are meant: a query of db/sql/queries by name, a file, "-" for standard input, or SQL itself.

    Raises InvalidRequest where they ask one table and there are several, of which none is named.
    """
    known = db_session.queries()
    if query in known:
        statements = known[query]
    elif query == "-":
        statements = sys.stdin.read()
    else:
        statements = _file(Path(query)) if query.endswith(".sql") else query
    if puzzle is None and "getvariable('puzzle')" in statements:
        if len(session.tables) != 1:
            tables = ", ".join(session.tables) or "none yet, make build-db PUZZLE=... makes one"
            raise InvalidRequest("this query asks one table", f"name it with --puzzle; there are: {tables}")
        session.set_puzzle(next(iter(session.tables)))
    return statements


def _file(path: Path) -> str:
    if not path.is_file():
        raise InvalidRequest(f"there is no file {str(path)!r}", f"queries by name: {', '.join(db_session.queries())}")
    return path.read_text("utf-8")


class Catalog:
    """The tables of a folder by table name, each source when it is first needed and kept."""

    def __init__(self, data: Path) -> None:
        tables = Tables(data)
        self.names = {puzzle.table_name(goal): (puzzle.name, goal.name) for puzzle, goal in tables.built()}
        self._tables = tables
        self._opened: dict[str, OpenTable] = {}
        self.digests: dict[str, str] = {}

    def open(self, name: str) -> OpenTable:
        """One of them, as it was when the session began; raises MissingTable or DamagedTable."""
        if name not in self._opened:
            if name not in self.digests:
                raise MissingTable(f"there is no table {name!r}", "tables: SELECT puzzle FROM puzzles")
            source = self._tables.get(*self.names[name])
            if source.tag != self.digests[name]:
                raise source.table.file.damaged("is not the one the session began with: begin another")
            self._opened[name] = source
        return self._opened[name]

    def states(self, name: str) -> Callable[[], States]:
        """All its states, for a scan that opens it."""
        return lambda: states(self.open(name))

    def by_table(self, answer: Callable[[OpenTable, pa.Array], pa.Array]) -> Callable[[pa.Array, pa.Array], pa.Array]:
        """A function of table names and values, from one of a table and values; null for null."""

        def answered(names: pa.Array, values: pa.Array) -> pa.Array:
            given = pc.and_(names.is_valid(), values.is_valid())
            order, parts = [np.flatnonzero(~np.asarray(given))], []
            for name in names.filter(given).unique().to_pylist():
                rows = np.flatnonzero(np.asarray(pc.fill_null(pc.equal(names, name), False)) & np.asarray(given))
                order.append(rows)
                parts.append(
                    answer(self.open(name), values.take(pa.array(rows)) if len(rows) < len(values) else values)
                )
            if len(parts) == 1 and len(parts[0]) == len(values):
                return parts[0]
            kind = parts[0].type if parts else pa.null()
            joined = pa.concat_arrays([pa.nulls(len(order[0]), kind), *parts])
            return joined.take(pa.array(np.argsort(np.concatenate(order))))

        return answered


def states(source: OpenTable) -> States:
    """All states of a table."""
    space, table = source.space, source.table
    return States(space.size, table.census, lambda first, last: space.distance_range(first, last, table.range))


def state_text(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The states of indices, as text."""
    return _texts(source, _within(source, indices))


def state_index(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The indices of states, null outside the space; raises as the puzzle's `parse` does."""
    indices = _indices(source, texts)
    return pa.array(indices, mask=indices < 0)


def distance_of_text(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The distances of states, null where the goal cannot be reached; raises as the puzzle's `parse` does."""
    return _distances(source, _indices(source, texts))


def distance_of_index(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The distances of indices, null where the goal cannot be reached."""
    return _distances(source, _within(source, indices))


def successors(source: OpenTable, indices: pa.Array) -> pa.Array:
    """For each index the legal moves in the puzzle's order: move, index and distance of the state it leads to."""
    to = source.space.expand(_within(source, indices))
    legal = to >= 0
    offsets = np.concatenate([[0], np.cumsum(legal.sum(axis=1))]).astype(np.int32)
    leading = to[legal]
    moves = pa.array([move.name for move in source.puzzle.moves]).take(pa.array(np.nonzero(legal)[1]))
    columns = [moves, pa.array(leading), _distances(source, leading)]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(columns, fields=list(_SUCCESSOR)))


def _within(source: OpenTable, column: pa.Array) -> Indices:
    """Indices of the space; raises InvalidRequest for others."""
    indices: Indices = column.to_numpy()
    outside = (indices < 0) | (indices >= source.space.size)
    if outside.any():
        raise InvalidRequest(
            f"{source.puzzle.name} has no index {indices[outside][0]}", f"indices go from 0 to {source.space.size - 1}"
        )
    return indices


def _distances(source: OpenTable, indices: Indices) -> pa.Array:
    distances = source.distances(indices)
    return pa.array(distances, mask=distances == UNREACHED)


def _texts(source: OpenTable, indices: Indices) -> pa.Array:
    boards = source.space.unrank(indices)
    if source.puzzle.letters is None:
        return pa.array([source.puzzle.format(board) for board in boards], pa.string())
    length = source.puzzle.letters.length
    ends = pa.py_buffer(np.arange(0, (len(indices) + 1) * length, length, dtype=np.int32))
    return pa.StringArray.from_buffers(len(indices), ends, pa.py_buffer(np.ascontiguousarray(boards)))


def _indices(source: OpenTable, texts: pa.Array) -> Indices:
    """Indices of states, -1 outside the space: ranked many at a time where they are plain letters of one length."""
    letters = source.puzzle.letters
    indices = np.full(len(texts), UNREACHED, np.int64)
    if letters and pc.all(pc.equal(pc.binary_length(texts), letters.length)).as_py():
        characters = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
        first = texts.offset * letters.length
        indices = source.space.rank(characters[first : first + len(texts) * letters.length].reshape(-1, letters.length))
    for row in np.flatnonzero(indices < 0).tolist():
        indices[row] = source.puzzle.index(texts[row].as_py(), source.goal)
    return indices
