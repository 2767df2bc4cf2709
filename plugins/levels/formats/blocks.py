"""Sliding blocks, `NAME.blocks`: equal letters or digits are a piece, `.` is empty, # a wall.

After a line `goal` comes the board with the pieces that must be somewhere, as in Klotski. Pieces of equal shape that
the goal does not name are alike, and so are those of each word of `; alike: 123 456`. In a board with spaces these are
empty, too. `; counts: piece`, the default, counts one piece along any path as a move, `straight` a piece any distance
in one direction, `cells` each cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle, islice, takewhile
from string import ascii_letters, digits

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import (
    SIDE,
    WAYS,
    Cell,
    CellBoard,
    cell_name,
    cells_of,
    in_reach,
    mark,
    middle,
    outline,
    tint,
)
from puzzlebase.plugins.levels.formats import Format
from puzzlebase.plugins.levels.game import LevelGame, Slide, Step
from puzzlebase.plugins.levels.states.packed import (
    IN_A_WORD,
    NO_STATE,
    Key,
    PackedRules,
    number_in,
    pack,
    packed,
    unpack,
    unpacked,
    written_by,
)
from puzzlebase.plugins.levels.text import BadLevel, Grid, LevelText
from puzzlebase.plugins.small_graphs import breadth_first, path_back
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Place, Shape, rectangle
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.machinery.squares import piece_in

_LETTERS = ascii_letters + digits
_UNDER = dict.fromkeys(_LETTERS + ". ", ".") | {"#": "#"}
_WRONG = "neither a piece, nor empty (.), nor a wall (#)"
_MOST_WORDS = 4
_NAMED = ("#d8433b", "#c2458b", "#c98a1b")
_OTHERS = ("#5b86c9", "#5fa37a", "#c9a45b", "#8f7fbf", "#5ea3a3", "#b98a6e", "#8a93a0")
"""Colours of the pieces that the goal names, and of the others by shape."""

Cells = tuple[Cell, ...]
Pieces = dict[str, Cells]
Kind = tuple[str, Cells]
"""A piece's letter, if the goal names it, and its shape: cells by their distance from the first."""


def game(level: LevelText) -> LevelGame:
    """The game of a level; raises BadLevel."""
    start = _without_spaces(level.start)
    board = CellBoard.of(start, _UNDER, "#", _WRONG)
    pieces = read_pieces(start, _LETTERS)
    if level.goal is None:
        raise level.start.fault(
            0, 0, "the level has no goal: write `goal` on a line, and under it where pieces must be"
        )
    cells_of(level.goal, _UNDER, _WRONG)
    goal = {}
    for row, column, char in level.goal:
        if char in _LETTERS and (row, column) not in board.floor:
            raise level.goal.fault(row, column, f"piece {char!r} cannot be here, in a wall or outside the board")
    for letter, cells in read_pieces(level.goal, _LETTERS).items():
        if letter not in pieces or _shape(pieces[letter]) != _shape(cells):
            raise level.goal.fault(*cells[0], f"the level has no piece {letter!r} of this shape")
        goal[letter] = cells[0]
    counts = level.value("counts", ("piece", "straight", "cells"))
    named = ", ".join(goal)
    alike = _alike(level, pieces, goal)
    return SlidingPieces(board, _LETTERS, pieces, goal, counts, alike).game(
        start,
        state="Rows joined by /: equal letters or digits are a piece, . is empty, # a wall. "
        f"Pieces of equal shape are alike, except {named}"
        + (f", of which {level.values['alike'][0]} are" if alike else ""),
        moves="A piece and where its first cell goes, the leftmost of its top row: B-c4 is the third column from the "
        "left, the fourth row from the top",
        instructions=f"Slide the pieces through free cells until {named} "
        f"{'is' if len(goal) == 1 else 'are'} where the board is tinted. A move is a piece "
        + {"piece": "along any path.", "straight": "any distance in one direction.", "cells": "by one cell."}[counts],
    )


