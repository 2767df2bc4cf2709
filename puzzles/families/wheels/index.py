"""The index side of color wheels: rows and columns, and orbits.

Glossary
    code        a colour as a small integer. Where colours are interchangeable, code 0 is uncoloured
                and the coloured edges are named 1, 2, ... in order of their places, so that states
                equal up to renaming have one index.
    row         which arrangement the edges are in; column: which arrangement the corners are in.
    relabelling a permutation of corner slots and a renaming of codes: what a turn does to columns.
    orbit       the six states that turns of one wheel alone lead to.
    half turn   the picture turned upside down, which swaps the wheels: place i becomes 20 - i.

The builder enumerates the orbits instead of the states (puzzles/machinery/orbits.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Boards, Indices, ProductForm, Space
from puzzlebase.puzzles.families.wheels.board import HALF_TURN, NAMES, PLACES, UNCOLOURED, Rules, turn_of
from puzzlebase.puzzles.machinery.automaton import Arrangements
from puzzlebase.puzzles.machinery.orbits import ColumnMaps, Link, OrbitRows, graph_tables, node_tables, orbits_of
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES, Arrays


@dataclass(frozen=True)
class _Relabelling:
    """What a turn does to the corners: new slot j holds renaming[old slot slots[j]]."""

    slots: tuple[int, ...]
    renaming: tuple[int, ...]

    def then(self, other: _Relabelling) -> _Relabelling:
        """Do one and then the other."""
        return _Relabelling(
            tuple(self.slots[slot] for slot in other.slots),
            tuple(other.renaming[code] for code in self.renaming),
        )


class _CornerMaps(ColumnMaps[_Relabelling]):
    """The relabellings in use by number, 0 the identity. The numbers are the kinds of a product form."""

    def __init__(self, corners: Arrangements) -> None:
        super().__init__(_Relabelling(tuple(range(corners.length)), tuple(range(len(corners.counts)))))
        self.corners = corners

    def columns(self, kinds: list[int] | None = None) -> npt.NDArray[np.uint32]:
        """The column maps of these kinds, by default of all: uint32[kinds, width].

        A map moves the slots, then renames the codes. Many kinds share a move or a renaming; each is ranked once.
        """
        sequences = self.corners.sequences
        moved = cache(lambda slots: self.corners.rank(sequences[:, slots]))
        renamed = cache(lambda renaming: self.corners.rank(np.array(renaming, np.uint8)[sequences]))
        chosen = self.chosen(kinds)
        maps = np.empty((len(chosen), self.corners.size), np.uint32)
        for i, relabelling in enumerate(chosen):
            maps[i] = renamed(relabelling.renaming)[moved(relabelling.slots)]
        return maps


class _Index:
    """The rows and columns of one puzzle and the links between them: what its space and its orbits are made of."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        letters = UNCOLOURED + NAMES if rules.interchangeable else "".join(sorted(set(rules.solved)))
        self.letters = np.frombuffer(letters.encode("ascii"), np.uint8)
        edges = tuple(rules.solved[::2].count(letter) for letter in letters)
        self.corners = Arrangements(tuple(rules.solved[1::2].count(letter) for letter in letters))
        if rules.interchangeable:
            self.rows = Arrangements((edges[0], sum(edges[1:])))
        else:
            self.rows = Arrangements(edges)
        self.automaton = self.rows.automaton.then(self.corners.automaton)
        self.maps = _CornerMaps(self.corners)

    @cached_property
    def edges(self) -> npt.NDArray[np.uint8]:
        """The codes of each row's edges: uint8[rows, 11]."""
        sequences = self.rows.sequences
        if self.rules.interchangeable:  # the coloured edges are named in the order in which they stand
            return (sequences * np.cumsum(sequences, axis=1, dtype=np.uint8)).astype(np.uint8)
        return sequences

    def link(self, source: tuple[int, ...], recolour: tuple[int, ...] | None = None) -> Link:
        """The link of a permutation of the places, which says for each place where its new piece comes from."""
        slots = tuple((place - 1) // 2 for place in source[1::2])
        edges = self.edges[:, [place // 2 for place in source[::2]]]
        codes = len(self.letters)
        if not self.rules.interchangeable:
            renaming = recolour or tuple(range(codes))
            rows = self.rows.rank(np.array(renaming, np.uint8)[edges] if recolour else edges)
            kind = self.maps.kind(_Relabelling(slots, renaming))
            return Link(rows.astype(np.int32), np.full(len(rows), kind, np.int32))
        renamings = np.zeros((len(edges), codes), np.uint8)
        every = np.arange(len(edges))[:, None]
        renamings[every, edges[edges > 0].reshape(len(edges), -1)] = np.arange(1, codes, dtype=np.uint8)
        rows = self.rows.rank(np.minimum(edges, 1))
        kinds, inverse = np.unique(renamings, axis=0, return_inverse=True)
        numbers = [self.maps.kind(_Relabelling(slots, tuple(row))) for row in kinds.tolist()]
        return Link(rows.astype(np.int32), np.array(numbers, np.int32)[inverse.reshape(-1)])

    @cached_property
    def half_turn(self) -> Link | None:
        """The half turn, with the recolouring that maps the goal to itself; None where there is none."""
        solved, codes = self.rules.solved, self.letters.tobytes().decode("ascii")
        if self.rules.interchangeable:
            return self.link(HALF_TURN)
        swap = dict(zip(solved[::-1], solved, strict=True))
        if any(swap[old] != new for old, new in zip(solved[::-1], solved, strict=True)):
            return None
        return self.link(HALF_TURN, tuple(codes.index(swap[letter]) for letter in codes))

    @cached_property
    def orbit_rows(self) -> OrbitRows:
        """The rows of the orbits' nodes."""
        wheels = "L" if self.half_turn else "LR"
        spins = {wheel: [self.link(turn_of(wheel, sixths)) for sixths in range(6)] for wheel in wheels}
        return OrbitRows(spins, self.maps, self.half_turn)

    @cached_property
    def codes(self) -> npt.NDArray[np.int8]:
        """The code of each letter: -1 for one that cannot be, -2 for one that is named when an edge first shows it."""
        codes = np.full(256, -1, np.int8)
        if self.rules.interchangeable:
            codes[[letter for letter in range(128) if chr(letter).isalpha()]] = -2
            codes[ord(UNCOLOURED)] = 0
        else:
            codes[self.letters] = np.arange(len(self.letters))
        return codes

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.codes, self.automaton.links, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, self.corners.size)
        boards = np.empty((len(indices), PLACES), np.uint8)
        boards[:, ::2] = self.letters[self.edges[rows]]
        boards[:, 1::2] = self.letters[self.corners.sequences[columns]]
        return boards


@kernel
def _rank(boards, codes, links, indices):  # type: ignore[no-untyped-def]
    """The indices of boards; -1 where letters or their counts are not the puzzle's.

    The symbols are the edges, then the corners. Where colours are interchangeable, a coloured edge has symbol 1, since
    the edges before it say which colour it has. To find all symbols first and leave them to the automaton's own
    `rank` takes 0.7 µs more for one state, which is a 25th of a lookup.
    """
    named = codes.copy()
    for i in range(boards.shape[0]):
        node, rank, names = np.int64(0), np.int64(0), 0
        for at in range(21):
            place = 2 * at if at < 11 else 2 * at - 21
            letter = boards[i, place]
            code = np.int64(named[letter])
            if at < 11:
                if code == -2:
                    names += 1
                    named[letter] = names
                    code = np.int64(1)
                elif names > 0 and code > 0:
                    code = np.int64(-1)  # a second edge of one colour
            if code < 0 or code >= links.shape[1] or links[node, code, 0] < 0:
                rank = np.int64(-1)
                break
            rank += links[node, code, 1]
            node = np.int64(links[node, code, 0])
        indices[i] = rank
        if names > 0:
            for place in range(0, 21, 2):
                named[boards[i, place]] = codes[boards[i, place]]


def _tables(index: _Index) -> Arrays:
    """What takes long to make of a space: the moves of its states, and their links to the orbits' nodes."""
    rules = index.rules
    moves = [index.link(turn) for turn in rules.turns.values()]
    return {
        "row_move": np.stack([link.row for link in moves]),
        "kind": np.stack([link.kind for link in moves]),
        **({} if rules.sixths else node_tables(index.orbit_rows)),
        "column_map": index.maps.columns(),
        "goal_states": index.rank(np.frombuffer(rules.solved.encode("ascii"), np.uint8)[None, :]),
    }


def space(rules: Rules, _goal: Goal) -> Space:
    """All states of a puzzle. What takes long to make is kept (puzzles/machinery/ranking_tables.py)."""
    index = _Index(rules)
    tables = RANKING_TABLES.arrays(rules.name, lambda: _tables(index))
    product = ProductForm(tables["row_move"], tables["kind"], tables["column_map"])
    graph = cache(lambda: RANKING_TABLES.arrays(f"{rules.name}.orbits", lambda: graph_tables(index.orbit_rows)))
    return Space(
        size=product.rows * product.width,
        expand=product.expand,
        goal_states=tables["goal_states"],
        product=lambda: product,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
        orbits=None if rules.sixths else orbits_of(tables, product, tables["goal_states"], graph),
    )
