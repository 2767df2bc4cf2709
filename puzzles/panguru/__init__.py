"""Panguru: pebbles of seven colours go to the plates of their colours, leaping in straight lines.

Glossary
    place       one of the 15 in the triangle, numbered row by row from the top: 0 / 1 2 / 3 4 5 / ...
    plates      the colour of the plate in each place; one plate is odd, W, and is of no pebble's colour.
    hole        the place without a pebble. Every pebble in line with the hole can leap to it, over any
                others; lines are the rows, both families of diagonals and the centre line.
    goal        an arrangement of plates: solved is every pebble on a plate of its colour, the hole on W.
    code        0 for the hole, then the colours in the order in which the goal's plates first show them,
                so that goals equal up to renaming colours have one index and share one table.
    row         where the hole and the first colours lie, the others not told apart.
    column      the order of the other colours in the places left, which are its slots.

Every arrangement of the pebbles can be solved, so index = row * width + column numbers the states without
a gap. A pebble of a row colour leaves the column alone when it leaps, since the slots keep their order.
Any other takes its slot's colour out of the column and puts it back further on or further back; there are
few ways to do that. The colours are divided so that rows and columns are both short: for the 15 places, three
colours in 4,054,050 rows and four in 2,520 columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from math import sqrt
from string import ascii_uppercase
from weakref import ref

import numpy as np
import numpy.typing as npt

from kernels import kernel
from puzzles._arrangements import Arrangements
from puzzles._puzzle import (
    Board,
    Cell,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Letters,
    Move,
    Notation,
    Picture,
    Published,
    Puzzle,
    shorten,
)
from puzzles._space import Boards, Indices, ProductForm, Space
from puzzles.panguru.search import Search

_HOLE = "-"
_ODD = "W"
_COLOURS = {*ascii_uppercase} - {_ODD}


@dataclass(frozen=True)
class _Triangle:
    """One puzzle of the family: its size, its default plates and the pebbles where play begins.

    `apart` is how many colours belong to the row of an index; the others to its column.
    """

    side: int
    copies: int
    plates: str
    start: str
    apart: int

    @property
    def name(self) -> str:
        return "panguru" if self.side == 5 else f"panguru-{self.side}"

    @property
    def places(self) -> int:
        return len(self.plates)

    @property
    def colours(self) -> int:
        return (self.places - 1) // self.copies

    @property
    def where(self) -> list[tuple[int, int]]:
        """The row of each place and its number there, both from 0."""
        return [(row, at) for row in range(self.side) for at in range(row + 1)]

    @property
    def aligned(self) -> npt.NDArray[np.bool_]:
        """Which places lie on a line with which others: bool[places, places]."""
        row, at = np.array(self.where).T
        lines = [row, at, row - at, np.where(2 * at == row, -1, np.arange(self.places))]
        shared: npt.NDArray[np.bool_] = np.any([line[:, None] == line for line in lines], axis=0)
        np.fill_diagonal(shared, val=False)
        return shared


_TRIANGLES = {
    triangle.name: triangle
    for triangle in (
        _Triangle(5, 2, "WCBRBOGYGPCORPY", "-PCBRYOGYGBCORP", apart=3),
        _Triangle(4, 3, "WRYBRYBRYB", "-BBYBRYYRR", apart=1),
    )
}


# The board side: text.


def _parse(triangle: _Triangle, text: str) -> Board:
    """The letters of a state, uint8[places]."""
    _check(triangle, text, _HOLE, "hole")
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _check(triangle: _Triangle, text: str, single: str, named: str) -> None:
    """Raise InvalidState or ImpossibleState unless the colours are right and `single`, the hole say, is there once."""
    example = (
        f"a state of {triangle.name} looks like {triangle.start!r}: the pebbles place by place, '-' the hole; a goal "
        f"like {triangle.plates!r}: the plates, W the odd one; {triangle.colours} colours, any capital letters but W"
    )
    if len(text) != triangle.places:
        raise InvalidState(f"{shorten(text)!r} has {len(text)} characters, not {triangle.places}", example)
    wrong = next((letter for letter in text if letter not in _COLOURS and letter != single), None)
    if wrong is not None:
        raise InvalidState(f"{text!r} has {wrong!r}, which is no colour and no {named}", example)
    if (count := text.count(single)) != 1:
        raise ImpossibleState(f"{text!r} has {count} {named}s ({single}), not one", example)
    for letter in sorted(set(text) - {single}):
        if (count := text.count(letter)) != triangle.copies:
            raise ImpossibleState(f"{text!r} has {letter!r} {count} times, not {triangle.copies} times", example)


def _format(board: Board) -> str:
    return board.tobytes().decode("ascii")


def _play(partners: dict[str, frozenset[int]], text: str, move: str) -> str:
    if move not in partners:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are the places 0 to {len(partners) - 1}")
    place, hole = int(move), text.index(_HOLE)
    if hole not in partners[move]:
        why = "the hole is there" if place == hole else f"the hole is at {hole}, not in line with it"
        raise IllegalMove(f"{move} is not legal in {text!r}: {why}", "a lookup lists the legal moves")
    letters = list(text)
    letters[hole], letters[place] = letters[place], _HOLE
    return "".join(letters)


def _letters_played(places: int, boards: Boards) -> Boards:
    """Each place's letter in the hole and the hole in that place; meaningless where that is no move."""
    played = np.repeat(boards[:, None], places, axis=1)
    hole = (boards == ord(_HOLE)).argmax(axis=1)
    every = np.arange(places)
    played[np.arange(len(boards))[:, None], every, hole[:, None]] = boards
    played[:, every, every] = ord(_HOLE)
    return played