def _without_spaces(grid: Grid) -> Grid:
    """The board with a point for each space, also behind its rows, if it has spaces."""
    if not any(" " in row for row in grid.rows):
        return grid
    return replace(grid, rows=tuple(row.ljust(grid.width).replace(" ", ".") for row in grid.rows))


def _alike(level: LevelText, pieces: Pieces, goal: Mapping[str, Cell]) -> dict[str, str]:
    """The first of each group of pieces that are alike in the goal, by each piece of the group; raises BadLevel."""
    stated, line = level.values.get("alike", ("", 0))
    for group in stated.split():
        shapes = {_shape(pieces[letter]) if letter in goal else None for letter in group}
        if None in shapes or len(shapes) > 1:
            wrong = f"{group!r} must be pieces of equal shape, each of them in the goal"
            raise BadLevel(level.start.path, line, 1, wrong)
    return {letter: group[0] for group in stated.split() for letter in group}


def read_pieces(grid: Grid, letters: str) -> Pieces:
    """The cells of each piece, row by row, by its letter; raises BadLevel."""
    pieces: dict[str, list[Cell]] = {}
    for row, column, char in grid:
        if char in letters:
            pieces.setdefault(char, []).append((row, column))
    for letter, cells in pieces.items():
        if others := {*cells} - in_reach(cells[0], cells).keys():
            raise grid.fault(*min(others), f"piece {letter!r} is in two parts")
    if not pieces:
        raise grid.fault(0, 0, "there is no piece on the board")
    return {letter: tuple(cells) for letter, cells in pieces.items()}


