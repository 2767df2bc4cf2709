"""The SQL functions of states. Each takes one table and a column of values, and returns a column of equal length."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from puzzlebase.puzzles import UNREACHED, Indices
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable

_SUCCESSOR = pa.struct([("move", pa.string()), ("index", pa.int64()), ("distance", pa.int32())])


def state_text(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The states of indices, as text; raises InvalidRequest for an index outside the space.

    Where a state is letters of one length, they are handed to Arrow as they are.
    """
    boards = source.space.unrank(_checked(source, indices))
    if source.puzzle.board.letters is None:
        return pa.array([source.puzzle.format(board) for board in boards], pa.string())
    length = source.puzzle.board.letters.length
    ends = pa.py_buffer(np.arange(0, (len(indices) + 1) * length, length, dtype=np.int32))
    return pa.StringArray.from_buffers(len(indices), ends, pa.py_buffer(np.ascontiguousarray(boards)))


def state_index(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The indices of states, null outside the space; raises as the puzzle's `parse` does."""
    indices = _indices(source, texts)
    return pa.array(indices, mask=indices < 0)


def distance_of_text(source: OpenTable, texts: pa.Array) -> pa.Array:
    """The distances of states, null if the goal cannot be reached; raises as the puzzle's `parse` does."""
    return _distances(source, _indices(source, texts))


def distance_of_index(source: OpenTable, indices: pa.Array) -> pa.Array:
    """The distances of indices, null if the goal cannot be reached; raises InvalidRequest outside the space."""
    return _distances(source, _checked(source, indices))


def successors(source: OpenTable, indices: pa.Array) -> pa.Array:
    """For each index, a list of its legal moves in the puzzle's order, with the index and distance each leads to.

    Raises InvalidRequest for an index outside the space.
    """
    to = source.space.expand(_checked(source, indices))
    legal = to >= 0
    ends = np.concatenate([[0], np.cumsum(legal.sum(axis=1))]).astype(np.int32)
    reached = to[legal]
    moves = pa.array([move.name for move in source.puzzle.moves]).take(pa.array(np.nonzero(legal)[1]))
    columns = [moves, pa.array(reached), _distances(source, reached)]
    return pa.ListArray.from_arrays(pa.array(ends), pa.StructArray.from_arrays(columns, fields=list(_SUCCESSOR)))


def at_home(source: OpenTable, indices: pa.Array) -> pa.Array:
    """How many pieces are where they are in the solved state, or in the one that most of them fit.

    Null where pieces have no homes that one can count. Raises InvalidRequest for an index outside the space.
    """
    checked, counted = _checked(source, indices), source.puzzle.board.at_home
    if counted is None or not len(source.space.goal_states):
        return pa.nulls(len(indices), pa.int32())
    boards = source.space.unrank(checked)
    each = [counted(solved, boards) for solved in source.space.unrank(source.space.goal_states)]
    return pa.array(np.max(each, axis=0), pa.int32())


def _checked(source: OpenTable, column: pa.Array) -> Indices:
    """A column as indices of the space; raises InvalidRequest if one is outside it."""
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


def _indices(source: OpenTable, texts: pa.Array) -> Indices:
    """The indices of states, -1 outside the space. Where states are letters of one length, all are ranked at once."""
    letters = source.puzzle.board.letters
    indices = np.full(len(texts), UNREACHED, np.int64)
    if letters and pc.all(pc.equal(pc.binary_length(texts), letters.length)).as_py():
        characters = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
        first = texts.offset * letters.length
        indices = source.space.rank(characters[first : first + len(texts) * letters.length].reshape(-1, letters.length))
    for row in np.flatnonzero(indices < 0).tolist():
        indices[row] = source.puzzle.index(texts[row].as_py(), source.goal)
    return indices
