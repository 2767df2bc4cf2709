"""Sokoban, `NAME.xsb`: # wall, $ box, . goal, * box on a goal, @ player, + player on a goal, and spaces.

`; counts: pushes`, the default, counts pushes. Then states that differ only in where the player can walk to are one.
`; counts: moves` counts each step.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.tools.levels.text import Grid, LevelText

_PLAYERS, _BOXES, _GOALS = "@+", "$*", ".*+"
_FLOOR = " -_"
_MOST_FLOOR = 192
"""Cells of the floor: a bit each, in three words beside that of the player."""
_WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Each even one is followed by its opposite."""

Cell = tuple[int, int]


def rules(level: LevelText) -> PackedRules:
    """The rules of a level; raises BadLevel.

    A key has a bit for each cell of the floor that holds a box, and above them, or in a first word of its own, the
    number of the player's cell. Where pushes count, that is the first cell that the player can walk to.
    """
    floor = _floor(level.start)
    number = {cell: at for at, cell in enumerate(sorted(floor))}
    marked = {(row, column): char for row, column, char in level.start}
    boxes = sum(1 << number[cell] for cell in number if marked[cell] in _BOXES)
    goals = sum(1 << number[cell] for cell in number if marked[cell] in _GOALS)
    player = next(number[cell] for cell in number if marked[cell] in _PLAYERS)
    if not boxes or boxes.bit_count() != goals.bit_count():
        raise level.start.fault(0, 0, f"there are {boxes.bit_count()} boxes and {goals.bit_count()} goals in reach")
    neighbours = np.array(
        [[number.get((row + down, column + right), -1) for down, right in _WAYS] for row, column in number], np.int16
    )
    shift = len(number) if len(number) + len(number).bit_length() < 64 else 0
    start = _key(boxes, player, shift, len(number))
    if level.value("counts", ("pushes", "moves")) == "moves":
        successors, slots = _step, len(_WAYS)
    else:
        successors, slots = _push, len(_WAYS) * boxes.bit_count()
        _walk_to_first(start[None, :], neighbours, shift)
    return PackedRules(
        start=start,
        successors=partial(_successors, successors, neighbours, shift, slots),
        solved=partial(_all_on_goals, _key(goals, 0, shift, len(number))),
        used=np.array([(1 << (shift + len(number).bit_length())) - 1 if shift else 0], np.uint64),
    )


def _floor(grid: Grid) -> set[Cell]:
    """The cells that the player could walk to if there were no boxes; raises BadLevel."""
    cells = {(row, column): char for row, column, char in grid}
    for (row, column), char in cells.items():
        if char not in _PLAYERS + _BOXES + _GOALS + _FLOOR + "#":
            raise grid.fault(row, column, f"{char!r} is none of # $ . * @ + and space")
    players = [cell for cell, char in cells.items() if char in _PLAYERS]
    if len(players) != 1:
        row, column = players[1] if players else (0, 0)
        raise grid.fault(row, column, f"there are {len(players)} players (@ or +), and must be one")
    floor, reached = set(players), players
    while reached:
        row, column = reached.pop()
        for down, right in _WAYS:
            cell = row + down, column + right
            if cell not in cells:
                raise grid.fault(row, column, "the player can leave the level here: close the wall")
            if cells[cell] != "#" and cell not in floor:
                floor.add(cell)
                reached.append(cell)
    if len(floor) > _MOST_FLOOR:
        raise grid.fault(0, 0, f"the floor has {len(floor)} cells; at most {_MOST_FLOOR} can be packed")
    return floor


def _key(boxes: int, player: int, shift: int, cells: int) -> Keys:
    if shift:
        return np.array([boxes | player << shift], np.uint64)
    words = [boxes >> at & (1 << 64) - 1 for at in range(0, cells, 64)]
    return np.array([player, *words], np.uint64)


def _all_on_goals(goals: Keys, keys: Keys) -> npt.NDArray[np.bool_]:
    """There are as many goals as boxes, so that each goal has a box where each box has a goal."""
    first = 0 if len(goals) == 1 else 1
    solved: npt.NDArray[np.bool_] = ((keys & goals) == goals)[:, first:].all(axis=1)
    return solved


def _successors(fill, neighbours: npt.NDArray[np.int16], shift: int, slots: int, keys: Keys) -> Keys:  # type: ignore[no-untyped-def]
    after = np.empty((len(keys), slots, keys.shape[1]), np.uint64)
    fill(keys, neighbours, np.uint64(shift), NO_STATE, *_scratch(len(neighbours)), after)
    return after


def _scratch(cells: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.int16]]:
    """Which cells have a box, which are reached, and a queue of cells."""
    return np.zeros(cells, np.bool_), np.zeros(cells, np.bool_), np.zeros(cells, np.int16)


def _walk_to_first(keys: Keys, neighbours: npt.NDArray[np.int16], shift: int) -> None:
    """Put the player of each state into the first cell that can be walked to."""
    box, reached, queue = _scratch(len(neighbours))
    for row in range(len(keys)):
        player = _unpack(keys, row, np.uint64(shift), box)
        first = _walk(player, neighbours, box, reached, queue)
        _pack(box, first, np.uint64(shift), keys[None, :], 0, row)


@kernel
def _unpack(keys, row, shift, box):  # type: ignore[no-untyped-def]
    """Note which cells have a box; return the player's."""
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
def _step(keys, neighbours, shift, none, box, _reached, _queue, after):  # type: ignore[no-untyped-def]
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
            after[row, count, 0] = none


@kernel
def _push(keys, neighbours, shift, none, box, reached, queue, after):  # type: ignore[no-untyped-def]
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
            after[row, count, 0] = none
