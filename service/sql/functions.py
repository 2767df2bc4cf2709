"""The SQL functions of puzzles, each from one table and a column to a column."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from puzzlebase.puzzles import UNREACHED, Indices
from puzzlebase.sentinels import NO_STATE
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable

_SUCCESSOR = pa.struct([("move", pa.string()), ("index", pa.int64()), ("distance", pa.int32())])


def state_text(source: OpenTable, indices: pa.Array) -> pa.Array:
    """SQL's text of the states of indices; raises InvalidRequest for an index outside the space."""
    boards = source.space.unrank(_checked(source, indices))
    if source.puzzle.board.letters is None:
        return pa.array([source.puzzle.format(board) for board in boards], pa.string())
    length = source.puzzle.board.letters.length
    ends = pa.py_buffer(np.arange(0, (len(indices) + 1) * length, length, dtype=np.int32))
    return pa.StringArray.from_buffers(
        len(indices), ends, pa.py_buffer(np.ascontiguousarray(boards))
    )


def state_index(source: OpenTable, texts: pa.Array) -> pa.Array:
    """SQL's indices of states, null outside the space; raises as the puzzle's `parse` does."""
    indices = _indices(source, texts)
    return pa.array(indices, mask=indices < 0)


def distance_of_text(source: OpenTable, texts: pa.Array) -> pa.Array:
    """SQL's distances of states, null if the goal cannot be reached;
    raises as the puzzle's `parse` does.
    """
    return _distances(source, _indices(source, texts))


def distance_of_index(source: OpenTable, indices: pa.Array) -> pa.Array:
    """SQL's distances of indices, null if the goal cannot be reached;
    raises InvalidRequest outside the space.
    """
    return _distances(source, _checked(source, indices))


def successors(source: OpenTable, indices: pa.Array) -> pa.Array:
    """SQL's list of the legal moves of each index, in order,
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
    """SQL's number of pieces at home, by the goal state that most of them fit;
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
FUNCTIONS: dict[Callable[[OpenTable, pa.Array], pa.Array], tuple[str, str]] = {
    state_text: ("BIGINT", "VARCHAR"),
    state_index: ("VARCHAR", "BIGINT"),
    distance_of_text: ("VARCHAR", "INTEGER"),
    distance_of_index: ("BIGINT", "INTEGER"),
    at_home: ("BIGINT", "INTEGER"),
    successors: ("BIGINT", 'STRUCT("move" VARCHAR, "index" BIGINT, distance INTEGER)[]'),
}
