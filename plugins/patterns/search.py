"""A search with patterns: exact distances if no table of the whole puzzle fits.

The search follows every path that the patterns' lower bounds allow within a limit of moves, and
raises the limit until a path reaches the goal (iterative deepening, IDA*). The limit that succeeds
is searched to its end, but each first move only until it begins one solution: far states have
hundreds of them, so nearly every first move begins one soon. If a limit takes long, paths whose
bounds leave a margin come first, since they are few. Source: R. E. Korf, Artificial Intelligence
27, 1985.

It moves only coordinates: a state is a row and a column of each pattern, and moves are tables of
rows and columns (tables.py, kernels.py). A long search is shared among threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from puzzlebase.machine import processors
from puzzlebase.plugins.patterns import kernels
from puzzlebase.plugins.patterns.kernels import Array, PathBlocks, PatternMoves, SearchTables
from puzzlebase.plugins.patterns.pieces import WithPieces
from puzzlebase.plugins.patterns.tables import (
    JoinedTables,
    pattern_tables_of_pieces,
    table_of_next_moves,
    word_and_column_in_table,
)
from puzzlebase.puzzles import Goal, Patterns, Puzzle
from puzzlebase.puzzles.contract.space import Distances, Indices, Shortest, Space, Spend
from puzzlebase.sentinels import UNREACHED
from puzzlebase.service.sources.table import OpenTable

_BITS = 62  # of moves that solved patterns tell apart
_NO_MARGIN = 1 << 62  # moves left from which on a bound has to be lower
_NONE = np.empty(0, np.int64)


class Effort(NamedTuple):
    """The sizes of a search's steps."""

    children: int = 1 << 10  # made together
    # moves examined, in a tenth of a second, before a search reports and shares what is left
    slice: int = 1 << 20
    # moves examined within a limit, in some 20 s, before paths with a margin come first
    long: int = 1 << 28
    threads: int = processors()


