"""Water sort, `NAME.tubes`: a line for each tube, its colours from the bottom up as letters, and `.` for what is free.

Pouring moves the colours of one kind on top of a tube onto the same colour or into an empty tube, as many as fit. A
level is solved when each tube is empty, or full of one colour. Tubes have no order: states that differ in it are one.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.tools.levels.text import Grid, LevelText

_MOST_WORDS = 4


def rules(level: LevelText) -> PackedRules:
    """The rules of a level; raises BadLevel.

    A key has the tubes in order of their numbers, as many in each word as fit. The number of a tube has a digit for
    each of its places, 0 where it is free, the bottom one first.
    """
    grid, places = level.start, level.start.width
    colours = _colours(grid)
    bits = len(colours).bit_length()
    tubes_in_a_word = 63 // (bits * places)
    words = -(-len(grid.rows) // tubes_in_a_word) if tubes_in_a_word else _MOST_WORDS + 1
    if words > _MOST_WORDS:
        raise grid.fault(0, 0, f"{len(grid.rows)} tubes of {places} places in {len(colours)} colours cannot be packed")
    tubes = sorted(sum(colours.get(char, 0) << (bits * at) for at, char in enumerate(text)) for text in grid.rows)
    form = np.array([bits, places, tubes_in_a_word, len(tubes)], np.int64)
    start = np.zeros(words, np.uint64)
    for at, tube in enumerate(tubes):
        start[at // tubes_in_a_word] |= np.uint64(tube << (bits * places * (at % tubes_in_a_word)))
    return PackedRules(start=start, successors=partial(_successors, form), solved=partial(_solved, form))


def _colours(grid: Grid) -> dict[str, int]:
    """The number of each colour, from 1 on; raises BadLevel for tubes that cannot be."""
    colours: dict[str, int] = {}
    for row, column, char in grid:
        if not (char == "." or char.isalnum()):
            raise grid.fault(row, column, f"{char!r} is neither a colour (a letter or digit) nor a free place (.)")
        if char != "." and "." in grid.rows[row][:column]:
            raise grid.fault(row, column, "there is a free place under this colour")
        if char != ".":
            colours.setdefault(char, len(colours) + 1)
    for row, text in enumerate(grid.rows):
        if len(text) < grid.width:
            raise grid.fault(
                row, len(text), f"this tube has {len(text)} places, another {grid.width}; write free ones as ."
            )
    for colour in colours:
        if (count := "".join(grid.rows).count(colour)) % grid.width:
            raise grid.fault(0, 0, f"colour {colour!r} stands {count} times, which fills no tubes of {grid.width}")
    return colours


def _successors(form: npt.NDArray[np.int64], keys: Keys) -> Keys:
    tubes = int(form[3])
    after = np.empty((len(keys), max(tubes * (tubes - 1), 1), keys.shape[1]), np.uint64)
    _pour(keys, form, NO_STATE, np.empty(tubes, np.uint64), np.empty(tubes, np.uint64), after)
    return after


def _solved(form: npt.NDArray[np.int64], keys: Keys) -> npt.NDArray[np.bool_]:
    solved = np.empty(len(keys), np.bool_)
    _all_sorted(keys, form, np.empty(int(form[3]), np.uint64), solved)
    return solved


@kernel
def _unpack(keys, row, form, tubes):  # type: ignore[no-untyped-def]
    width = np.uint64(form[0] * form[1])
    for at in range(tubes.shape[0]):
        word, place = at // form[2], at % form[2]
        tubes[at] = (keys[row, word] >> (width * np.uint64(place))) & ((np.uint64(1) << width) - np.uint64(1))


@kernel
def _pack(tubes, form, after, row, count):  # type: ignore[no-untyped-def]
    width = np.uint64(form[0] * form[1])
    for word in range(after.shape[2]):
        after[row, count, word] = np.uint64(0)
    for at in range(tubes.shape[0]):
        after[row, count, at // form[2]] |= tubes[at] << (width * np.uint64(at % form[2]))


@kernel
def _top(tube, form):  # type: ignore[no-untyped-def]
    """The colour on top of a tube, how many of it lie there, and how many places are taken."""
    bits = np.uint64(form[0])
    digit = (np.uint64(1) << bits) - np.uint64(1)
    colour, same, taken = np.uint64(0), 0, 0
    for place in range(form[1]):
        here = (tube >> (bits * np.uint64(place))) & digit
        if here == 0:
            break
        same = same + 1 if here == colour else 1
        colour = here
        taken += 1
    return colour, same, taken


@kernel
def _all_sorted(keys, form, tubes, solved):  # type: ignore[no-untyped-def]
    for row in range(keys.shape[0]):
        _unpack(keys, row, form, tubes)
        solved[row] = True
        for tube in tubes:
            _, same, taken = _top(tube, form)
            solved[row] &= taken == 0 or same == form[1]


@kernel
def _pour(keys, form, none, tubes, poured, after):  # type: ignore[no-untyped-def]
    """The states after each pour between two tubes; of equal tubes only the first one counts."""
    bits = np.uint64(form[0])
    for row in range(keys.shape[0]):
        _unpack(keys, row, form, tubes)
        count = 0
        for source in range(tubes.shape[0]):
            colour, same, taken = _top(tubes[source], form)
            if taken == 0 or (source and tubes[source] == tubes[source - 1]):
                continue
            for target in range(tubes.shape[0]):
                if target == source or (target and tubes[target] == tubes[target - 1] and target - 1 != source):
                    continue
                other, _, filled = _top(tubes[target], form)
                free = form[1] - filled
                if free == 0 or (filled and other != colour) or (filled == 0 and same == taken):
                    continue
                poured[:] = tubes
                for place in range(min(same, free)):
                    poured[source] ^= colour << (bits * np.uint64(taken - 1 - place))
                    poured[target] |= colour << (bits * np.uint64(filled + place))
                poured.sort()
                _pack(poured, form, after, row, count)
                count += 1
        if count < after.shape[1]:
            after[row, count, 0] = none
