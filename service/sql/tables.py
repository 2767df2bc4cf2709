"""A SQL session over the tables of a folder, and its functions,
each from one table and a column to a column.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.sql.attach import AttachedTable, Function
from puzzlebase.db.sql.errors import no_table
from puzzlebase.db.sql.limits import DEFAULT_LIMITS, StatementLimits
from puzzlebase.db.sql.scan import TableStates
from puzzlebase.db.sql.session import Session
from puzzlebase.paths import table_path
from puzzlebase.puzzles import UNREACHED, Indices
from puzzlebase.sentinels import NO_STATE
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable

_SUCCESSOR = pa.struct([("move", pa.string()), ("index", pa.int64()), ("distance", pa.int32())])


def state_text(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The states of indices, as text; raises InvalidRequest for an index outside the space."""
    boards = source.space.unrank(_checked(source, indices))
    if source.puzzle.board.letters is None:
        return pa.array([source.puzzle.format(board) for board in boards], pa.string())
    length = source.puzzle.board.letters.length
    ends = pa.py_buffer(np.arange(0, (len(indices) + 1) * length, length, dtype=np.int32))
    return pa.StringArray.from_buffers(
        len(indices), ends, pa.py_buffer(np.ascontiguousarray(boards))
    )


def state_index(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The indices of states, null outside the space; raises as the puzzle's `parse` does."""
    indices = _indices(source, texts)
    return pa.array(indices, mask=indices < 0)


def distance_of_text(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The distances of states, null if the goal cannot be reached;
    raises as the puzzle's `parse` does.
    """
    return _distances(source, _indices(source, texts))


def distance_of_index(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The distances of indices, null if the goal cannot be reached;
    raises InvalidRequest outside the space.
    """
    return _distances(source, _checked(source, indices))


def successors(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The legal moves of each index, in order,
    each with the index and distance after it. Raises InvalidRequest.
    """
    to = source.space.expand(_checked(source, indices))
    legal = to >= 0
    ends = np.concatenate([[0], np.cumsum(legal.sum(axis=1))]).astype(np.int32)
    reached = to[legal]
    if source.puzzle.names_vary:
        texts = (
            source.puzzle.format(board) for board in source.space.unrank(_checked(source, indices))
        )
        names = [source.puzzle.moves_of(text) for text in texts]
        moves = pa.array(
            [names[row][slot].name for row, slot in zip(*np.nonzero(legal), strict=True)],
            pa.string(),
        )
    else:
        moves = pa.array([move.name for move in source.puzzle.moves]).take(
            pa.array(np.nonzero(legal)[1])
        )
    columns = [moves, pa.array(reached), _distances(source, reached)]
    return pa.ListArray.from_arrays(
        pa.array(ends), pa.StructArray.from_arrays(columns, fields=list(_SUCCESSOR))
    )


def at_home(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The number of pieces at home, by the goal state that most of them fit;
    null if the puzzle has no homes.

    Raises InvalidRequest for an index outside the space.
    """
    checked, counted = _checked(source, indices), source.puzzle.board.at_home
    if counted is None or not len(source.space.goal_states):
        return pa.nulls(len(indices), pa.int32())
    boards = source.space.unrank(checked)
    each = [counted(solved, boards) for solved in source.space.unrank(source.space.goal_states)]
    return pa.array(np.max(each, axis=0), pa.int32())


def _checked(source: OpenTable, column: pa.Array) -> Indices:
    """Read a column as indices of the space; raises InvalidRequest if one is outside."""
    indices: Indices = column.to_numpy()
    outside = (indices < 0) | (indices >= source.space.size)
    if outside.any():
        raise InvalidRequest(
            f"{source.puzzle.name} has no index {indices[outside][0]}",
            f"indices go from 0 to {source.space.size - 1}",
        )
    return indices


def _distances(source: OpenTable, indices: Indices) -> pa.Array:
    distances = source.distances(indices)
    return pa.array(distances, mask=distances == UNREACHED)


def _indices(source: OpenTable, texts: pa.Array) -> Indices:
    """The indices of states, -1 outside the space;
    states of one length in letters are ranked at once.
    """
    letters = source.puzzle.board.letters
    indices = np.full(len(texts), NO_STATE, np.int64)
    if letters and pc.all(pc.equal(pc.binary_length(texts), letters.length)).as_py():
        characters = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
        first = texts.offset * letters.length
        indices = source.space.rank(
            characters[first : first + len(texts) * letters.length].reshape(-1, letters.length)
        )
    for row in np.flatnonzero(indices < 0).tolist():
        indices[row] = source.puzzle.index(texts[row].as_py(), source.goal)
    return indices


# The functions of SQL, each with the types of its values and of its results.
_FUNCTIONS: dict[Callable[[OpenTable, pa.Array], pa.Array], tuple[str, str]] = {
    state_text: ("BIGINT", "VARCHAR"),
    state_index: ("VARCHAR", "BIGINT"),
    distance_of_text: ("VARCHAR", "INTEGER"),
    distance_of_index: ("BIGINT", "INTEGER"),
    at_home: ("BIGINT", "INTEGER"),
    successors: ("BIGINT", 'STRUCT("move" VARCHAR, "index" BIGINT, distance INTEGER)[]'),
}


def open_session(data: Path, limits: StatementLimits = DEFAULT_LIMITS) -> Session:
    """Open a session over every table in the folder, each under its table name."""
    tables = SessionTables(data, limits.memory_mb * 1_000_000)
    functions = [
        Function(each.__name__, *kinds, tables.of_names(each)) for each, kinds in _FUNCTIONS.items()
    ]
    attached = {
        name: AttachedTable(table_path(data, name), tables.states(name)) for name in tables.names
    }
    session = Session(data, attached, functions, limits)
    tables.digests = session.tables
    return session


def states(source: OpenTable) -> TableStates:
    """All states of a table."""
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
            raise no_table(table_path(self._sources.folder.data, name))
        source = self._sources.table(*self.names[name])
        if source.origin.tag != self.digests[name]:
            raise DamagedTable(
                f"the table {name!r} was replaced after the session began", "begin another session"
            )
        return source

    def states(self, name: str) -> Callable[[], TableStates]:
        """Make a function that opens a table and returns all its states."""
        return lambda: states(self.open(name))

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