class PatternSearch:
    """Searches to one goal with the tables of its patterns."""

    def __init__(
        self,
        puzzle: Puzzle,
        goal: Goal,
        patterns: Patterns,
        pattern_tables: Mapping[str, OpenTable],
        effort: Effort | None = None,
    ) -> None:
        self._puzzle, self._patterns, self._effort = puzzle, patterns, effort or Effort()
        self._pattern_tables = [pattern_tables[pattern.puzzle] for pattern in patterns.patterns]
        groups = [pattern.group for pattern in patterns.patterns]
        self._begins = np.flatnonzero(np.diff(groups, prepend=-1, append=-1))
        tables = JoinedTables(patterns, pattern_tables)
        of = np.array([tables.of[pattern.puzzle] for pattern in patterns.patterns])
        for group in np.split(
            of[:, [kernels.KIND_BITS, kernels.SYMMETRY_BITS]], self._begins[1:-1]
        ):
            assert (group == group[0]).all()
        self._held = tables.held
        none = np.full(patterns.positions.shape[1], -1, np.int16)
        solved = self._located(goal.states[0])[0]
        of[:, kernels.ENDS], bit_of = self._ends(solved)
        vertices = np.stack(
            [none if each.vertices is None else each.vertices for each in patterns.patterns]
        )
        self._tables = SearchTables(
            table_of_next_moves(patterns),
            bit_of,
            patterns.positions,
            np.array([*map(word_and_column_in_table, self._pattern_tables, solved)]),
            pattern_tables_of_pieces(patterns, goal, self._pattern_tables[0].space),
            PatternMoves(
                of, tables.edges(patterns.patterns), vertices, self._begins, *tables.arrays
            ),
        )

    def _ends(self, solved: Indices) -> tuple[Indices, Indices]:
        """The bits of moves that change a pattern's solved state,
        [patterns], and the bit of each move.

        All bits for patterns that add up or have orbits, whose bounds may be too low for an end.
        """
        stay = np.zeros((len(solved), len(self._patterns.follows)), np.bool_)
        groups = Counter(pattern.group for pattern in self._patterns.patterns)
        for number, (pattern, table) in enumerate(
            zip(self._patterns.patterns, self._pattern_tables, strict=True)
        ):
            if groups[pattern.group] == 1 and pattern.vertices is None and len(pattern.edges) == 1:
                to = np.append(table.space.expand(solved[[number]])[0], solved[number])[
                    pattern.edges[0]
                ]
                stay[number] = to == solved[number]
        kinds, bit_of = np.unique(stay, axis=1, return_inverse=True)
        if kinds.shape[1] > _BITS:
            return np.full(len(solved), -1), np.zeros(stay.shape[1], np.int64)
        bits = 1 << np.arange(kinds.shape[1])
        return np.where(kinds.any(axis=1), (~kinds) @ bits, -1), bit_of.reshape(-1)

    def _bound(self, distances: Distances) -> int:
        return (
            UNREACHED
            if (distances < 0).any()
            else int(np.add.reduceat(distances, self._begins[:-1]).max())
        )

    def shortest(self, space: Space, index: int, spend: Spend, *, least: int = 1) -> Shortest:
        """As `GraphSearch.shortest`, in any space of the goal's states:
        the distance and all optimal first moves.
        """
        text = self._puzzle.format(space.unrank(np.array([index]))[0])
        indices, distances = self._located(text)
        bound = self._bound(distances)
        if bound < 0:
            return Shortest(UNREACHED, 0)
        if index in space.goal_states:
            return Shortest(0, 0, (np.array([index]),))
        limit, margins = max(bound, least, 1), [_NO_MARGIN]
        solved = np.zeros(len(self._tables.bit_of), np.bool_)
        with ThreadPoolExecutor(self._effort.threads) as pool:
            while spend(0, limit):
                examined = 0
                for margin in margins:
                    walk = PathWalk(limit, margin, self._blocks(text, indices, distances, limit))
                    looked = self._followed(walk, solved, spend, pool)
                    if looked is None:
                        return Shortest(None, limit)
                    examined += looked
                if solved.any():
                    nearer = np.unique(space.expand(np.array([index]))[0, solved])
                    return Shortest(
                        limit, limit, (*[_NONE] * (limit - 1), nearer, np.array([index]))
                    )
                if examined > self._effort.long:
                    margins = [bound, _NO_MARGIN]
                limit += self._patterns.step
        return Shortest(None, limit)

    def _followed(
        self, begin: PathWalk, solved: Array, spend: Spend, pool: ThreadPoolExecutor
    ) -> int | None:
        """Follow all paths of a walk, with all threads if it is long.

        Returns the number of moves examined, or None if the budget ends before the paths.
        """
        examined, paused, running = 0, [begin], dict[Future[int], PathWalk]()
        while paused or running:
            if len(paused) == 1 and not running and not examined:  # a short search needs no thread
                looked = begin.go_on(self._effort.slice, self._tables, solved)
            else:
                free = self._effort.threads - len(running) - len(paused)
                paused += [walk.share() for walk in paused[:free]]
                running |= {
                    pool.submit(walk.go_on, self._effort.slice, self._tables, solved): walk
                    for walk in paused
                }
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                paused = [running.pop(each) for each in done]
                looked = sum(each.result() for each in done)
            examined += looked
            paused = [walk for walk in paused if walk.level >= 0]
            if not spend(looked, begin.limit) and (paused or running):
                return None
        return examined

    def _blocks(self, text: str, indices: Indices, distances: Distances, limit: int) -> PathBlocks:
        """The blocks of all levels of a limit, which begin with a state."""
        patterns, groups, most = (
            len(self._pattern_tables),
            len(self._begins) - 1,
            self._tables.choices.shape[2],
        )
        together = max(self._effort.children // most, 1)  # states that are expanded
        children = together * most
        length = together + children
        levels = np.zeros((limit + 1, kernels.LEVEL_NUMBERS), np.int64)
        links = np.empty((limit + 1, length, kernels.LINKS), np.int32)
        states = np.empty((limit + 1, length, 3 * patterns + groups), np.int32)
        codes = np.empty((limit + 1, length, len(self._tables.pieces.solved)), np.uint16)
        if isinstance(self._patterns, WithPieces):
            codes[0, 0] = self._patterns.codes(text)
        levels[0, kernels.COUNT] = 1
        links[0, 0] = -1, len(self._tables.bit_of), self._patterns.position(text), -1
        words, columns = zip(
            *map(word_and_column_in_table, self._pattern_tables, indices), strict=True
        )
        states[0, 0, : 3 * patterns] = np.stack([words, columns, distances], axis=1).reshape(-1)
        states[0, 0, 3 * patterns :] = np.add.reduceat(distances, self._begins[:-1])
        child, alive = np.empty((children, 2), np.uint32), np.empty(children, np.uint32)
        made = np.empty((groups, children, 4), np.uint32)
        cells, known = np.empty((2, max(children, patterns * together)), np.int64)
        ends, may = np.empty(children, np.int64), np.empty(together, np.int64)
        return PathBlocks(levels, links, states, codes, child, alive, made, cells, known, ends, may)

    def _located(self, text: str) -> tuple[Indices, Distances]:
        """The index and the distance of a state in each abstraction."""
        pairs = [*zip(self._patterns.patterns, self._pattern_tables, strict=True)]
        indices = [
            np.array([each.puzzle.index(pattern.state(text), each.goal)]) for pattern, each in pairs
        ]
        distances = [each.distances(index) for index, (_, each) in zip(indices, pairs, strict=True)]
        return np.concatenate(indices), np.concatenate(distances)


@dataclass(eq=False)
class PathWalk:
    """The paths that one thread follows within a limit: blocks of states."""

    limit: int
    margin: int
    blocks: PathBlocks
    level: int = 0  # -1 when all paths are done

    def go_on(self, most: int, tables: SearchTables, solved: Array) -> int:
        """Examine about so many moves, and return their number; note first moves of solutions."""
        self.level, looked = kernels.deepen_kernel(
            self.limit, self.level, most, self.margin, self.blocks, tables, solved
        )
        return int(looked)

    def share(self) -> PathWalk:
        """Give half of the states left to expand to another walk, which is returned."""
        levels = self.blocks.levels
        middle = (levels[:, kernels.NEXT] + levels[:, kernels.COUNT] + 1) // 2
        others = PathBlocks(*(each.copy() for each in self.blocks))
        levels[:, kernels.COUNT] = others.levels[:, kernels.NEXT] = middle
        return replace(self, blocks=others)
