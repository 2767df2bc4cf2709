"""Sliding blocks, `NAME.blocks`: equal letters or digits are a piece, `.` is empty, # a wall.

After a line `goal` comes the board with the pieces that must be somewhere, as in Klotski. Pieces of
equal shape that the goal does not name are alike, and so are those of each word of
`; alike: 123 456`. In a board with spaces these are empty, too. `; counts: piece`, the default,
counts one piece along any path as a move, `straight` a piece any distance in one direction, `cells`
each cell.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import cycle
from string import ascii_letters, digits

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import (
    SIDE,
    CellBoard,
    cell_name,
    cells_in_reach,
    drawing_mark,
    drawing_middle,
    drawing_outline,
    drawing_tint,
)
from puzzlebase.plugins.levels.game import Format, LevelGame, Slide, Step
from puzzlebase.plugins.levels.states.packed import (
    MOST_NUMBERS,
    Key,
    PackedRules,
    end_packed_successors,
    packed_successors,
    replace_packed_number,
)
from puzzlebase.plugins.levels.text import Cell, Grid, LevelText
from puzzlebase.plugins.small_graphs import small_graph_path
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Place, Shape, rectangle
from puzzlebase.puzzles.contract.layout import piece_in

_LETTERS = ascii_letters + digits
_UNDER = dict.fromkeys(_LETTERS + ". ", ".") | {"#": "#"}
_WRONG = "neither a piece, nor empty (.), nor a wall (#)"
_NAMED = ("#d8433b", "#c2458b", "#c98a1b")
_OTHERS = ("#5b86c9", "#5fa37a", "#c9a45b", "#8f7fbf", "#5ea3a3", "#b98a6e", "#8a93a0")
"""Colours of the pieces that the goal names, and of the others by shape."""

Cells = tuple[Cell, ...]
Pieces = dict[str, Cells]
Kind = tuple[str, Cells]
"""A piece's letter, if the goal names it, and its shape: cells by their distance from the first."""


def _without_spaces(grid: Grid) -> Grid:
    """The board with a point for each space, also behind its rows, if it has spaces."""
    if not any(" " in row for row in grid.rows):
        return grid
    return dataclasses.replace(
        grid, rows=tuple(row.ljust(grid.width).replace(" ", ".") for row in grid.rows)
    )


def _names(
    level: LevelText, alike: str, pieces: Pieces, goal: Mapping[str, Cell]
) -> dict[str, str]:
    """The letter of each piece of the goal, or of the first one of those that are alike;
    raises BadLevel.
    """
    names = dict(zip(goal, goal, strict=True))
    for group in alike.split():
        if not goal.keys() >= {*group} or len({_shape(pieces[letter]) for letter in group}) > 1:
            wrong = f"{group!r} must be pieces of equal shape, each of them in the goal"
            raise level.wrong("alike", wrong)
        names |= dict.fromkeys(group, group[0])
    return names


def read_pieces(grid: Grid, letters: str) -> Pieces:
    """The cells of each piece, row by row, by its letter; raises BadLevel."""
    pieces: dict[str, list[Cell]] = {}
    for cell, char in grid:
        if char in letters:
            pieces.setdefault(char, []).append(cell)
    for letter, cells in pieces.items():
        if others := {*cells} - cells_in_reach(cells[0], cells).keys():
            raise grid.fault(f"piece {letter!r} is in two parts", min(others))
    if not pieces:
        raise grid.fault("there is no piece on the board")
    return {letter: tuple(cells) for letter, cells in pieces.items()}


