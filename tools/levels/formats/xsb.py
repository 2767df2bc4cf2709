"""Sokoban, `NAME.xsb`: # wall, $ box, . goal, * box on a goal, @ player, + player on a goal, and spaces.

`; counts: pushes`, the default, counts pushes. Then states that differ only in where the player can walk are one. `;
counts: moves` counts each step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Shape, circle
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.machinery.squares import piece_in
from puzzlebase.tools.levels.cells import Cell, CellBoard, cell_name, cells_of, mark, middle, outline, tint
from puzzlebase.tools.levels.game import LevelGame, Slide, Step
from puzzlebase.tools.levels.states.packed import NO_STATE, Key, Keys, PackedRules
from puzzlebase.tools.levels.text import Grid, LevelText

_UNDER = {"#": "#", "$": "-", ".": ".", "*": ".", "@": "-", "+": ".", " ": "-", "-": "-", "_": "-"}
"""The part of the board under each character: a wall, a goal or plain floor."""
_WRONG = "none of # $ . * @ + and space"
_PLAYERS, _BOXES = "@+", "$*"
_MOST_FLOOR = 192
"""The most cells of the floor: a bit each, in three words beside that of the player."""
_WAYS = {"r": (0, 1), "l": (0, -1), "d": (1, 0), "u": (-1, 0)}
"""The directions; each even one is followed by its opposite."""
_BOX, _HOME, _PLAYER = "#c98a3c", "#4f9d5d", "#2f6fde"


def game(level: LevelText) -> LevelGame:
    """The game of a level; raises BadLevel.

    A key has a bit for each cell of the floor that holds a box. Above them, or in a first word of its own, is the
    number of the player's cell. If pushes count, that is the first cell that the player can walk to.
    """
    floor = _floor(level.start)
    number = {cell: at for at, cell in enumerate(sorted(floor))}
    board = CellBoard.of(level.start, _UNDER, "-", _WRONG, floor)
    moved = {(row, column): char for row, column, char in level.start if (row, column) in floor and char not in "-_ ."}
    boxes = sum(char in _BOXES for char in moved.values())
    goals = sum(1 << number[cell] for cell in number if board.fixed[cell] == ".")
    if not boxes or boxes != goals.bit_count():
        raise level.start.fault(0, 0, f"there are {boxes} boxes and {goals.bit_count()} goals in reach")
    neighbours = np.array(
        [[number.get((row + down, column + right), -1) for down, right in _WAYS.values()] for row, column in number],
        np.int16,
    )
    shift = len(number) if len(number) + len(number).bit_length() < 64 else 0
    pushes = level.value("counts", ("pushes", "moves")) == "pushes"
    sokoban = _Sokoban(board=board, number=number, shift=shift, boxes=boxes, pushes=pushes)
    start = board.write(moved)
    slots = len(_WAYS) * (boxes if pushes else 1)
    rules = PackedRules(
        start=sokoban.read(start),
        successors=partial(_successors, _push if pushes else _step, neighbours, shift, slots),
        solved=partial(_all_on_goals, _key(goals, 0, shift, len(number))),
        used=np.array([(1 << (shift + len(number).bit_length())) - 1 if shift else 0], np.uint64),
    )
    return LevelGame(
        rules=rules,
        start=start,
        read=sokoban.read,
        write=sokoban.write,
        steps=sokoban.steps,
        layout=sokoban.layout,
        state="Rows joined by /: # wall, $ box, . goal, * box on a goal, @ player, + player on a goal, - floor",
        moves="The cell of a box and where it is pushed, u d l r: c4r is the box in the third column from the left and "
        "the fourth row from the top, to the right"
        if pushes
        else "u d l r, where the player steps; U D L R where that pushes a box",
        instructions="Push every box onto a goal. The player walks between walls and boxes and pushes a box in front "
        "into a free cell; nothing can be pulled.",
    )


def _floor(grid: Grid) -> set[Cell]:
    """The cells that the player could reach if there were no boxes; raises BadLevel."""
    cells = cells_of(grid, _UNDER, _WRONG)
    players = [cell for cell, char in cells.items() if char in _PLAYERS]
    if len(players) != 1:
        row, column = players[1] if players else (0, 0)
        raise grid.fault(row, column, f"there are {len(players)} players (@ or +), not one")
    floor = {*_reach(players[0], {cell for cell, char in cells.items() if char != "#"})}
    for row, column in sorted(floor):
        if any((row + down, column + right) not in cells for down, right in _WAYS.values()):
            raise grid.fault(row, column, "the player can leave the level here: close the wall")
    if len(floor) > _MOST_FLOOR:
        raise grid.fault(0, 0, f"the floor has {len(floor)} cells; at most {_MOST_FLOOR} can be packed")
    return floor


def _reach(start: Cell, free: set[Cell]) -> dict[Cell, Cell]:
    """The cells that the player can reach, nearest first, each with the one before it."""
    reached = {start: start}
    waiting = [start]
    for row, column in waiting:
        for down, right in _WAYS.values():
            cell = row + down, column + right
            if cell in free and cell not in reached:
                reached[cell] = row, column
                waiting.append(cell)
    return reached


def _key(boxes: int, player: int, shift: int, cells: int) -> Key:
    if shift:
        return np.array([boxes | player << shift], np.uint64)
    words = [boxes >> at & (1 << 64) - 1 for at in range(0, cells, 64)]
    return np.array([player, *words], np.uint64)


@dataclass(frozen=True, kw_only=True)
class _Sokoban:
    """The board side of a level: the cells of its floor by number, the number of boxes, and the count of moves."""

    board: CellBoard
    number: Mapping[Cell, int]
    shift: int
    boxes: int
    pushes: bool

    def read(self, text: str) -> Key:
        return self._key(*self._parse(text))

    def _key(self, boxes: set[Cell], player: Cell) -> Key:
        if self.pushes:
            player = min(_reach(player, self.number.keys() - boxes))
        return _key(sum(1 << self.number[box] for box in boxes), self.number[player], self.shift, len(self.number))

    def write(self, key: Key) -> str:
        words = key.tolist()
        player = words[0] >> self.shift
        bits = words[0] if self.shift else sum(word << 64 * at for at, word in enumerate(words[1:]))
        cells = [*self.number]
        return self._text({cell for at, cell in enumerate(cells) if bits >> at & 1}, cells[player])

    def _parse(self, text: str) -> tuple[set[Cell], Cell]:
        """The cells of the boxes and of the player."""
        cells = [(cell, char) for cell, char in self.board.read(text).items() if cell in self.number]
        boxes, players = ([cell for cell, char in cells if char in chars] for chars in (_BOXES, _PLAYERS))
        if (len(boxes), len(players)) != (self.boxes, 1):
            raise ImpossibleState(
                f"{shorten(text)!r} has {len(boxes)} boxes and {len(players)} players",
                f"this level has {self.boxes} boxes ($ or *) and one player (@ or +)",
            )
        return {*boxes}, players[0]

    def _text(self, boxes: set[Cell], player: Cell) -> str:
        chars = {**dict.fromkeys(boxes, "$*"), player: "@+"}
        return self.board.write({cell: each[self.board.fixed[cell] == "."] for cell, each in chars.items()})

    def steps(self, text: str) -> Iterator[Step]:
        boxes, player = self._parse(text)
        free = self.number.keys() - boxes
        return self._pushes(boxes, player, free) if self.pushes else self._moves(boxes, player, free)

    def _pushes(self, boxes: set[Cell], player: Cell, free: set[Cell]) -> Iterator[Step]:
        reached = _reach(player, free)
        for box in sorted(boxes):
            for letter, (down, right) in _WAYS.items():
                to, behind = (box[0] + down, box[1] + right), (box[0] - down, box[1] - right)
                if to in free and behind in reached:
                    path = [behind]
                    while path[-1] != player:
                        path.append(reached[path[-1]])
                    via = tuple(middle([cell]) for cell in path[-2::-1])
                    move = Move(cell_name(box) + letter, f"box {cell_name(box)}")
                    walked = _slide(player, box)._replace(via=via, dragged=False)
                    yield self._step(move, boxes - {box} | {to}, box, _slide(box, to), walked)

    def _moves(self, boxes: set[Cell], player: Cell, free: set[Cell]) -> Iterator[Step]:
        for letter, (down, right) in _WAYS.items():
            to, beyond = ((player[0] + each * down, player[1] + each * right) for each in (1, 2))
            if to in free:
                yield self._step(Move(letter, "player"), boxes, to, _slide(player, to))
            elif to in boxes and beyond in free:
                pushed = _slide(to, beyond)._replace(dragged=False)
                after = boxes - {to} | {beyond}
                yield self._step(Move(letter.upper(), "player"), after, to, _slide(player, to), pushed)

    def _step(self, move: Move, boxes: set[Cell], player: Cell, *slides: Slide) -> Step:
        return Step(move, self._text(boxes, player), self._key(boxes, player), slides)

    @cached_property
    def marks(self) -> tuple[Shape, ...]:
        goals = (outline([cell], 6, 5) for cell, fixed in self.board.fixed.items() if fixed == ".")
        return *self.board.ground, mark("goals", tint(_HOME), *goals)

    def layout(self, text: str) -> Layout:
        boxes, player = self._parse(text)
        where = self.board.places
        pieces = [
            piece_in(where[box], f"box-{at}", outline([box], 3, 5), _HOME if home else _BOX, "", 0)
            for at, box in enumerate(sorted(boxes), 1)
            for home in [self.board.fixed[box] == "."]
        ]
        x, y = middle([player])
        pieces.append(piece_in(where[player], "player", circle(x, y, 13), _PLAYER, "", 0))
        return self.board.layout(self.marks, pieces)


def _slide(source: Cell, target: Cell) -> Slide:
    return Slide(cell_name(source), cell_name(target))


def _all_on_goals(goals: Keys, keys: Keys) -> npt.NDArray[np.bool_]:
    """True if each goal has a box: there are as many goals as boxes, so it is enough that each box is on a goal."""
    first = 0 if len(goals) == 1 else 1
    solved: npt.NDArray[np.bool_] = ((keys & goals) == goals)[:, first:].all(axis=1)
    return solved


def _successors(fill, neighbours: npt.NDArray[np.int16], shift: int, slots: int, keys: Keys) -> Keys:  # type: ignore[no-untyped-def]
    after = np.empty((len(keys), slots, keys.shape[1]), np.uint64)
    cells = len(neighbours)
    box, reached, queue = np.zeros(cells, np.bool_), np.zeros(cells, np.bool_), np.zeros(cells, np.int16)
    fill(keys, neighbours, np.uint64(shift), box, reached, queue, after)
    return after


@kernel
def _unpack(keys, row, shift, box):  # type: ignore[no-untyped-def]
    """Mark the cells with a box; return the player's."""
    first = 0 if shift else 64
    for cell in range(box.shape[0]):
        at = first + cell
        box[cell] = (keys[row, at >> 6] >> np.uint64(at & 63)) & np.uint64(1)
    return np.int64(keys[row, 0] >> shift)