@dataclass(frozen=True)
class SlidingPieces:
    """Pieces that slide on a board: their states as texts, and the form of keys.

    A key has the number of each piece's first cell, alike pieces together and in order.

    Attributes:
        letters: those of pieces.
        pieces: the pieces at first.
        goal: the first cell of each piece that the goal names.
        counts: what a move is.
        alike: the first piece of its group, for pieces of the goal that are alike.
        rails: True if a piece moves along its longer side only.
    """

    board: CellBoard
    letters: str
    pieces: Pieces
    goal: Mapping[str, Cell]
    counts: str
    alike: Mapping[str, str] = field(default_factory=dict)
    rails: bool = False

    def game(self, grid: Grid, *, state: str, moves: str, instructions: str) -> LevelGame:
        """The game, with texts for people as in LevelGame; raises BadLevel for the level's grid if it is too large."""
        return LevelGame(
            rules=self._rules(grid),
            start=self.text(self.pieces),
            read=self.read,
            write=self.write,
            steps=self.steps,
            layout=self.layout,
            state=state,
            moves=moves,
            instructions=instructions,
        )

    def _rules(self, grid: Grid) -> PackedRules:
        in_a_word = IN_A_WORD // self.bits
        if len(self.pieces) > _MOST_WORDS * in_a_word:
            raise grid.fault(0, 0, f"a board with {len(self.pieces)} pieces of {self.size} cells cannot be packed")
        kinds = [kind for kind, _ in self.ordered]
        shapes = [shape for _, shape in kinds]
        most = max(map(len, shapes))
        offsets = [[down * self.width + right for down, right in shape] for shape in shapes]
        is_wall = np.ones(self.size, np.bool_)
        is_wall[[self.number(cell) for cell in self.board.floor]] = False
        for_kernel = (
            is_wall,
            np.array([each + [0] * (most - len(each)) for each in offsets], np.int64),
            np.array([(kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in kinds], np.int64),
            np.array([_steps(shape, self.width, rails=self.rails) for shape in shapes], np.int64),
            np.uint64(self.bits),
            in_a_word,
            ("cells", "straight", "piece").index(self.counts),
        )
        free = max(len(self.board.floor) - sum(map(len, shapes)), 1)
        # Each move ends with the front of a piece on a free cell. In each direction, only one piece can end so on it.
        slots = {
            "cells": 4 * min(free, len(shapes)),
            "straight": 4 * free,
            "piece": min(4 * free, self.size) * len(shapes),
        }[self.counts]
        named = [piece for piece, (name, _) in enumerate(kinds) if name]
        ends = sorted((self.alike.get(name, name), cell) for name, cell in self.goal.items())
        end = {piece: self.number(cell) for piece, (_, cell) in zip(named, ends, strict=True)}
        return PackedRules(
            self.read(self.text(self.pieces)),
            written_by(_slide, slots, *for_kernel),
            lambda keys: np.logical_and.reduce(
                [number_in(keys, piece, self.bits) == cell for piece, cell in end.items()]
            ),
            reversible=True,
        )

    @cached_property
    def width(self) -> int:
        """The width of the rectangle with a border of walls."""
        return max(self.board.fixed)[1] + 3

    @cached_property
    def size(self) -> int:
        """The cells of the rectangle with a border of walls."""
        return (max(self.board.fixed)[0] + 3) * self.width

    @property
    def bits(self) -> int:
        """The bits of a cell in keys."""
        return self.size.bit_length()

    def number(self, cell: Cell) -> int:
        """The number of a cell in keys."""
        return (cell[0] + 1) * self.width + cell[1] + 1

    def _kind(self, letter: str, cells: Cells) -> Kind:
        return self.alike.get(letter, letter) if letter in self.goal else "", _shape(cells)

    @cached_property
    def ordered(self) -> list[tuple[Kind, str]]:
        """The kind and the letter of each piece in the order of keys."""
        return [(self._kind(letter, cells), letter) for letter, cells in self._in_order(self.pieces)]

    def read(self, text: str) -> Key:
        """The key of a state; raises BadLevel and ImpossibleState."""
        return packed([self.number(cells[0]) for _, cells in self._in_order(self._parse(text))], self.bits)

    def _in_order(self, pieces: Pieces) -> list[tuple[str, Cells]]:
        """The pieces of a state in the order of its key."""
        return sorted(pieces.items(), key=lambda each: (self._kind(*each), each[1][0]))

    def write(self, key: Key) -> str:
        """The text of a key."""
        pieces = {}
        numbers = unpacked(key, self.bits, len(self.ordered))
        for number, ((_, shape), letter) in zip(numbers, self.ordered, strict=True):
            row, column = divmod(number, self.width)
            pieces[letter] = _at((row - 1, column - 1), shape)
        return self.text(pieces)

    def text(self, pieces: Pieces) -> str:
        """The text of pieces."""
        return self.board.write({cell: letter for letter, cells in pieces.items() for cell in cells})

    def _parse(self, text: str) -> Pieces:
        self.board.read(text)
        pieces = read_pieces(Grid.of(text), self.letters)
        if sorted(self._kind(*each) for each in pieces.items()) != [kind for kind, _ in self.ordered]:
            raise ImpossibleState(
                f"{shorten(text)!r} does not have the pieces of this level",
                f"they must have the shapes of those in {shorten(self.text(self.pieces), 400)!r}"
                f", {', '.join(self.goal)} with {'its letter' if len(self.goal) == 1 else 'their letters'}",
            )
        return pieces

    def steps(self, text: str) -> Iterator[Step]:
        """All legal moves."""
        pieces = self._parse(text)
        free = self.board.floor.difference(*pieces.values())
        for letter, cells in self._in_order(pieces):
            shape = _shape(cells)
            reached = self._reach(cells[0], shape, free.union(cells))
            for to in islice(reached, 1, None):
                by = to[0] - cells[0][0] + to[1] - cells[0][1]
                name = f"{letter}{by:+d}" if self.rails else f"{letter}-{cell_name(to)}"
                via = tuple(middle(_at(cell, shape)) for cell in path_back(to, reached)[-2:0:-1])
                move = Move(name, f"{'car' if self.rails else 'piece'} {letter}")
                slide = Slide(cell_name(cells[0]), cell_name(to), via)
                after = pieces | {letter: _at(to, shape)}
                yield Step(move, self.text(after), (slide,))

    def _reach(self, start: Cell, shape: Cells, free: set[Cell]) -> dict[Cell, Cell]:
        """The cells that the first cell of a piece reaches in one move, each with the one before it on its way."""
        steps = [step for step, goes in zip(WAYS, _steps(shape, 1, rails=self.rails), strict=True) if goes]
        farthest = max(max(self.board.fixed)) if self.counts == "straight" else 1

        def ahead(at: Cell) -> Iterator[Cell]:
            for down, right in steps if at == start or self.counts == "piece" else ():
                line = ((at[0] + far * down, at[1] + far * right) for far in range(1, farthest + 1))
                yield from takewhile(lambda to: free.issuperset(_at(to, shape)), line)

        return dict(breadth_first([start], ahead))

    @cached_property
    def _colours(self) -> dict[Kind, str]:
        paint = {True: cycle(_NAMED), False: cycle(_OTHERS)}
        return {kind: next(paint[kind[0] != ""]) for kind in dict.fromkeys(kind for kind, _ in self.ordered)}

    @cached_property
    def _marks(self) -> list[Shape]:
        marks = [*self.board.ground]
        for letter, cell in self.goal.items():
            kind = self._kind(letter, self.pieces[letter])
            colour, cells = tint(self._colours[kind]), _at(cell, kind[1])
            if self.rails:
                x, y = middle(cells[-1:])
                marks.append(mark("exit", colour, rectangle(x + SIDE / 2 - 1, y - SIDE / 2 + 2, 9, SIDE - 4)))
            marks.append(mark(f"goal-{letter}", colour, outline(cells, 1)))
        return marks

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        pieces = (
            piece_in(
                Place(cell_name(cells[0]), *middle(cells)),
                f"piece-{letter}",
                outline(cells, 3, 7),
                self._colours[self._kind(letter, cells)],
                letter,
                15,
            )
            for letter, cells in self._parse(text).items()
        )
        return self.board.layout(self._marks, pieces)


def _shape(cells: Cells) -> Cells:
    row, column = cells[0]
    return tuple((r - row, c - column) for r, c in cells)


def _at(cell: Cell, shape: Cells) -> Cells:
    """The cells of a piece whose first one is there."""
    return tuple((cell[0] + down, cell[1] + right) for down, right in shape)


def _steps(shape: Cells, width: int, *, rails: bool) -> tuple[int, int, int, int]:
    rows, columns = (len({cell[axis] for cell in shape}) for axis in (0, 1))
    across = 0 if rails and rows > columns else 1
    down = 0 if rails and columns >= rows else width
    return across, -across, down, -down


@kernel
def _slide(keys, walls, offsets, alike, steps, bits, in_a_word, counts, after):  # type: ignore[no-untyped-def]
    """The states after all moves of all pieces; `cells` is a state, `moved` the state after a move.

    Cells are numbered row by row, with a border of walls.

    walls: bool[cells].
    offsets: the cells of each piece relative to its first, int64[pieces, most cells]; the first one repeats.
    alike: for each piece the first one that is alike, and the one behind the last, int64[pieces, 2].
    steps: the four directions as differences of cells, int64[pieces, 4], 0 if a piece may not go.
    bits: of a cell in keys.
    counts: the moves that count: 0 cells, 1 straight, 2 piece.
    """
    pieces = alike.shape[0]
    cells, moved = np.empty(pieces, np.int64), np.empty(pieces, np.int64)
    taken, seen, queue = np.empty_like(walls), np.empty_like(walls), np.empty(walls.shape[0], np.int64)
    for row in range(keys.shape[0]):
        unpack(keys, row, bits, in_a_word, cells)
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
                moved[:] = cells
                moved[piece] = queue[at]
                moved[alike[piece, 0] : alike[piece, 1]].sort()
                pack(moved, bits, in_a_word, after, row, count)
                count += 1
            for offset in offsets[piece]:
                taken[here + offset] = True
        if count < after.shape[1]:
            after[row, count, 0] = NO_STATE


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


FORMAT = Format(game, ("counts", "alike"), has_goal=True)
