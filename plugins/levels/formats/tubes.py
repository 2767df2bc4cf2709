"""Water sort, `NAME.tubes`: a line for each tube,
its colours from the bottom up as letters, and `.` for free places.

Pouring moves equal colours from the top of a tube onto the same colour or into an empty tube, as
many as fit. A level is solved when each tube is empty, or full of one colour. States that differ
only in the order of tubes are one. After `; order: top` the lines of the level have the tubes from
the top down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import permutations, product

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import (
    FLOOR,
    MARGIN,
    SIDE,
    Spot,
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
)
from puzzlebase.plugins.levels.text import Grid, LevelText
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Place, Shape
from puzzlebase.puzzles.contract.layout import COLOURS, numbered, piece_in

_MOST_BITS = 64
_IN_LINE = 10
_INK = "#8b8478"


def _colours(grid: Grid) -> dict[str, int]:
    """The number of each colour, from 1 on; raises BadLevel for impossible tubes."""
    colours: dict[str, int] = {}
    for cell, char in grid:
        row, column = cell
        if not (char == "." or char.isalnum()):
            raise grid.fault(
                f"{char!r} is neither a colour (a letter or digit) nor a free place (.)", cell
            )
        if char != "." and "." in grid.rows[row][:column]:
            raise grid.fault("there is a free place under this colour; or is the order: top?", cell)
        if char != ".":
            colours.setdefault(char, len(colours) + 1)
    for row, text in enumerate(grid.rows):
        if len(text) < grid.width:
            raise grid.fault(
                f"this tube has {len(text)} places, another {grid.width}; write free places as .",
                (row, len(text)),
            )
    return colours


class Tubes(LevelGame):
    """The game of a level.

    A key has the tubes in order of their numbers. The number of a tube has a digit for each of its
    places, 0 if it is free, the bottom one first.
    """

    sentence = "Water sort: each colour into a tube of its own."
    state = (
        "The tubes joined by /, each its colours from the bottom up as letters, and . for "
        "free places"
    )
    moves = "The numbers of two tubes: 1-3 pours from tube 1 into tube 3"
    instructions = (
        "Pour the colour on top of a tube onto the same colour or into an empty tube, "
        "as much as fits. It is solved when each tube is empty, or full of one colour."
    )

    def __init__(self, level: LevelText) -> None:
        grid = level.start
        if level.value("order", ("bottom", "top")) == "top":
            grid = replace(grid, rows=tuple(row[::-1] for row in grid.rows))
        self._count, self._places = len(grid.rows), grid.width
        self._colours = _colours(grid)  # the number of each colour
        for colour in self._colours:
            if (count := "".join(grid.rows).count(colour)) % grid.width:
                raise grid.fault(
                    f"colour {colour!r} occurs {count} times, not a multiple of {grid.width}"
                )
        # With two bits at least for a place, no full tube is the greatest number.
        self._bits = max(len(self._colours).bit_length(), 2)
        slots = max(self._count * (self._count - 1), 1)
        if slots * self._count > MOST_NUMBERS:
            raise grid.fault(f"there are {self._count} tubes; so many cannot be packed")
        if self._bits * grid.width > _MOST_BITS:
            wrong = f"tubes of {grid.width} places in {len(self._colours)} colours cannot be packed"
            raise grid.fault(wrong)
        self.start = "/".join(grid.rows)
        done = np.array(
            [self._number(colour * grid.width) for colour in ("", *self._colours)], np.uint64
        )
        self.rules = PackedRules(
            self.read(self.start),
            packed_successors(_pour, slots, np.uint64(self._bits), grid.width),
            lambda keys: np.logical_and.reduce(np.isin(keys, done), axis=1),
        )

    def read(self, text: str) -> Key:
        """The key of a state."""
        most = np.uint64((1 << self._bits * self._places) - 1)
        return np.array(sorted(map(self._number, self._parse(text))), np.min_scalar_type(most))

    def _number(self, tube: str) -> int:
        """The number of a tube in keys."""
        return sum(self._colours[char] << self._bits * at for at, char in enumerate(tube))

    def write(self, key: Key) -> str:
        """The text of a key, empty tubes last."""
        letters = ".", *self._colours
        digits = [self._bits * place for place in range(self._places)]
        tubes = (
            [number >> at & (1 << self._bits) - 1 for at in digits]
            for number in reversed(key.tolist())
        )
        return "/".join("".join(letters[colour] for colour in tube) for tube in tubes)

    def _parse(self, text: str) -> list[str]:
        """The colours in each tube."""
        grid = Grid.of(text)
        _colours(grid)
        if sorted(text) != sorted(self.start):
            raise ImpossibleState(
                f"{shorten(text)!r} does not have the tubes and colours of this level",
                f"it has {self._count} tubes of {self._places} places, with the same colours as "
                f"{shorten(self.start, 400)!r}",
            )
        return [row.rstrip(".") for row in grid.rows]

    def steps(self, text: str) -> Iterator[Step]:
        """All legal moves."""
        tubes = self._parse(text)
        ordered = sorted(enumerate(tubes), key=lambda each: self._number(each[1]))
        for (a, source), (b, target) in permutations(ordered, 2):
            same = len(source) - len(source.rstrip(source[-1:]))
            poured = min(same, self._places - len(target))
            if poured and (target[-1:] == source[-1] or (not target and same < len(source))):
                after = tubes.copy()
                after[a], after[b] = source[:-poured], target + source[-poured:]
                via = tuple(
                    drawing_middle([self._spot(tube, self._places - 0.25)]) for tube in (a, b)
                )
                slides = (
                    Slide(
                        _place(a, len(source) - 1 - at), _place(b, len(target) + at), via, lift=True
                    )
                    for at in range(poured)
                )
                written = "/".join(tube.ljust(self._places, ".") for tube in after)
                yield Step(Move(f"{a + 1}-{b + 1}", f"tube {a + 1}"), written, tuple(slides))

    def _spot(self, tube: int, level: float) -> Spot:
        """The point of a place in a tube, by its level from 0 on; tubes stand in lines."""
        lines = -(-self._count // _IN_LINE)
        line, column = divmod(tube, -(-self._count // lines))
        return line * (self._places + 2) + self._places - level, 1.5 * column

    @cached_property
    def _board(self) -> dict[tuple[int, int], Place]:
        """The places, by tube and level, from the bottom of each tube up."""
        return {
            each: Place(_place(*each), *drawing_middle([self._spot(*each)]))
            for each in product(range(self._count), range(self._places))
        }

    @cached_property
    def _marks(self) -> tuple[Shape, ...]:
        glasses = drawing_outline([self._spot(*each) for each in self._board], -4, 12)
        below = [drawing_middle([self._spot(tube, -0.9)]) for tube in range(self._count)]
        return drawing_mark("tubes", FLOOR, glasses), *(
            Shape(id=f"number-{at}", outline="", colour=_INK, x=x, y=y, label=str(at), size=13)
            for at, (x, y) in enumerate(below, 1)
        )

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        paint = (*COLOURS, *map(drawing_tint, COLOURS))
        chars = {
            (a, level): char
            for a, tube in enumerate(self._parse(text))
            for level, char in enumerate(tube)
        }
        names = numbered(f"colour-{char}-" for char in chars.values())
        pieces = tuple(
            piece_in(
                self._board[each],
                name,
                drawing_outline([self._spot(*each)], 1, 6),
                paint[(self._colours[char] - 1) % len(paint)],
                char,
                15,
            )
            for name, (each, char) in zip(names, chars.items(), strict=True)
        )
        places = tuple(self._board.values())
        width = max(place.x for place in places) + SIDE / 2 + MARGIN
        height = max(place.y for place in places) + SIDE / 2 + MARGIN
        return Layout(width, height + SIDE, places, self._marks, pieces)


def _place(tube: int, level: int) -> str:
    return f"{tube + 1}-{level + 1}"


@kernel
def _top(tube, bits, places):  # type: ignore[no-untyped-def]
    """The colour on top of a tube, the number of its units there,
    and the number of places taken.
    """
    digit = (np.uint64(1) << bits) - np.uint64(1)
    colour, same, taken = np.uint64(0), 0, 0
    for place in range(places):
        here = (tube >> (bits * np.uint64(place))) & digit
        if here == 0:
            break
        same = same + 1 if here == colour else 1
        colour = here
        taken += 1
    return colour, same, taken


@kernel
def _pour(keys, bits, places, after):  # type: ignore[no-untyped-def]
    """The states after each pour between two tubes."""
    tubes, poured = np.empty(keys.shape[1], np.uint64), np.empty(keys.shape[1], np.uint64)
    for row in range(keys.shape[0]):
        tubes[:] = keys[row]
        count = 0
        for source in range(tubes.shape[0]):
            colour, same, taken = _top(tubes[source], bits, places)
            if taken == 0:
                continue
            for target in range(tubes.shape[0]):
                if target == source:
                    continue
                other, _, filled = _top(tubes[target], bits, places)
                free = places - filled
                if free == 0 or (filled and other != colour) or (filled == 0 and same == taken):
                    continue
                poured[:] = tubes
                for place in range(min(same, free)):
                    poured[source] ^= colour << (bits * np.uint64(taken - 1 - place))
                    poured[target] |= colour << (bits * np.uint64(filled + place))
                poured.sort()
                after[row, count] = poured
                count += 1
        end_packed_successors(after, row, count)


FORMAT = Format(Tubes, ("order",))
