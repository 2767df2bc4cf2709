"""The index side of Panguru: rows and columns.

Every arrangement of the pebbles can be solved, so index = row * width + column numbers the states
without a gap. When a pebble of a row colour leaps, the column stays, since the slots keep their
order. When any other leaps, its colour changes its slot. The colours are divided so that rows and
columns are both short: for the 15 places, three colours in 4,054,050 rows and four in 2,520
columns.

Glossary
    code        0 for the hole, then the colours in the order in which the goal's plates first show
                them. So goals that differ in the names of colours alone have one index and share
                one table.
    row         the places of the hole and of the first colours, with the others not told apart.
    symbol      of a place in the row: 0 for the hole, the codes of the row's colours, and the last
                for all others.
    column      the order of the other colours in the places left, which are its slots.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from weakref import ref

import numpy as np

from puzzlebase.puzzles import Board, Boards, Goal, Indices, ProductForm, Space, kernel
from puzzlebase.puzzles.families.panguru.board import HOLE, ODD, PanguruRules, board_colours, parse
from puzzlebase.puzzles.families.panguru.search import PanguruSearch
from puzzlebase.puzzles.machinery.automaton import Arrangements, walk

_WIDEST = 5040  # columns of a row, which has at least one colour if there are several


class PanguruIndex:
    """The indices of all boards of codes,
    and the moves between them; the goals of a puzzle share them.
    """

    def __init__(self, rules: PanguruRules) -> None:
        counts = rules.counts
        several = range(len(counts) > 1, len(counts))
        apart = next(first for first in several if Arrangements(counts[first:]).size <= _WIDEST)
        self.aligned = rules.aligned
        self.rows = Arrangements((1, *counts[:apart], sum(counts[apart:])))
        self.columns = Arrangements(counts[apart:])
        self.shift, self.column_map = self.columns.shifts()
        self._made: Callable[[], ProductForm | None] = lambda: None
        self.last = self.rows.automaton.symbols - 1
        self.tables = self.rows.automaton.transitions, self.aligned, self.shift
        codes = np.arange(len(counts) + 1, dtype=np.uint8)
        self.search = PanguruSearch(
            self.aligned, counts, partial(self.rank, codes), partial(self.unrank, codes)
        )

    def expand(self, indices: Indices) -> Indices:
        """The successors, as those of `Graph.expand`."""
        successors = np.empty((len(indices), len(self.aligned)), np.int64)
        _expand(indices, *self.tables, self.column_map, successors)
        return successors

    def product(self) -> ProductForm:
        """The moves of all rows: kind 0 keeps the column,
        the others take one of its colours from slot to slot.

        For the 15 places it takes half a gigabyte and 2 s,
        so all callers share one while any of them holds it.
        """
        if made := self._made():
            return made
        row_move = np.empty((len(self.aligned), self.rows.size), np.int32)
        kind = np.empty_like(row_move)
        _tabulate(*self.tables, row_move, kind)
        made = ProductForm(row_move, kind, self.column_map)
        self._made = ref(made)
        return made

    def rank(self, codes: Boards, boards: Boards) -> Indices:
        """Rank boards; `codes` are those of their letters,
        255 for a letter that the goal does not have.
        """
        symbols = codes[boards]
        of_row = np.where(symbols < 255, np.minimum(symbols, self.last), 255)
        slots = np.argsort(symbols < self.last, axis=1, kind="stable")[:, : self.columns.length]
        of_column = np.maximum(np.take_along_axis(symbols, slots, axis=1), self.last) - self.last
        row, column = (
            self.rows.rank(of_row.astype(np.uint8)),
            self.columns.rank(of_column.astype(np.uint8)),
        )
        return np.where((row < 0) | (column < 0), -1, row * self.columns.size + column)

    def unrank(self, letters: Board, indices: Indices) -> Boards:
        """The boards of indices; `letters` are those of the codes."""
        rows, columns = np.divmod(indices, self.columns.size)
        symbols = self.rows.automaton.unrank(rows)
        others = symbols == self.last
        slots = np.maximum(others.cumsum(axis=1) - 1, 0)
        boards: Boards = letters[symbols + others * self.columns.sequences[columns[:, None], slots]]
        return boards


index_of = lru_cache(PanguruIndex)


def space(rules: PanguruRules, goal: Goal) -> Space:
    """The space of a goal: all states."""
    index = index_of(rules)
    solved = parse(rules, goal.states[0])
    letters = np.frombuffer(board_colours(goal.name).replace(ODD, HOLE).encode("ascii"), np.uint8)
    codes = np.full(256, 255, np.uint8)
    codes[letters] = np.arange(len(letters))
    return Space(
        size=index.rows.size * index.columns.size,
        expand=index.expand,
        goal_states=index.rank(codes, solved[None, :]),
        product=index.product,
        rank=partial(index.rank, codes),
        unrank=partial(index.unrank, letters),
        connected=rules.connected,
    )


@kernel
def _leap(row, transitions, aligned, shift, path, to, kinds):  # type: ignore[no-untyped-def]
    """Find the rows that the moves of a row lead to,
    -1 for an illegal move, and the kinds of their column maps.

    A leap changes symbols and nodes only between the place and the hole, and only there the row is
    ranked anew. `path` is memory for the row's path and for the slot of each place.
    """
    symbols, nodes, sums, slots = path[0], path[1], path[2], path[3]
    walk(row, transitions, symbols, nodes, sums)
    places = len(aligned)
    last = transitions.shape[1] - 1
    hole = 0
    count = 0
    for place in range(places):
        slots[place] = count
        if symbols[place] == 0:
            hole = place
        elif symbols[place] == last:
            count += 1
    for place in range(places):
        to[place] = -1
        if not aligned[hole, place]:
            continue
        first, end = min(hole, place), max(hole, place) + 1
        node = np.int64(nodes[first])
        rank = row + sums[first] - sums[end]
        moved = symbols[place]
        symbols[hole], symbols[place] = moved, 0
        for at in range(first, end):
            rank += transitions[node, symbols[at], 1]
            node = np.int64(transitions[node, symbols[at], 0])
        symbols[hole], symbols[place] = 0, moved
        to[place] = rank
        kinds[place] = 0
        if moved == last:
            kinds[place] = shift[slots[place], slots[hole] - (place < hole)]


@kernel
def _expand(indices, transitions, aligned, shift, column_map, successors):  # type: ignore[no-untyped-def]
    places = len(aligned)
    width = column_map.shape[1]
    path = np.empty((4, places + 1), np.int64)
    to, kinds = np.empty(places, np.int64), np.empty(places, np.int64)
    for i in range(len(indices)):
        successors[i] = -1
        if indices[i] < 0:
            continue
        row = indices[i] // width
        _leap(row, transitions, aligned, shift, path, to, kinds)
        column = indices[i] - row * width
        for m in range(places):
            if to[m] >= 0:
                successors[i, m] = to[m] * width + np.int64(column_map[kinds[m], column])


@kernel
def _tabulate(transitions, aligned, shift, row_move, kind):  # type: ignore[no-untyped-def]
    """Tabulate the moves of all rows: int32[places, rows] each."""
    places = len(aligned)
    path = np.empty((4, places + 1), np.int64)
    to, kinds = np.empty(places, np.int64), np.zeros(places, np.int64)
    for row in range(row_move.shape[1]):
        _leap(row, transitions, aligned, shift, path, to, kinds)
        for m in range(places):
            row_move[m, row] = to[m]
            kind[m, row] = kinds[m] if to[m] >= 0 else 0