# Goals: arrangements of plates. A goal is named by its plates, W the odd one.

_KEY = re.compile("[a-gw]+")


def _goal(triangle: _Triangle, plates: str) -> Goal:
    """The goal of these plates; play begins as in the default goal, with the colours renamed as the plates are."""
    solved = plates.replace(_ODD, _HOLE)
    named = dict(zip(_in_order(triangle.plates), _in_order(plates), strict=True))
    start = "".join(named[letter] for letter in triangle.start.replace(_HOLE, _ODD)).replace(_ODD, _HOLE)
    size = Arrangements((1,) + triangle.colours * (triangle.copies,)).size
    published = Published("the number of arrangements of the pebbles", states=size)
    return Goal(plates, (solved,), start, published, _key(plates))


def _in_order(plates: str) -> str:
    """W, then the colours in the order in which they first appear."""
    return "".join(dict.fromkeys(_ODD + plates))


def _key(plates: str) -> str:
    """Plates up to renaming colours, as part of a file's name: a, b, c, ... by first appearance, and w."""
    order = _in_order(plates)
    return "".join("wabcdefghijklmnopqrstuv"[order.index(letter)] for letter in plates)


def _goal_of(triangle: _Triangle, text: str) -> Goal | None:
    """The goal of plates, given as they are, as the solved state or as a goal's key; None if it is meant as none.

    A key stands for the default goal where that has this key, else for the plates with colours A, B, C, ...
    """
    default = triangle.plates
    if len(text) == triangle.places and _KEY.fullmatch(text):
        plates = default if text == _key(default) else text.upper()
        if _key(plates) != text:
            return None
    elif len(text) == triangle.places or text.isupper():
        plates = text.replace(_HOLE, _ODD)
    else:
        return None
    _check(triangle, plates, _ODD, "odd plate")
    return _goal(triangle, plates)


# The picture: pebbles in a triangle.

