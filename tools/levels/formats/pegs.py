"""Peg solitaire, `NAME.pegs`: `o` is a peg, `.` an empty place, a space no place.

A peg jumps over a neighbour into the empty place behind it, and the neighbour goes. A level is solved as its goal says,
by default when one peg is left.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.tools.levels.text import Grid, LevelText

_MOST_CELLS = 63
"""Cells of the board's rectangle, a bit each."""


def rules(level: LevelText) -> PackedRules:
    """The rules of a level: a key has a bit for each peg, row by row; raises BadLevel."""
    start, width = level.start, max(level.start.width, 2)
    if width * len(start.rows) > _MOST_CELLS:
        raise start.fault(0, 0, f"a board has at most {_MOST_CELLS} cells, this one has {width * len(start.rows)}")
    places, pegs = _read(start, width)
    if level.goal is None:
        solved = _one_peg
    else:
        goal_places, goal_pegs = _read(level.goal, width)
        if goal_places != places:
            raise level.goal.fault(0, 0, "the goal has other places than the level")
        solved = partial(_equal, np.uint64(goal_pegs))
    steps = (1, -1, width, -width)
    from_places = np.array([_from(places, width, step) for step in steps], np.uint64)
    masks = [
        (1 << at) | (1 << at + step) | (1 << at + 2 * step)
        for step, places_of in zip(steps[::2], from_places[::2], strict=True)
        for at in range(_MOST_CELLS)
        if int(places_of) >> at & 1
    ]
    jumps = 2 * len(masks)
    most = max(min(jumps, 4 * min(pegs.bit_count(), places.bit_count() // 2)), 1)
    return PackedRules(
        start=np.array([pegs], np.uint64),
        successors=partial(_successors, np.uint64(width), from_places, most),
        solved=solved,
        used=np.array([places], np.uint64),
        masks=masks,
    )


def _read(grid: Grid, width: int) -> tuple[int, int]:
    """The bits of the places and of the pegs."""
    places = pegs = 0
    for row, column, char in grid:
        if char not in "o. ":
            raise grid.fault(row, column, f"{char!r} is neither a peg (o), nor an empty place (.), nor a space")
        bit = 1 << (row * width + column)
        places |= bit * (char != " ")
        pegs |= bit * (char == "o")
    return places, pegs


def _from(places: int, width: int, step: int) -> int:
    """The places from which a jump in this direction stays on the board."""
    found = 0
    for at in range(places.bit_length()):
        over, to = at + step, at + 2 * step
        same_row = abs(step) > 1 or at // width == to // width
        if to >= 0 and same_row and all(places >> each & 1 for each in (at, over, to)):
            found |= 1 << at
    return found


def _one_peg(keys: Keys) -> npt.NDArray[np.bool_]:
    pegs = keys[:, 0]
    one: npt.NDArray[np.bool_] = (pegs != 0) & (pegs & (pegs - np.uint64(1)) == 0)
    return one


def _equal(goal: np.uint64, keys: Keys) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = keys[:, 0] == goal
    return equal


def _successors(width: np.uint64, from_places: Keys, most: int, keys: Keys) -> Keys:
    after = np.empty((len(keys), most, 1), np.uint64)
    _jump(keys, width, from_places, NO_STATE, after)
    return after


@kernel
def _jump(keys, width, from_places, none, after):  # type: ignore[no-untyped-def]
    """The boards after all jumps: the pegs that can jump in one direction are the bits of one word."""
    for i in range(keys.shape[0]):
        pegs = keys[i, 0]
        count = 0
        for direction in range(4):
            step = np.uint64(1) if direction < 2 else width
            up = direction % 2 == 0
            over = pegs >> step if up else pegs << step
            beyond = pegs >> (step + step) if up else pegs << (step + step)
            jumping = pegs & over & ~beyond & from_places[direction]
            while jumping:
                peg = jumping & (~jumping + np.uint64(1))
                jumping ^= peg
                three = (
                    peg | (peg << step) | (peg << (step + step)) if up else peg | (peg >> step) | (peg >> (step + step))
                )
                after[i, count, 0] = pegs ^ three
                count += 1
        if count < after.shape[1]:
            after[i, count, 0] = none
