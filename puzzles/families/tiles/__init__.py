"""Sliding puzzles in which only some tiles count: the patterns of the larger ones.

The other tiles look alike and move for free. So of these tiles and the blank only one thing
matters: the region that the blank can reach without moving a tile that counts. A move slides a tile
that counts into a place of that region. Distances are lower bounds for the whole puzzle. They add
up for patterns without a common tile, since every move of the whole puzzle moves one tile. Source:
R. E. Korf and A. Felner, Artificial Intelligence 134, 2002; they let the blank go anywhere, which
gives weaker bounds.

Glossary
    tile        written as its home: 1 for place 0, up to g for place 15.
    set         the places of the tiles, a bit for each.
    region      the places in reach of the blank, a bit for each.
    row         a set and one of its regions; column: the order of the tiles in the places of the
                set.

A move changes the set, the region, and the order by taking one tile past others. The next row and
the change of order do not depend on the column, so the puzzle has product form. A move along a row
of the board keeps the order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle
from puzzlebase.plugins.small_graphs import small_graph_search
from puzzlebase.puzzles import (
    RANKING_TABLES,
    Arrays,
    Boards,
    Family,
    ImpossibleState,
    Indices,
    ProductForm,
    Puzzle,
    Space,
    places_at_home,
)
from puzzlebase.puzzles.families.sliding import SlidingBoard
from puzzlebase.puzzles.machinery.automaton import Arrangements

_LETTERS = "123456789abcdefg"
_BLANK, _OUT_OF_REACH = "0", "x"
_MOST = 8  # tiles that count, at most: they have a thousand million arrangements on a board of 4x4
_SHAPES = [
    (height, width)
    for height in range(2, 9)
    for width in range(2, 9)
    if height * width <= len(_LETTERS)
]


@dataclass(frozen=True)
class Tiles(SlidingBoard):
    """One puzzle of the family: a board, and the letters of the tiles that count."""

    letters: str

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return f"tiles-{self.height}x{self.width}-{self.letters}"

    @cached_property
    def solved(self) -> str:
        """The state with the tiles at home, and the blank in the last of the other places."""
        homes = {
            home: home
            for home, letter in enumerate(_LETTERS[: self.places])
            if letter in self.letters
        }
        return self.state(homes, max(place for place in range(self.places) if place not in homes))

    @cached_property
    def edges(self) -> dict[str, tuple[int, int]]:
        """The moves by name, each from a place to a place beside it."""
        return {
            f"{place}{direction}": (place, target)
            for place in range(self.places)
            for direction in "UDLR"
            if (target := self.beside(place, direction)) is not None
        }

    def state(self, tiles: dict[int, int], blank: int) -> str:
        """The state with the tiles that count, by their homes, in some places."""
        letters = [_OUT_OF_REACH] * self.places
        for home, place in tiles.items():
            if _LETTERS[home] in self.letters:
                letters[place] = _LETTERS[home]
        return self._filled(letters, blank)

    def play(self, text: str, move: str) -> str | None:
        """The state after a move; None if it is illegal."""
        source, target = self.edges[move]
        if text[source] not in self.letters or text[target] != _BLANK:
            return None
        letters = [*text.replace(_BLANK, _OUT_OF_REACH)]
        letters[target], letters[source] = letters[source], _OUT_OF_REACH
        return self._filled(letters, source)

    def check(self, text: str, example: str) -> None:
        """Raise ImpossibleState unless a text of the right length and letters is a state."""
        letters = [*text.replace(_BLANK, _OUT_OF_REACH)]
        once = all(text.count(letter) == 1 for letter in self.letters)
        if not once or _BLANK not in text or self._filled(letters, text.index(_BLANK)) != text:
            each = (
                f"each of {self.letters} is there once, and {_BLANK!r} in all places that the "
                "blank can reach"
            )
            raise ImpossibleState(f"{text!r} is no state: {each}", example)

    def _filled(self, letters: list[str], blank: int) -> str:
        """Make the state with the blank in a place,
        from letters whose free places are out of reach.
        """
        edges = [
            (source, target)
            for source, target in self.edges.values()
            if letters[target] == _OUT_OF_REACH
        ]
        region = dict(
            small_graph_search(
                [blank], lambda place: (to for source, to in edges if source == place)
            )
        )
        return "".join(
            _BLANK if place in region else letter for place, letter in enumerate(letters)
        )


class _TilesIndex:
    """The rows and columns, and the moves between them."""

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.count = len(tiles.letters)
        self.columns = Arrangements((1,) * self.count)
        self._full = (1 << tiles.places) - 1
        ends = 1 << np.arange(0, tiles.places, tiles.width)
        self._not_first, self._not_last = (
            self._full & ~int(side.sum()) for side in (ends, ends << (tiles.width - 1))
        )
        self.keys = np.sort(np.concatenate([*self._every_row()]))

    def _every_row(self) -> Iterator[Indices]:
        """Find the keys of all rows: the bits of the set above those of the region."""
        places = range(self.tiles.places)
        sets = np.array(
            [sum(1 << place for place in some) for some in combinations(places, self.count)]
        )
        left = self._full & ~sets
        while len(sets):
            regions = self._regions(left & -left, sets)
            yield sets << self.tiles.places | regions
            left &= ~regions
            sets, left = sets[left > 0], left[left > 0]

    def _regions(self, places: Indices, sets: Indices) -> Indices:
        """The regions of places, a bit each."""
        width = self.tiles.width
        while True:
            sideways = (places & self._not_first) >> 1 | (places & self._not_last) << 1
            wider = (places | sideways | places >> width | places << width) & self._full & ~sets
            if (wider == places).all():
                return places
            places = wider

    def moves(self) -> Arrays:
        edges = [*self.tiles.edges.values()]
        sets, regions = np.divmod(self.keys, 1 << self.tiles.places)
        row_move = np.full((len(edges), len(self.keys)), -1, np.int32)
        kind = np.zeros_like(row_move)
        shift, column_map = self.columns.shifts()
        for number, (source, target) in enumerate(edges):
            rows = np.flatnonzero((sets >> source & 1 == 1) & (regions >> target & 1 == 1))
            after = sets[rows] ^ (1 << source) ^ (1 << target)
            region = self._regions(np.full(len(rows), 1 << source), after)
            row_move[number, rows] = np.searchsorted(self.keys, after << self.tiles.places | region)
            old, new = (
                np.bitwise_count(some & ((1 << place) - 1))
                for some, place in ((sets[rows], source), (after, target))
            )
            kind[number, rows] = shift[old, new]
        return {"row_move": row_move, "kind": kind, "column_map": column_map}

    def rank(self, boards: Boards) -> Indices:
        bits = 1 << np.arange(self.tiles.places)
        symbols = np.full(256, -1, np.int8)
        symbols[np.frombuffer(self.tiles.letters.encode(), np.uint8)] = np.arange(self.count)
        codes, is_blank = symbols[boards], boards == ord(_BLANK)
        keys = ((codes >= 0) @ bits) << self.tiles.places | is_blank @ bits
        rows = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = (self.keys[rows] == keys) & (
            (codes >= 0) | is_blank | (boards == ord(_OUT_OF_REACH))
        ).all(axis=1)
        indices = np.full(len(boards), -1, np.int64)
        some = codes[known]
        columns = self.columns.rank(some[some >= 0].reshape(-1, self.count).astype(np.uint8))
        indices[known] = np.where(columns < 0, -1, rows[known] * self.columns.size + columns)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, self.columns.size)
        sets, regions = (
            some[:, None] >> np.arange(self.tiles.places) & 1 == 1
            for some in np.divmod(self.keys[rows], self._full + 1)
        )
        boards = np.where(regions, np.uint8(ord(_BLANK)), np.uint8(ord(_OUT_OF_REACH)))
        letters = np.frombuffer(self.tiles.letters.encode(), np.uint8)
        boards[sets] = letters[self.columns.sequences[columns]].reshape(-1)
        return boards


def _space(tiles: Tiles) -> Space:
    index = _TilesIndex(tiles)
    tables = RANKING_TABLES.arrays(tiles.name, index.moves)
    product = ProductForm(tables["row_move"], tables["kind"], tables["column_map"])
    goal_states = index.rank(np.frombuffer(tiles.solved.encode(), np.uint8)[None, :])
    return Space.of_tables(product, goal_states, rank=index.rank, unrank=index.unrank)


# The family.


_PATTERNS = (
    rf"{height}x{width}-(?=.{{1,{min(height * width - 3, _MOST)}}}\Z)"
    + "?".join([*_LETTERS[: height * width], ""])
    for height, width in _SHAPES
)
"""Sides and sorted letters on a board where at least two tiles do not count."""


def _puzzle(name: str) -> Puzzle:
    _, shape, letters = name.split("-")
    height, columns = map(int, shape.split("x"))
    tiles = Tiles(height, columns, letters)
    solved = tiles.solved
    drawing = "\n".join(
        solved[first : first + columns] for first in range(0, tiles.places, columns)
    )
    puzzle = letter_puzzle(
        name,
        title=f"Sliding puzzle of {height}×{columns} places in which only "
        f"{len(letters)} tiles count",
        solved=drawing,
        alphabet=tiles.letters + _BLANK + _OUT_OF_REACH,
        check=partial(tiles.check, example=f"a state of {name} looks like {solved!r}"),
        state=f"Row by row the tiles that count, {', '.join(tiles.letters)}, each named after the "
        "place it belongs to; "
        f"{_BLANK} where the blank can go for free, {_OUT_OF_REACH} elsewhere",
        moves={move: f"place {source}" for move, (source, _) in tiles.edges.items()},
        play=tiles.play,
        space=lambda: _space(tiles),
    )
    at_home = partial(places_at_home, blanks=_BLANK + _OUT_OF_REACH)
    return replace(puzzle, board=replace(puzzle.board, at_home=at_home))


_MEMBERS = ("tiles-2x3-125", "tiles-3x2-1", "tiles-3x3-1245")
FAMILY = Family(
    name="tiles",
    title="Sliding puzzles in which only some tiles count",
    template="tiles-RxC-LETTERS, the tiles by the places they belong to, 1 to g (tiles-3x3-1234, "
    "tiles-4x4-123567)",
    pattern=re.compile(f"tiles-({'|'.join(_PATTERNS)})"),
    members=_MEMBERS,
    patterns=_MEMBERS,
    place=4,
    make=_puzzle,
    extra={"patterns of sliding": "puzzlebase.puzzles.families.tiles.patterns:patterns_of"},
)