_RADIUS = 26.0
_APART = 60.0
_MARGIN = 16.0
_WOOD = "#8a6f52"
_EMPTY = "#5f4a35"
_PAINT = {
    "R": "#d8433b",
    "O": "#f08a24",
    "Y": "#f2c230",
    "G": "#2e9e4f",
    "C": "#35b6c9",
    "B": "#2f6fde",
    "P": "#9a4fc4",
}
"""A colour that has another letter gets one of those that are left, in this order."""


def _picture(triangle: _Triangle, text: str) -> Picture:
    _parse(triangle, text)
    letters = sorted(set(text) - {_HOLE})
    left = [colour for letter, colour in _PAINT.items() if letter not in letters]
    paint = {letter: _PAINT[letter] if letter in _PAINT else left.pop(0) for letter in letters} | {_HOLE: _EMPTY}
    rim, down = _MARGIN + _RADIUS, _APART * sqrt(3) / 2
    width, height = 2 * rim + (triangle.side - 1) * _APART, 2 * rim + (triangle.side - 1) * down
    cells = [Cell("board", _board(rim, width, height), _WOOD, "", width / 2, height / 2)]
    for place, (letter, (row, at)) in enumerate(zip(text, triangle.where, strict=True)):
        x, y = round(width / 2 + (at - row / 2) * _APART, 2), round(rim + row * down, 2)
        label = "" if letter == _HOLE else letter
        cells.append(Cell(str(place), _circle(x, y), paint[letter], label, x, y))
    return Picture(width, round(height, 2), tuple(cells))


def _board(rim: float, width: float, height: float) -> str:
    """A triangle with rounded corners, a little wider than the pebbles that lie in them."""
    r = _RADIUS + _MARGIN / 2
    aside, up = r * sqrt(3) / 2, r / 2
    bend = f"a{r:g} {r:g} 0 0 0"
    side, down = width / 2 - rim, height - 2 * rim
    return (
        f"M{rim:g} {height - rim + r:.2f}h{2 * side:g}{bend} {aside:.2f} {-r - up:.2f}l{-side:g} {-down:.2f}"
        f"{bend} {-2 * aside:.2f} 0l{-side:g} {down:.2f}{bend} {aside:.2f} {r + up:.2f}Z"
    )


def _circle(x: float, y: float) -> str:
    r = _RADIUS
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0Z"


# The index side. A row's symbols are 0 for the hole, the codes of its colours, and the last for all others.


@kernel
def _walk(rank, length, follow, offset, symbols, nodes, sums):  # type: ignore[no-untyped-def]
    """The sequence of a rank, the nodes it passes and the rank summed up before each symbol and behind the last."""
    node = 0
    total = 0
    for at in range(length):
        symbol = follow.shape[1] - 1
        while follow[node, symbol] < 0 or total + offset[node, symbol] > rank:
            symbol -= 1
        symbols[at] = symbol
        nodes[at] = node
        sums[at] = total
        total += offset[node, symbol]
        node = follow[node, symbol]
    sums[length] = total


@kernel
def _links(row, aligned, follow, offset, shift, path, to, kinds):  # type: ignore[no-untyped-def]
    """Rows that the moves lead to, -1 for an illegal one, and the kinds of what they do to the column.

    A leap changes the symbols between the place and the hole and the nodes between them, none behind
    them: only there the row is ranked anew. `path` is room for the row's own walk.
    """
    places = aligned.shape[0]
    symbols, nodes, sums, slots = path
    _walk(row, places, follow, offset, symbols, nodes, sums)
    last = follow.shape[1] - 1
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
        node = nodes[first]
        rank = row + sums[first] - sums[end]
        moved = symbols[place]
        symbols[hole], symbols[place] = moved, 0
        for at in range(first, end):
            rank += offset[node, symbols[at]]
            node = follow[node, symbols[at]]
        symbols[hole], symbols[place] = 0, moved
        to[place] = rank
        kinds[place] = 0
        if moved == last:
            kinds[place] = shift[slots[place], slots[hole] - (place < hole)]


