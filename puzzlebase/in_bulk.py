"""Many states of an opened puzzle at once: indices in, and arrays with a row for each out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards, Indices, Puzzle, Signed, Space
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.threads import on_all_processors

Mask = npt.NDArray[np.bool_]
Column = Collection[Any]
"""A list, an array, a column of a pandas or polars frame, or one of Arrow."""
AnArray = TypeVar("AnArray", bound=npt.NDArray[Any])

# States that a thread takes at a time. Arrays for fewer lie in small pages, which took up to
# half more time.
_TOGETHER = 1 << 19
_MOST_EXAMINED = 1 << 20  # states, for their symbols
_SAFE = 1 << 53  # its sum over all moves of a state has at most 63 bits


class InBulk(ABC):
    """The methods of a puzzle for many states at once.

    They take indices: integers in a list, an array, or a column of a frame or of Arrow. Each raises
    IndexError for one outside the space, TypeError for anything else, and NoSpace if states have no
    indices. What is about distances raises MissingTable without a whole table.
    """

    @property
    @abstractmethod
    def record(self) -> Puzzle:
        """The puzzle."""

    @abstractmethod
    def _table(self) -> OpenTable:
        """The table now; raises MissingTable."""

    @property
    @abstractmethod
    def _space(self) -> Space:
        """The space that numbers the states; raises NoSpace."""

    @property
    def size(self) -> int:
        """The number of indices: they go from 0 to size - 1."""
        return self._space.size

    def array(self) -> Signed:
        """The distances of all states by index, in the narrowest of int8, int16 and int32;
        -1 if the goal cannot be reached.
        """
        table = self._table()
        layers = max(len(table.table.info.layers), 1)
        ranges = on_all_processors(table.range, range(len(table.table.histograms)))
        # the type of a negative number has room for -1 too
        return np.concatenate(ranges, dtype=np.min_scalar_type(-layers))

    def indices(self, distance: int) -> Indices:
        """All states at a distance, ascending, int64[n];
        for -1 those from which the goal cannot be reached.
        """
        return self._table().states_between(distance, distance)

    def sample(self, n: int, by: Literal["distance"] | None = None, seed: int = 0) -> Indices:
        """A random sample of n states that can reach the goal, by distance n at each distance;
        ascending, int64[n]. Equal seeds give equal samples.

        No state is in it twice. Where there are fewer than n states, it takes all of them.
        """
        if by not in (None, "distance"):
            raise ValueError(f"a sample is by distance, or by nothing, not by {by!r}")
        table, random = self._table(), np.random.default_rng(seed)
        layers = table.table.info.layers
        every = range(len(layers))
        samples = [np.empty(0, np.int64)]
        for nearest, farthest in zip(every, every, strict=True) if by else [(0, len(layers) - 1)]:
            states = sum(layers[nearest : farthest + 1])
            ranks = random.choice(states, min(n, states), replace=False, shuffle=False)
            samples.append(table.states_between(nearest, farthest, np.sort(ranks)))
        return np.sort(np.concatenate(samples))

    def expand(self, indices: Column) -> Indices:
        """The state after each move, int64[n, moves]; -1 where the move is illegal.

        Moves are in the order of `moves`, but that of the state's own where they depend on it.
        """
        return rows_in_bulk(self._space.expand, self._checked(indices))

    def optimal(self, indices: Column) -> Mask:
        """True for each optimal move, in the order of `expand`: bool[n, moves].

        A solved state has none, nor one from which the goal cannot be reached.
        """
        table = self._table()

        def optimal(states: Indices) -> Mask:
            distances = table.distances(states)[:, None]
            return table.optimal_successors(states, distances)[1] & (distances > 0)

        return rows_in_bulk(optimal, self._checked(indices))

    def boards(self, indices: Column) -> Boards:
        """The states as numbers, uint8[n, places]:
        the characters of the text, if it has one for each place.
        """
        return rows_in_bulk(self._space.unrank, self._checked(indices))

    def texts(self, indices: Column) -> list[str]:
        """The states as texts, in the puzzle's own letters."""
        board, boards = self.record.board, self.boards(indices)
        return board.letters.texts(boards) if board.letters else [*map(board.format, boards)]

    @cached_property
    def symbols(self) -> Boards:
        """The numbers in boards, ascending, uint8[symbols]:
        of all states, or of a million at equal steps.
        """
        step = self.size // _MOST_EXAMINED + 1
        return np.unique(self.boards(np.arange(0, self.size, step)))

    def one_hot(self, indices: Column) -> Mask:
        """True for the symbol in each place, in the order of `symbols`:
        bool[n, places, symbols].
        """
        return np.equal(self.boards(indices)[:, :, None], self.symbols)

    def paths(self, indices: Column) -> Indices:
        """The number of shortest solutions of each state, int64[n]: 1 for a solved state,
        0 if the goal cannot be reached.

        It counts those of all states that are no farther, in 9 bytes for each state of the table.
        Raises OverflowError beyond 53 bits.
        """
        states, distances, expand = self._checked(indices), self.array(), self._space.expand
        paths = (distances == 0).astype(np.int64)
        for left in range(1, distances[states].max(initial=0) + 1):

            def through(some: Indices, left: int = left) -> Indices:
                after = expand(some)
                optimal = (after >= 0) & (distances[after] == left - 1)
                return np.sum(paths[after], axis=1, where=optimal)  # type: ignore[no-any-return]

            layer = np.flatnonzero(distances == left)
            paths[layer] = rows_in_bulk(through, layer)
            if paths[layer].max() > _SAFE:
                raise OverflowError("a state has more shortest solutions than 53 bits can count")
        return paths[states]  # type: ignore[no-any-return]

    def _checked(self, indices: Column) -> Indices:
        return indices_in_bulk(indices, self.size, self.record.name)


def column_in_bulk(values: Column) -> npt.NDArray[Any]:
    """The array of a column, by the type of its values also where they are objects of Python."""
    column = np.asarray(values if hasattr(values, "__array__") else [*values])
    return np.asarray(column.tolist()) if column.dtype == object else column


def indices_in_bulk(values: Column, size: int, name: str) -> Indices:
    """The indices in a column; raises TypeError for other values, and IndexError."""
    column = column_in_bulk(values)
    if not len(column):
        return np.empty(0, np.int64)
    if column.dtype.kind not in "iu" or column.ndim > 1:  # signed and unsigned integers
        raise TypeError(
            "states are given as texts or as integers, their indices, "
            f"not as {column.dtype}, shape {column.shape}"
        )
    indices = column.astype(np.int64, copy=False)
    outside = indices[(indices < 0) | (indices >= size)]
    if len(outside):
        raise IndexError(f"{name} has no index {outside[0]}; indices go from 0 to {size - 1}")
    return indices


def rows_in_bulk(work: Callable[[Indices], AnArray], indices: Indices) -> AnArray:
    """The rows that work makes of indices, in pieces on all processors."""
    pieces = [indices[at : at + _TOGETHER] for at in range(0, max(len(indices), 1), _TOGETHER)]
    return np.concatenate(on_all_processors(work, pieces))  # type: ignore[return-value]