@kernel
def _pack(box, player, shift, after, row, slot):  # type: ignore[no-untyped-def]
    first = 0 if shift else 64
    for word in range(after.shape[2]):
        after[row, slot, word] = np.uint64(0)
    after[row, slot, 0] = np.uint64(player) << shift
    for cell in range(box.shape[0]):
        at = first + cell
        after[row, slot, at >> 6] |= np.uint64(box[cell]) << np.uint64(at & 63)


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
def _step(keys, neighbours, shift, box, _reached, _queue, after):  # type: ignore[no-untyped-def]
    """The states after each step of the player, pushing the box in front of it."""
    for row in range(keys.shape[0]):
        player = _unpack(keys, row, shift, box)
        count = 0
        for direction in range(4):
            to = neighbours[player, direction]
            if to < 0:
                continue
            if box[to]:
                beyond = neighbours[to, direction]
                if beyond < 0 or box[beyond]:
                    continue
                box[to], box[beyond] = False, True
                _pack(box, to, shift, after, row, count)
                box[to], box[beyond] = True, False
            else:
                _pack(box, to, shift, after, row, count)
            count += 1
        if count < after.shape[1]:
            after[row, count, 0] = NO_STATE


@kernel
def _push(keys, neighbours, shift, box, reached, queue, after):  # type: ignore[no-untyped-def]
    """The states after each push of a box; `reached` is for two walks, before and after a push."""
    for row in range(keys.shape[0]):
        player = _unpack(keys, row, shift, box)
        count = 0
        _walk(player, neighbours, box, reached, queue)
        around = reached.copy()
        for cell in range(box.shape[0]):
            if not box[cell]:
                continue
            for direction in range(4):
                to, behind = neighbours[cell, direction], neighbours[cell, direction ^ 1]
                if to < 0 or behind < 0 or box[to] or not around[behind]:
                    continue
                box[cell], box[to] = False, True
                _pack(box, _walk(cell, neighbours, box, reached, queue), shift, after, row, count)
                box[cell], box[to] = True, False
                count += 1
        if count < after.shape[1]:
            after[row, count, 0] = NO_STATE