class SlidingPieces(LevelGame):
    """A game of pieces that slide on a board.

    A key has the number of each piece's first cell, alike pieces together and in order. Cells are
    numbered row by row, with a border of walls.
    """

    def __init__(
        self,
        grid: Grid,
        board: CellBoard,
        pieces: Pieces,
        goal: Mapping[str, Cell],
        counts: str,
        names: Mapping[str, str],
        *,
        letters: str = _LETTERS,
        rails: bool = False,
    ) -> None:
        """Make the game.

        Args:
            grid: the level.
            board: its board.
            pieces: the pieces at first.
            goal: the first cell of each piece that the goal names.
            counts: what a move is.
            names: the letter of each of these pieces, or one for all that are alike.
            letters: those of pieces.
            rails: True if a piece moves along its longer side only.
        """
        self._board, self._pieces, self._goal = board, pieces, goal
        self._names, self._letters, self._rails = names, letters, rails
        height, width = (last + 3 for last in max(board.fixed))
        self._width, self._size = width, height * width
        self._ordered = [
            (self._kind(letter, cells), letter) for letter, cells in self._in_order(pieces)
        ]
        self.start = self._text(pieces)
        self.rules = self._rules(grid, counts)

    def _rules(self, grid: Grid, counts: str) -> PackedRules:
        kinds = [kind for kind, _ in self._ordered]
        shapes = [shape for _, shape in kinds]
        most = max(map(len, shapes))
        offsets = [[down * self._width + right for down, right in shape] for shape in shapes]
        is_wall = np.ones(self._size, np.bool_)
        is_wall[[self._number(cell) for cell in self._board.floor]] = False
        for_kernel = (
            is_wall,
            np.array([each + [0] * (most - len(each)) for each in offsets], np.int64),
            np.array(
                [(kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in kinds],
                np.int64,
            ),
            np.array([_ways(shape, self._width, rails=self._rails) for shape in shapes], np.int64),
            ("cells", "straight", "piece").index(counts),
        )
        free = max(len(self._board.floor) - sum(map(len, shapes)), 1)
        # Each move ends with the front of a piece on a free cell. In each direction, only one piece
        # can end so on it.
        slots = {
            "cells": 4 * min(free, len(shapes)),
            "straight": 4 * free,
            "piece": min(4 * free, self._size) * len(shapes),
        }[counts]
        if slots * len(kinds) > MOST_NUMBERS:
            wrong = (
                f"a board with {len(kinds)} pieces and {len(self._board.floor)} "
                "cells cannot be packed"
            )
            raise grid.fault(wrong)
        named = [piece for piece, (name, _) in enumerate(kinds) if name]
        ends = sorted((self._names[letter], cell) for letter, cell in self._goal.items())
        goal = [self._number(cell) for _, cell in ends]
        return PackedRules(
            self.read(self.start),
            packed_successors(_slide, slots, *for_kernel),
            lambda keys: (keys[:, named] == goal).all(axis=1),
            reversible=True,
        )

    def _number(self, cell: Cell) -> int:
        """The number of a cell in keys."""
        return (cell[0] + 1) * self._width + cell[1] + 1

    def _cell(self, number: int) -> Cell:
        row, column = divmod(number, self._width)
        return row - 1, column - 1

    def _kind(self, letter: str, cells: Cells) -> Kind:
        return self._names.get(letter, ""), _shape(cells)

    def read(self, text: str) -> Key:
        """The key of a state; raises BadLevel and ImpossibleState."""
        numbers = [self._number(cells[0]) for _, cells in self._in_order(self._parse(text))]
        return np.array(numbers, np.min_scalar_type(self._size))

    def _in_order(self, pieces: Pieces) -> list[tuple[str, Cells]]:
        """The pieces of a state in the order of its key."""
        return sorted(pieces.items(), key=lambda each: (self._kind(*each), each[1][0]))

    def write(self, key: Key) -> str:
        """The text of a key."""
        pieces = {}
        for number, ((_, shape), letter) in zip(key.tolist(), self._ordered, strict=True):
            pieces[letter] = _at(self._cell(number), shape)
        return self._text(pieces)

    def _text(self, pieces: Pieces) -> str:
        """The text of pieces."""
        return self._board.write(
            {cell: letter for letter, cells in pieces.items() for cell in cells}
        )

    def _parse(self, text: str) -> Pieces:
        self._board.read(text)
        pieces = read_pieces(Grid.of(text), self._letters)
        if sorted(self._kind(*each) for each in pieces.items()) != [
            kind for kind, _ in self._ordered
        ]:
            raise ImpossibleState(
                f"{shorten(text)!r} does not have the pieces of this level",
                f"they must have the shapes of those in {shorten(self._text(self._pieces), 400)!r}"
                f", {', '.join(self._goal)} with "
                f"{'its letter' if len(self._goal) == 1 else 'their letters'}",
            )
        return pieces

    def steps(self, text: str) -> Iterator[Step]:
        """All legal moves."""
        pieces = self._parse(text)
        letters = {cells[0]: letter for letter, cells in pieces.items()}
        free = self._board.floor.difference(*pieces.values())
        for numbers in self.after(self.read(text)):
            after = {self._cell(number) for number in numbers}
            (source,), (to,) = letters.keys() - after, after - letters.keys()
            letter = letters[source]
            by = to[0] - source[0] + to[1] - source[1]
            name = f"{letter}{by:+d}" if self._rails else f"{letter}-{cell_name(to)}"
            move = Move(name, f"{'car' if self._rails else 'piece'} {letter}")
            moved = pieces | {letter: _at(to, _shape(pieces[letter]))}
            yield Step(move, self._text(moved), (self._slide(pieces[letter], to, free),))

    def _slide(self, cells: Cells, to: Cell, free: set[Cell]) -> Slide:
        """The path of a piece through free cells."""
        shape, room = _shape(cells), free.union(cells)
        places = {at for at in room if room.issuperset(_at(at, shape))}
        path = small_graph_path(to, cells_in_reach(cells[0], places))
        via = (drawing_middle(_at(cell, shape)) for cell in path[-2:0:-1])
        return Slide(cell_name(cells[0]), cell_name(to), tuple(via))

    @cached_property
    def _colours(self) -> dict[Kind, str]:
        paint = {True: cycle(_NAMED), False: cycle(_OTHERS)}
        return {kind: next(paint[kind[0] != ""]) for kind in dict(self._ordered)}

    @cached_property
    def _marks(self) -> list[Shape]:
        marks = [*self._board.ground]
        for letter, cell in self._goal.items():
            kind = self._kind(letter, self._pieces[letter])
            colour, cells = drawing_tint(self._colours[kind]), _at(cell, kind[1])
            if self._rails:
                x, y = drawing_middle(cells[-1:])
                marks.append(
                    drawing_mark(
                        "exit", colour, rectangle(x + SIDE / 2 - 1, y - SIDE / 2 + 2, 9, SIDE - 4)
                    )
                )
            marks.append(drawing_mark(f"goal-{letter}", colour, drawing_outline(cells, 1)))
        return marks

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        pieces = (
            piece_in(
                Place(cell_name(cells[0]), *drawing_middle(cells)),
                f"piece-{letter}",
                drawing_outline(cells, 3, 7),
                self._colours[self._kind(letter, cells)],
                letter,
                15,
            )
            for letter, cells in self._parse(text).items()
        )
        return self._board.layout(self._marks, pieces)


def _shape(cells: Cells) -> Cells:
    row, column = cells[0]
    return tuple((r - row, c - column) for r, c in cells)


def _at(cell: Cell, shape: Cells) -> Cells:
    """The cells of a piece whose first one is there."""
    return tuple((cell[0] + down, cell[1] + right) for down, right in shape)


def _ways(shape: Cells, width: int, *, rails: bool) -> tuple[int, int, int, int]:
    rows, columns = (len({cell[axis] for cell in shape}) for axis in (0, 1))
    across = 0 if rails and rows > columns else 1
    down = 0 if rails and columns >= rows else width
    return across, -across, down, -down


class Blocks(SlidingPieces):
    """The game of a level."""

    sentence = "Sliding blocks, as in Klotski: let them come where the board is tinted."

    def __init__(self, level: LevelText) -> None:
        start = _without_spaces(level.start)
        board = CellBoard(start, _UNDER, "#", _WRONG)
        pieces = read_pieces(start, _LETTERS)
        if level.goal is None:
            raise level.start.fault(
                "the level has no goal: write `goal` on a line, and under it where pieces must be",
            )
        CellBoard(level.goal, _UNDER, "#", _WRONG)  # raises BadLevel for another character
        goal = {}
        for letter, cells in read_pieces(level.goal, _LETTERS).items():
            if outside := {*cells} - board.floor:
                wrong = f"piece {letter!r} cannot be here, in a wall or outside the board"
                raise level.goal.fault(wrong, min(outside))
            if letter not in pieces or _shape(pieces[letter]) != _shape(cells):
                raise level.goal.fault(f"the level has no piece {letter!r} of this shape", cells[0])
            goal[letter] = cells[0]
        counts = level.value("counts", ("piece", "straight", "cells"))
        alike, _ = level.words.values.get("alike", ("", 0))
        super().__init__(start, board, pieces, goal, counts, _names(level, alike, pieces, goal))
        named = ", ".join(goal)
        self.state = (
            "Rows joined by /: equal letters or digits are a piece, . is empty, # a wall. "
            f"Pieces of equal shape are alike, except {named}"
            + (f", of which {alike} are" if alike else "")
        )
        self.moves = (
            "A piece and where its first cell goes, the leftmost of its top row: B-c4 is "
            "the third column from the left, the fourth row from the top"
        )
        what = {
            "piece": "along any path.",
            "straight": "any distance in one direction.",
            "cells": "by one cell.",
        }
        self.instructions = (
            f"Slide the pieces through free cells until {named} "
            f"{'is' if len(goal) == 1 else 'are'} where the board is "
            f"tinted. A move is a piece {what[counts]}"
        )


@kernel
def _slide(keys, walls, offsets, alike, steps, counts, after):  # type: ignore[no-untyped-def]
    """The states after all moves of all pieces.

    walls: bool[cells].
    offsets: the cells of each piece relative to its first, int64[pieces, most cells]; the first one
    repeats. alike: for each piece the first one that is alike, and the one behind the last,
    int64[pieces, 2]. steps: the four directions as differences of cells, int64[pieces, 4], 0 if a
    piece may not go. counts: the moves that count: 0 cells, 1 straight, 2 piece.
    """
    pieces = alike.shape[0]
    cells = np.empty(pieces, np.int64)
    taken, seen, queue = (
        np.empty_like(walls),
        np.empty_like(walls),
        np.empty(walls.shape[0], np.int64),
    )
    for row in range(keys.shape[0]):
        cells[:] = keys[row]
        taken[:] = walls
        for piece in range(pieces):
            for offset in offsets[piece]:
                taken[cells[piece] + offset] = True
        count = 0
        for piece in range(pieces):
            here = cells[piece]
            for offset in offsets[piece]:
                taken[here + offset] = False
            found = _reach(here, offsets, steps, piece, counts, taken, seen, queue)
            for at in range(1, found):
                replace_packed_number(
                    keys[row], piece, queue[at], alike[piece, 0], alike[piece, 1], after[row, count]
                )
                count += 1
            for offset in offsets[piece]:
                taken[here + offset] = True
        end_packed_successors(after, row, count)


@kernel
def _reach(here, offsets, steps, piece, counts, taken, seen, queue):  # type: ignore[no-untyped-def]
    """Queue the cells that a piece can reach in one move, after its own; return their number."""
    seen[:] = False
    seen[here] = True
    queue[0] = here
    first, count = 0, 1
    while first < (count if counts == 2 else 1):
        for direction in range(4):
            step = steps[piece, direction]
            to = queue[first] + step
            while step and not seen[to]:
                fits = True
                for k in range(offsets.shape[1]):
                    fits &= not taken[to + offsets[piece, k]]
                if not fits:
                    break
                seen[to] = True
                queue[count] = to
                count += 1
                if counts != 1:
                    break
                to += step
        first += 1
    return count


FORMAT = Format(Blocks, ("counts", "alike"), has_goal=True)
