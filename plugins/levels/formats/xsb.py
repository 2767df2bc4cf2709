"""Sokoban, `NAME.xsb`: # wall, $ box, . goal,
* box on a goal, @ player, + player on a goal, and spaces.

`; counts: pushes`, the default, counts pushes. Then states that differ only in where the player can
walk are one. `; counts: moves` counts each step.

Rows are lines of these characters, with a wall at least, or lines that begin with one. They may be
joined by |, and 6# is ######. Other lines are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from string import digits

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import (
    WAYS,
    CellBoard,
    cell_name,
    cells_beside,
    cells_in_reach,
    drawing_mark,
    drawing_middle,
    drawing_outline,
    drawing_tint,
)
from puzzlebase.plugins.levels.game import Format, LevelGame, Slide, Step
from puzzlebase.plugins.levels.states.packed import (
    Key,
    PackedRules,
    end_packed_successors,
    packed_successors,
    replace_packed_number,
)
from puzzlebase.plugins.levels.text import MOST_CELLS, Cell, Grid, LevelText
from puzzlebase.plugins.small_graphs import small_graph_path
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Shape, circle
from puzzlebase.puzzles.contract.layout import piece_in

_UNDER = {"#": "#", "$": "-", ".": ".", "*": ".", "@": "-", "+": ".", " ": "-", "-": "-", "_": "-"}
"""The part of the board under each character: a wall, a goal or plain floor."""
_WRONG = "none of # $ . * @ + and space"
_PLAYERS, _BOXES = "@+", "$*"
_MOST_FLOOR = 400
"""The most cells of the floor."""
_ROW = {*_UNDER}
_SHORT_ROWS = _ROW - {" "} | {*digits, "|"}
_RUN = re.compile(r"(\d{1,3})([^|\d])")
_LETTERS = "rldu"
"""The directions, as WAYS."""
_BACK = dict(zip(_LETTERS, "lrud", strict=True))
_BOX, _HOME, _PLAYER = "#c98a3c", "#4f9d5d", "#2f6fde"


def rows_of(line: str) -> Sequence[str]:
    """The rows that a line holds; none for words."""
    row = line.rstrip().expandtabs()
    short = row.strip()
    if "#" not in row:
        return []
    if len(short) <= MOST_CELLS and _SHORT_ROWS.issuperset(short) and not _ROW.issuperset(short):
        full = _RUN.sub(lambda run: int(run[1]) * run[2], short)
        return full.strip("|").split("|")
    return [row] if _ROW.issuperset(row) or short.startswith("#") else []


def _floor(grid: Grid, cells: Mapping[Cell, str]) -> set[Cell]:
    """The cells that the player could reach if there were no boxes; raises BadLevel."""
    players = [cell for cell, char in cells.items() if char in _PLAYERS]
    if len(players) != 1:
        wrong = f"there are {len(players)} players (@ or +), not one"
        raise grid.fault(wrong, players[1] if players else (0, 0))
    floor = {*cells_in_reach(players[0], {cell for cell, char in cells.items() if char != "#"})}
    for cell in sorted(floor):
        if not cells.keys() >= {*cells_beside(cell)}:
            raise grid.fault("the player can leave the level here: close the wall", cell)
    if len(floor) > _MOST_FLOOR:
        raise grid.fault(f"the floor has {len(floor)} cells; at most {_MOST_FLOOR} can be packed")
    return floor


class Sokoban(LevelGame):
    """The game of a level.

    A key has the numbers of the boxes' cells in order, then that of the player's. If pushes count,
    that is the first cell that the player can walk to.
    """

    sentence = "Sokoban: push every box onto a goal."
    state = (
        "Rows joined by /: # wall, $ box, . goal, * box on a goal, @ player, + player on a "
        "goal, - floor"
    )
    instructions = (
        "Push every box onto a goal. The player walks between walls and boxes and "
        "pushes a box in front into a free cell; nothing can be pulled."
    )

    def __init__(self, level: LevelText) -> None:
        grid = level.start
        board = self._board = CellBoard(grid, _UNDER, "-", _WRONG)
        board.floor = _floor(grid, board.cells)
        self._cells = sorted(board.floor)
        self._number = {cell: at for at, cell in enumerate(self._cells)}
        for cell, char in grid:
            if char == "$" and cell not in board.floor:
                raise grid.fault("the player cannot come to this box, and it is on no goal", cell)
        boxes, (player,) = self._pieces(board.cells)
        self._boxes = len(boxes)
        goals = [number for cell, number in self._number.items() if board.fixed[cell] == "."]
        if not boxes or len(boxes) != len(goals):
            raise grid.fault(f"there are {len(boxes)} boxes and {len(goals)} goals in reach")
        self._pushes = level.value("counts", ("pushes", "moves")) == "pushes"
        self.moves = (
            "The cell of a box and where it is pushed, u d l r: c4r is the box in the "
            "third column from the left and the fourth row from the top, to the right"
            if self._pushes
            else "u d l r, where the player steps; U D L R where that pushes a box"
        )
        self.start = self._text({*boxes}, player)
        neighbours = np.array(
            [[self._number.get(to, -1) for to in cells_beside(cell)] for cell in self._cells],
            np.int16,
        )
        slots = len(WAYS) * (self._boxes if self._pushes else 1)
        self.rules = PackedRules(
            start=self.read(self.start),
            successors=packed_successors(_move, slots, neighbours, self._pushes),
            solved=lambda keys: (keys[:, :-1] == goals).all(axis=1),
        )

    def read(self, text: str) -> Key:
        """The key of a state."""
        boxes, player = self._parse(text)
        if self._pushes:
            player = min(cells_in_reach(player, self._number.keys() - boxes))
        return np.array(
            [self._number[cell] for cell in (*sorted(boxes), player)],
            np.min_scalar_type(len(self._number)),
        )

    def write(self, key: Key) -> str:
        """The text of a key."""
        *boxes, player = (self._cells[number] for number in key)
        return self._text({*boxes}, player)

    def _parse(self, text: str) -> tuple[set[Cell], Cell]:
        """The cells of the boxes and of the player."""
        boxes, players = self._pieces(self._board.read(text))
        if (len(boxes), len(players)) != (self._boxes, 1):
            raise ImpossibleState(
                f"{shorten(text)!r} has {len(boxes)} boxes and {len(players)} players",
                f"this level has {self._boxes} boxes ($ or *) and one player (@ or +)",
            )
        return {*boxes}, players[0]

    def _pieces(self, cells: Mapping[Cell, str]) -> list[list[Cell]]:
        """The cells of the boxes and of the players, as far as they are on the floor."""
        return [
            [cell for cell in self._cells if cells.get(cell, "-") in chars]
            for chars in (_BOXES, _PLAYERS)
        ]

    def _text(self, boxes: set[Cell], player: Cell) -> str:
        chars = {**dict.fromkeys(boxes, "$*"), player: "@+"}
        return self._board.write(
            {cell: each[self._board.fixed[cell] == "."] for cell, each in chars.items()}
        )

    def steps(self, text: str) -> Iterator[Step]:
        """The pushes, then the steps of the player, unless only pushes count."""
        boxes, player = self._parse(text)
        free = self._number.keys() - boxes
        around = cells_in_reach(player, free) if self._pushes else {player: player}
        for box, letter in product(sorted(boxes), _LETTERS):
            to, behind = _ahead(box, letter), _ahead(box, _BACK[letter])
            if behind not in around or to not in free:
                continue
            via = tuple(drawing_middle([cell]) for cell in small_graph_path(behind, around)[-2::-1])
            pushed = Slide(cell_name(box), cell_name(to), dragged=self._pushes)
            walked = Slide(cell_name(player), cell_name(box), via, dragged=not self._pushes)
            if self._pushes:
                move = Move(cell_name(box) + letter, f"box {cell_name(box)}")
                slides = pushed, walked
            else:
                move = Move(letter.upper(), "player")
                slides = walked, pushed
            yield Step(move, self._text(boxes - {box} | {to}, box), slides)
        for letter in "" if self._pushes else _LETTERS:
            if (to := _ahead(player, letter)) in free:
                walked = Slide(cell_name(player), cell_name(to))
                yield Step(Move(letter, "player"), self._text(boxes, to), (walked,))

    def spelled(self, text: str, word: str) -> Sequence[str]:
        """The moves of a game written as players do,
        a letter for each step, as luurD; of any other word itself.
        """
        shortest = 1 if self._pushes else 2  # a letter alone is a move where steps count
        if len(word) < shortest or not {*word.lower()} <= {*_LETTERS}:
            return [word]
        boxes, player = self._parse(text)
        moves = []
        for letter in word.lower():
            ahead = _ahead(player, letter)
            if ahead in boxes:
                moves.append(cell_name(ahead) + letter if self._pushes else letter.upper())
                boxes = boxes - {ahead} | {_ahead(ahead, letter)}
            elif not self._pushes or ahead not in self._number:
                moves.append(letter)
            player = ahead
        return moves

    @cached_property
    def _marks(self) -> tuple[Shape, ...]:
        goals = (
            drawing_outline([cell], 6, 5)
            for cell, fixed in self._board.fixed.items()
            if fixed == "."
        )
        return *self._board.ground, drawing_mark("goals", drawing_tint(_HOME), *goals)

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        boxes, player = self._parse(text)
        where = self._board.places
        pieces = [
            piece_in(
                where[box],
                f"box-{at}",
                drawing_outline([box], 3, 5),
                _HOME if self._board.fixed[box] == "." else _BOX,
                "",
                0,
            )
            for at, box in enumerate(sorted(boxes), 1)
        ]
        at = where[player]
        pieces.append(piece_in(at, "player", circle(at.x, at.y, 13), _PLAYER, "", 0))
        return self._board.layout(self._marks, pieces)


def _ahead(cell: Cell, letter: str) -> Cell:
    """The next cell in a direction."""
    return cells_beside(cell)[_LETTERS.index(letter)]


@kernel
def _walk(player, neighbours, box, reached, queue):  # type: ignore[no-untyped-def]
    """Mark the cells that the player can walk to; return the first of them."""
    reached[:] = False
    reached[player] = True
    queue[0] = player
    first, count, least = 0, 1, player
    while first < count:
        cell = queue[first]
        first += 1
        least = min(least, cell)
        for direction in range(4):
            to = neighbours[cell, direction]
            if to >= 0 and not box[to] and not reached[to]:
                reached[to] = True
                queue[count] = to
                count += 1
    return least


@kernel
def _move(keys, neighbours, pushes, after):  # type: ignore[no-untyped-def]
    """The states after each push of a box,
    then those after each step of the player, unless only pushes count.

    `around` marks where the player stands before a push:
    all cells in reach if pushes count, else its own.
    """
    cells, boxes = neighbours.shape[0], keys.shape[1] - 1
    box, queue = np.empty(cells, np.bool_), np.empty(cells, np.int64)
    around, reached = np.zeros(cells, np.bool_), np.empty(cells, np.bool_)
    for row in range(keys.shape[0]):
        box[:] = False
        for at in range(boxes):
            box[keys[row, at]] = True
        player = np.int64(keys[row, boxes])
        count = 0
        if pushes:
            _walk(player, neighbours, box, around, queue)
        else:
            around[:] = False
            around[player] = True
        for at in range(boxes):
            cell = np.int64(keys[row, at])
            for direction in range(4):
                to, behind = neighbours[cell, direction], neighbours[cell, direction ^ 1]
                if to < 0 or behind < 0 or box[to] or not around[behind]:
                    continue
                box[cell], box[to] = False, True
                there = _walk(cell, neighbours, box, reached, queue) if pushes else cell
                box[cell], box[to] = True, False
                replace_packed_number(keys[row], at, to, 0, boxes, after[row, count])
                after[row, count, boxes] = there
                count += 1
        for direction in range(0 if pushes else 4):
            to = neighbours[player, direction]
            if to >= 0 and not box[to]:
                replace_packed_number(keys[row], boxes, to, boxes, boxes + 1, after[row, count])
                count += 1
        end_packed_successors(after, row, count)


FORMAT = Format(
    Sokoban,
    ("counts",),
    rows_of=rows_of,
    extra={"lurd": "puzzlebase.plugins.levels.lurd:in_words"},
)