@kernel
def _expand(indices, aligned, follow, offset, shift, column_map, successors):  # type: ignore[no-untyped-def]
    places = aligned.shape[0]
    width = column_map.shape[1]
    path = np.empty((4, places + 1), np.int64)
    to = np.empty(places, np.int64)
    kinds = np.empty(places, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        row = indices[i] // width
        column = indices[i] - row * width
        _links(row, aligned, follow, offset, shift, path, to, kinds)
        for m in range(places):
            if to[m] >= 0:
                successors[i, m] = to[m] * width + np.int64(column_map[kinds[m], column])


@kernel
def _tabulate(aligned, follow, offset, shift, row_move, kind):  # type: ignore[no-untyped-def]
    """The moves of all rows: int32[places, rows] each."""
    places = aligned.shape[0]
    path = np.empty((4, places + 1), np.int64)
    to = np.empty(places, np.int64)
    kinds = np.zeros(places, np.int64)
    for row in range(row_move.shape[1]):
        _links(row, aligned, follow, offset, shift, path, to, kinds)
        for m in range(places):
            row_move[m, row] = to[m]
            kind[m, row] = kinds[m] if to[m] >= 0 else 0


@kernel
def _rank(boards, codes, row_follow, row_offset, column_follow, column_offset, width, indices):  # type: ignore[no-untyped-def]
    """Indices of boards; -1 where letters or their counts are not the goal's."""
    last = row_follow.shape[1] - 1
    for i in range(boards.shape[0]):
        row = column = row_node = column_node = 0
        for place in range(boards.shape[1]):
            code = codes[boards[i, place]]
            symbol = min(code, last)
            if symbol < 0 or row_follow[row_node, symbol] < 0:
                row = -1
                break
            row += row_offset[row_node, symbol]
            row_node = row_follow[row_node, symbol]
            if symbol == last:
                if column_follow[column_node, code - last] < 0:
                    row = -1
                    break
                column += column_offset[column_node, code - last]
                column_node = column_follow[column_node, code - last]
        indices[i] = row * width + column if row >= 0 else -1


@kernel
def _unrank(indices, letters, follow, offset, columns, boards):  # type: ignore[no-untyped-def]
    places = boards.shape[1]
    width = columns.shape[0]
    last = follow.shape[1] - 1
    path = np.empty((3, places + 1), np.int64)
    symbols, nodes, sums = path
    for i in range(indices.shape[0]):
        row = indices[i] // width
        column = indices[i] - row * width
        _walk(row, places, follow, offset, symbols, nodes, sums)
        slot = 0
        for place in range(places):
            code = symbols[place]
            if code == last:
                code += columns[column, slot]
                slot += 1
            boards[i, place] = letters[code]


class _Index:
    """The numbers of all states by codes; all goals of a puzzle share them."""

    def __init__(self, triangle: _Triangle) -> None:
        others = triangle.colours - triangle.apart
        slots = others * triangle.copies
        self.aligned = triangle.aligned
        self.rows = Arrangements((1, *(triangle.copies,) * triangle.apart, slots))
        self.columns = Arrangements((triangle.copies,) * others)
        self.size = self.rows.size * self.columns.size
        maps = {tuple(range(slots)): 0}
        self.shift = np.empty((slots, slots), np.int32)
        for source in range(slots):
            for target in range(slots):
                order = [slot for slot in range(slots) if slot != source]
                order.insert(target, source)
                self.shift[source, target] = maps.setdefault(tuple(order), len(maps))
        moved = [self.columns.rank(self.columns.sequences[:, order]) for order in maps]
        self.column_map: npt.NDArray[np.uint32] = np.array(moved, np.uint32)
        self._made: Callable[[], ProductForm | None] = lambda: None
        codes = np.arange(triangle.colours + 1, dtype=np.int8)
        rank, unrank = partial(self.rank, codes), partial(self.unrank, codes.astype(np.uint8))
        self.shortest = Search(self.aligned, triangle.copies, rank, unrank).shortest

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(self.aligned)), np.int64)
        _expand(indices, self.aligned, *self.rows.automaton, self.shift, self.column_map, successors)
        return successors

    def product(self) -> ProductForm:
        """All rows' moves: kind 0 leaves the column, the others take one of its colours from slot to slot.

        Half a gigabyte in 2 s for the 15 places, so whoever asks while it is held gets the same.
        """
        if made := self._made():
            return made
        row_move = np.empty((len(self.aligned), self.rows.size), np.int32)
        kind = np.empty_like(row_move)
        _tabulate(self.aligned, *self.rows.automaton, self.shift, row_move, kind)
        made = ProductForm(row_move, kind, self.column_map)
        self._made = ref(made)
        return made

    def rank(self, codes: npt.NDArray[np.int8], boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, codes, *self.rows.automaton, *self.columns.automaton, self.columns.size, indices)
        return indices

    def unrank(self, letters: Board, indices: Indices) -> Boards:
        boards = np.empty((len(indices), len(self.aligned)), np.uint8)
        _unrank(indices, letters, *self.rows.automaton, self.columns.sequences, boards)
        return boards


