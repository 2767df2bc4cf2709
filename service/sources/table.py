"""A whole table as a source: the distance of every state is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.db.table import Table
from puzzlebase.puzzles import Distances, Goal, Indices, Puzzle, Signed, Space
from puzzlebase.sentinels import NOT_FOLLOWED, UNKNOWN, UNREACHED
from puzzlebase.service.sources.budget import NO_DEADLINE, Deadline
from puzzlebase.service.sources.source import Origin, ShortestPaths
from puzzlebase.threads import on_all_processors

# states between two checks of the deadline, in a table that is read block by block: 1 ms each
_READ_TOGETHER = 256


@dataclass(frozen=True)
class OpenTable(ShortestPaths):
    """A puzzle, a goal and their table, all from one build."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    table: Table
    deadline: Deadline = NO_DEADLINE

    @cached_property
    def origin(self) -> Origin:
        """The origin: a table, with its digest."""
        return Origin("table", self.table.header.digest)

    def as_table(self) -> OpenTable:
        """This table."""
        return self

    @property
    def ladder(self) -> Sequence[int]:
        """The number of states at each distance."""
        return self.table.info.layers

    def index(self, text: str) -> int:
        """The index of a state as by `Source.index`."""
        return table_source_index(self.puzzle, self.space, text)

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:  # noqa: ARG002
        """Distances of states, as by `distances`."""
        found: list[int] = self.distances(np.array(indices, np.int64)).tolist()
        return found

    def distances(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n], as by `Source.distances_of`."""
        if self.space.directed and (not_followed := indices == NOT_FOLLOWED).any():
            return np.where(not_followed, UNKNOWN, self.distances(np.maximum(indices, -1))).astype(
                np.int32
            )
        blocks = self.table.blocks or self.table.load()
        if len(indices) <= _READ_TOGETHER or blocks.in_memory:
            return self.space.distances(indices, blocks.probe)
        distances = np.empty(len(indices), np.int32)
        order = np.argsort(indices)  # so that few blocks are read twice
        for first in range(0, len(indices), _READ_TOGETHER):
            self.deadline.check()
            some = order[first : first + _READ_TOGETHER]
            distances[some] = self.space.distances(indices[some], blocks.probe)
        return distances

    def optimal_successors(
        self, states: Indices, distance: int | Distances
    ) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """The successors of states, as by `ShortestPaths.optimal_successors`."""
        self.deadline.check()
        successors = self.space.expand(states)
        distances = self.distances(successors.reshape(-1)).reshape(successors.shape)
        return successors, (distances == distance - 1) & (successors >= 0)

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The neighbours of a state, as by `Source.neighbours`."""
        if index == NOT_FOLLOWED:
            moves = self.space.expand(np.array([-1])).shape[1]
            return [-1] * moves + [index], [UNKNOWN] * (moves + 1)
        state = np.array([index])
        indices = np.concatenate((self.space.expand(state)[0], state))
        blocks = self.table.blocks or self.table.load()
        return indices.tolist(), self.space.distances(indices, blocks.probe).tolist()

    def locate(self, min_distance: int, max_distance: int, rank: int) -> int:
        """The index of the state of a rank, as by `states_between`."""
        return int(self.states_between(min_distance, max_distance, np.array([rank]))[0])

    def states_between(
        self, min_distance: int, max_distance: int, ranks: Indices | None = None
    ) -> Indices:
        """The states in a range of distances, which may be UNREACHED alone, ascending;
        of these those of ranks, ascending, by default all.

        Reads only the ranges of states that have them. Raises DamagedTable.
        """
        histograms = self.table.histograms
        # Histograms count only states that have a distance.
        lost = max_distance == UNREACHED
        counts = (
            histograms.lost(self.space.size)
            if lost
            else histograms.between(min_distance, max_distance)
        )
        up_to = np.cumsum(counts)
        before = up_to - counts
        if ranks is None:
            ranks = np.arange(up_to[-1])
        begins, ends = np.searchsorted(ranks, before), np.searchsorted(ranks, up_to)

        def read(number: int) -> Indices:
            self.deadline.check()
            distances = self.range(number)
            states = np.flatnonzero((distances >= min_distance) & (distances <= max_distance))
            if len(states) != counts[number]:
                raise self.table.header.damaged("has histograms of other distances")
            wanted = ranks[begins[number] : ends[number]] - before[number]
            return number * histograms.length + states[wanted]  # type: ignore[no-any-return]

        with_some = np.flatnonzero(ends > begins).tolist()
        return np.concatenate([ranks[:0], *on_all_processors(read, with_some)])

    def range(self, number: int) -> Signed:
        """The distances of the states in a range of the histograms, by its number."""
        length = self.table.histograms.length
        first, last = number * length, min((number + 1) * length, self.space.size)
        return self.space.distance_range(first, last, self.table.range)

    def antipodes(self, offset: int, limit: int) -> list[str]:
        """A page of the states farthest from the goal;
        raises DamagedTable if the file has false ones.
        """
        info = self.table.info
        indices = np.array(self.table.antipodes(offset, limit), np.int64)
        stored = min(sum(info.layers[-1:]), self.table.kept)
        sound = (
            len(indices) == min(limit, max(stored - offset, 0))
            and ((indices >= 0) & (indices < info.states)).all()
        )
        if not sound or (self.distances(indices) != info.gods_number).any():
            raise self.table.header.damaged("has antipodes that are not at the largest distance")
        # The file has texts too, but goals that share a table may have letters of their own.
        return (
            [self.puzzle.format(board) for board in self.space.unrank(indices)]
            if len(indices)
            else []
        )


def table_source_index(puzzle: Puzzle, space: Space, text: str) -> int:
    """The index of a state in the source of a table, as by `Source.index`."""
    letters = puzzle.board.letters
    if letters and letters.fits(text):
        index: int = space.rank(letters.board(text)).item()
        if index >= 0:
            return index
    board = puzzle.parse(text)
    index = int(space.rank(board[None, :])[0])
    return NOT_FOLLOWED if index < 0 and space.directed else index
