"""The index side of color wheels: rows and columns, and orbits.

Glossary
    code        a colour as a small integer. Interchangeable colours are named 1, 2, ... in the
                order of their edges' places, and code 0 is uncoloured, so that states equal up to
                renaming have one index.
    row         the arrangement of the edges; column: that of the corners.
    orbit       the six states that turns of one wheel alone lead to.
    half turn   the picture turned upside down, which swaps the wheels: place i becomes 20 - i.
    flip        the picture seen in a mirror below it, where each wheel keeps its side.

The builder enumerates the orbits instead of the states (puzzles/machinery/orbits.py).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import (
    RANKING_TABLES,
    Arrays,
    Boards,
    Goal,
    Indices,
    ProductForm,
    Space,
    kernel,
)
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.puzzles.families.wheels.board import (
    HALF_TURN,
    NAMES,
    PLACES,
    SYMMETRIES,
    UNCOLOURED,
    WheelRules,
    turn_of,
)
from puzzlebase.puzzles.machinery.automaton import Arrangements
from puzzlebase.puzzles.machinery.orbits import ColumnMaps, OrbitRows, RowMap, SlotMap, WheelOrbits


class WheelIndex:
    """The rows and columns of one puzzle and the moves between them,
    for its space and its orbits.
    """

    def __init__(self, rules: WheelRules) -> None:
        self.rules = rules
        letters = (
            UNCOLOURED + NAMES if rules.interchangeable else "".join(sorted(set(rules.solved)))
        )
        self.letters = np.frombuffer(letters.encode("ascii"), np.uint8)
        edges, corners = (
            tuple(rules.solved[part::2].count(letter) for letter in letters) for part in (0, 1)
        )
        self.corners = Arrangements(corners)
        self.rows = Arrangements((edges[0], sum(edges[1:])) if rules.interchangeable else edges)
        self.transitions = self.rows.automaton.transitions, self.corners.automaton.transitions

    @cached_property
    def maps(self) -> ColumnMaps:
        """The maps of columns."""
        return ColumnMaps(self.corners.sequences, len(self.letters), self.corners.rank)

    @cached_property
    def edges(self) -> npt.NDArray[np.uint8]:
        """The codes of each row's edges, uint8[rows, 11]."""
        sequences = self.rows.sequences
        # the coloured edges are named in the order in which they stand
        if self.rules.interchangeable:
            return (sequences * np.cumsum(sequences, axis=1, dtype=np.uint8)).astype(np.uint8)
        return sequences

    def row_map(self, source: tuple[int, ...], recolour: tuple[int, ...] | None = None) -> RowMap:
        """The effect on rows of a permutation,
        given by the former place of each place's new piece.
        """
        edges = self.edges[:, [place // 2 for place in source[::2]]]
        codes = len(self.letters)
        if not self.rules.interchangeable:
            renaming = recolour or tuple(range(codes))
            rows = self.rows.rank(np.array(renaming, np.uint8)[edges])
            return RowMap(
                rows.astype(np.int32), np.full(len(rows), self._kind(source, renaming), np.int32)
            )
        renamings = np.zeros((len(edges), codes), np.uint8)
        every = np.arange(len(edges))[:, None]
        renamings[every, edges[edges > 0].reshape(len(edges), -1)] = np.arange(
            1, codes, dtype=np.uint8
        )
        rows = self.rows.rank(np.minimum(edges, 1))
        kinds, inverse = np.unique(renamings, axis=0, return_inverse=True)
        numbers = np.array([self._kind(source, tuple(row)) for row in kinds.tolist()], np.int32)
        return RowMap(rows.astype(np.int32), numbers[inverse.reshape(-1)])

    def _kind(self, source: tuple[int, ...], renaming: tuple[int, ...]) -> int:
        """The number of a permutation's effect on the corners, whose codes are renamed."""
        return self.maps.kind(
            SlotMap(tuple((place - 1) // 2 for place in source[1::2]), (renaming,) * 10)
        )

    @cached_property
    def orbit_rows(self) -> OrbitRows:
        """The rows of the orbits' vertices."""
        half_turn = self.symmetry(HALF_TURN)
        spins = {
            wheel: [self.row_map(turn_of(wheel, sixths)) for sixths in range(6)]
            for wheel in ("L" if half_turn else "LR")
        }
        return OrbitRows(spins, self.maps, half_turn)

    def symmetry(self, source: tuple[int, ...]) -> RowMap | None:
        """A symmetry of the places with the recolouring that maps the goal to itself;
        None without one.
        """
        codes = self.codes_after(source)
        if not codes:
            return None
        return self.row_map(source, None if self.rules.interchangeable else codes)

    def codes_after(self, source: tuple[int, ...]) -> tuple[int, ...] | None:
        """The code that such a symmetry gives each code, by the colours of the goal;
        None without one.
        """
        solved, codes = self.rules.solved, self.letters.tobytes().decode("ascii")
        moved = [solved[place] for place in source]
        recoloured = dict(zip(moved, solved, strict=True))
        if "".join(recoloured[letter] for letter in moved) != solved:
            return None
        return tuple(codes.index(recoloured[letter]) for letter in codes)

    @cached_property
    def codes(self) -> npt.NDArray[np.int8]:
        """The code of each letter: -1 for an impossible one,
        -2 for one that the first edge with it names.
        """
        codes = np.full(256, -1, np.int8)
        if self.rules.interchangeable:
            codes[[letter for letter in range(128) if chr(letter).isalpha()]] = -2
            codes[ord(UNCOLOURED)] = 0
        else:
            codes[self.letters] = np.arange(len(self.letters))
        return codes

    def rank(self, boards: Boards) -> Indices:
        """The index of each board, uint8[n, 21] -> int64[n]; -1 for none."""
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.codes, *self.transitions, self.corners.size, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        """The board of each index."""
        rows, columns = np.divmod(indices, self.corners.size)
        boards = np.empty((len(indices), PLACES), np.uint8)
        boards[:, ::2] = self.letters[self.edges[rows]]
        boards[:, 1::2] = self.letters[self.corners.sequences[columns]]
        return boards

    def graph_tables(self) -> Arrays:
        """The moves of the orbits' vertices."""
        return self.orbit_rows.graph_tables()

    def tables(self) -> Arrays:
        """The tables of a space that take long to make:
        the moves of its states, and the vertices of their orbits.
        """
        row_move, kind = map(
            np.stack, zip(*map(self.row_map, self.rules.turns.values()), strict=True)
        )
        symmetries = filter(None, map(self.symmetry, SYMMETRIES))
        symmetric_row, symmetric_kind = map(np.stack, zip(*symmetries, strict=True))
        return {
            "row_move": row_move,
            "kind": kind,
            "symmetric_row": symmetric_row,
            "symmetric_kind": symmetric_kind,
            **({} if self.rules.sixths else self.orbit_rows.vertex_tables()),
            "column_map": self.maps.columns(),
            "goal_states": self.rank(
                np.frombuffer(self.rules.solved.encode("ascii"), np.uint8)[None, :]
            ),
        }


@kernel
def _rank(boards, codes, edges, corners, width, indices):  # type: ignore[no-untyped-def]
    """Rank boards; -1 if their letters, or the numbers of these, are not the puzzle's.

    The symbols are the edges, then the corners. A coloured edge of interchangeable colours has
    symbol 1, since the edges before it determine its colour. Tried and dropped: finding all symbols
    first for the automaton's own `rank` takes 0.7 µs more for one state, a 25th of a lookup.
    """
    named = codes.copy()
    for i in range(boards.shape[0]):
        rank, names = np.int64(0), 0
        for part in range(2):
            transitions = corners if part else edges
            node = np.int64(0)
            rank *= width
            for place in range(part, 21, 2):
                letter = boards[i, place]
                code = np.int64(named[letter])
                if code == -2 and part == 0:
                    names += 1
                    named[letter] = names
                    code = np.int64(1)
                elif names > 0 and code > 0 and part == 0:
                    code = np.int64(-1)  # a second edge of one colour
                if code < 0 or code >= transitions.shape[1] or transitions[node, code, 0] < 0:
                    rank = np.int64(-1)
                    break
                rank += transitions[node, code, 1]
                node = np.int64(transitions[node, code, 0])
            if rank < 0:
                break
        indices[i] = rank
        if names > 0:
            for place in range(0, 21, 2):
                named[boards[i, place]] = codes[boards[i, place]]


def space(rules: WheelRules, _goal: Goal) -> Space:
    """Make the space of all states of a puzzle."""
    index = WheelIndex(rules)
    tables = RANKING_TABLES.arrays(rules.name, index.tables)
    product = ProductForm(tables["row_move"], tables["kind"], tables["column_map"])
    symmetries = ProductForm(
        tables["symmetric_row"], tables["symmetric_kind"], tables["column_map"]
    )
    graph = RANKING_TABLES.later(f"{rules.name}.orbits", index.graph_tables)
    storage = STATES if rules.sixths else WheelOrbits(tables, graph)
    return Space.of_tables(
        product,
        tables["goal_states"],
        rank=index.rank,
        unrank=index.unrank,
        storage=storage,
        symmetric=symmetries.expand,
    )