_index = cache(_Index)


def _space(triangle: _Triangle, goal: Goal) -> Space:
    index = _index(triangle)
    solved = _parse(triangle, goal.states[0])
    letters = np.frombuffer(_in_order(goal.name).replace(_ODD, _HOLE).encode("ascii"), np.uint8)
    codes = np.full(256, -1, np.int8)
    codes[letters] = np.arange(len(letters))
    return Space(
        size=index.size,
        expand=index.expand,
        goal_states=index.rank(codes, solved[None, :]),
        product=index.product,
        rank=partial(index.rank, codes),
        unrank=partial(index.unrank, letters),
        connected=True,
        shortest=partial(index.shortest, codes[solved].tobytes()),
    )


# The family.

_SPACES_KEPT = 64


@cache
def _puzzle(name: str) -> Puzzle:
    triangle = _TRIANGLES[name]
    moves = [str(place) for place in range(triangle.places)]
    partners = {
        move: frozenset(np.flatnonzero(row).tolist()) for move, row in zip(moves, triangle.aligned, strict=True)
    }
    goal = _goal(triangle, triangle.plates)
    leapt = next(move for move in moves if triangle.start.index(_HOLE) in partners[move])
    return Puzzle(
        name=name,
        title="Panguru" if triangle.side == 5 else f"Panguru on {triangle.places} places",
        family="panguru",
        moves=tuple(Move(move, f"row {row + 1}") for move, (row, _) in zip(moves, triangle.where, strict=True)),
        goals=(goal,),
        notation=Notation(
            state=f"{triangle.places} letters, the pebbles place by place, row by row from the top; '-' is the hole. "
            f"{triangle.colours} colours, {triangle.copies} pebbles of each, in the letters of the goal's plates. "
            f"A goal is an arrangement of plates like {triangle.plates}, W the odd one. Any capitals but W are colours",
            moves=f"0 to {triangle.places - 1}: the place of the pebble that leaps in a straight line to the hole, "
            "over any others; lines are the rows, the diagonals and the centre line",
            examples=(triangle.start, _play(partners, triangle.start, leapt), goal.states[0]),
        ),
        parse=partial(_parse, triangle),
        format=_format,
        play=partial(_play, partners),
        picture=partial(_picture, triangle),
        space=lru_cache(_SPACES_KEPT)(partial(_space, triangle)),
        letters=Letters(triangle.places, partial(_letters_played, triangle.places)),
        goal_of=partial(_goal_of, triangle),
    )


FAMILY = Family(
    name="panguru",
    title="Panguru",
    template="panguru, or panguru-4 on a triangle of side 4",
    pattern=re.compile("panguru(-4)?"),
    members=tuple(_TRIANGLES),
    make=_puzzle,
)
