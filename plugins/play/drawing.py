"""A board in characters: the outlines of its pieces on a grid of half blocks,
two squares of colour to a character.

Any puzzle that has a picture can be drawn so, in any size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from rich.text import Text

from puzzlebase.puzzles import Effect, Layout, Shape
from puzzlebase.puzzles.contract.layout import DARK, label_ink
from puzzlebase.service.answers.pictures import arrows_of_effect

_STEP = 12.0  # degrees between the points of an arc
_COMMAND = re.compile("([MLA])([^MLA]+)")
_EMPTY = -1
_ARROWS = "→↗↑↖←↙↓↘"
# the most that a board is stretched, so that labels below one another have lines of their own
_TALLER = 1.75

Points = npt.NDArray[np.complex128]
Mask = npt.NDArray[np.bool_]


def draw(layout: Layout, columns: int, rows: int, hint: Effect | None = None) -> Text:
    """A board, drawn as large as fits into these columns and rows of characters,
    with an arrow for the move of a hint.
    """
    drawn: list[Shape] = [*layout.marks, *layout.pieces]
    scale = min(columns / layout.width, 2 * rows / layout.height)
    gaps = [
        abs(a.y - b.y)
        for a, b in combinations((each for each in drawn if each.label), 2)
        if abs(a.x - b.x) < 1
    ]
    upright = min(
        2 * rows / layout.height,
        scale * min(max(2.5 / (scale * min(gaps, default=99)), 1), _TALLER),
    )
    drawn += _arrows(layout, hint) if hint else ()
    across, down = int(layout.width * scale), int(layout.height * upright) + 1 & ~1
    x, y = np.meshgrid((np.arange(across) + 0.5) / scale, (np.arange(down) + 0.5) / upright)
    shown = np.full((down, across), _EMPTY)
    for number, shape in enumerate(drawn):
        shown[_inside(shape.outline, x, y)] = number
    labels = dict(_labels(drawn, shown, scale, upright))

    def cell(row: int, column: int) -> tuple[str, str]:
        over, under = shown[2 * row : 2 * row + 2, column].tolist()
        if (row, column) in labels:
            letter, shape = labels[row, column]
            on = shape.colour if _EMPTY not in (over, under) or shape.outline else ""
            return letter, f"bold {label_ink(on)} on {on}" if on else "bold"
        if over == under == _EMPTY:
            return " ", ""
        if over == _EMPTY:
            return "▄", drawn[under].colour
        return "▀", drawn[over].colour + (f" on {drawn[under].colour}" if under != _EMPTY else "")

    lines = (
        Text.assemble(*(cell(row, column) for column in range(across))) for row in range(down // 2)
    )
    return Text("\n").join(lines)


def _arrows(layout: Layout, effect: Effect) -> Iterator[Shape]:
    """The arrows of a move, at the ends of those in pictures."""
    for *_, before, end in arrows_of_effect(layout.pieces, effect):
        angle = np.degrees(np.arctan2(before[1] - end[1], end[0] - before[0]))
        arrow = _ARROWS[round(angle / 45) % 8]
        yield Shape(id=arrow, outline="", colour=DARK, x=end[0], y=end[1], label=arrow)


def _labels(
    shapes: Sequence[Shape], shown: npt.NDArray[np.int_], scale: float, upright: float
) -> Iterator[tuple[tuple[int, int], tuple[str, Shape]]]:
    """The letters of the labels by row and column, with their shapes."""
    rows, columns = len(shown) // 2, len(shown[0])
    for number, shape in enumerate(shapes):
        row, left = int(shape.y * upright) // 2, int(shape.x * scale - len(shape.label) / 2 + 0.5)
        for column, letter in enumerate(shape.label, left):
            inside = 0 <= row < rows and 0 <= column < columns
            covered = (
                inside and shape.outline and shown[2 * row : 2 * row + 2, column].min() > number
            )
            if inside and not covered:
                yield (row, column), (letter, shape)


def _inside(outline: str, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Mask:
    """A mask of the points that lie inside an outline, by the even-odd rule."""
    inside = np.zeros(x.shape, np.bool_)
    for points in _polygons(outline):
        for start, end in zip(points, np.roll(points, -1), strict=True):
            crosses = (start.imag > y) != (end.imag > y)
            if start.imag != end.imag:
                at = start.real + (y - start.imag) * (end.real - start.real) / (
                    end.imag - start.imag
                )
                inside ^= crosses & (x < at)
    return inside


def _polygons(outline: str) -> Iterator[Points]:
    """The closed parts of an outline, as corners x + iy."""
    for part in outline.split("Z")[:-1]:
        points: list[complex] = []
        for command, text in _COMMAND.findall(part):
            numbers = [float(number) for number in text.split()]
            end = complex(*numbers[-2:])
            if command == "A":
                points += _arc(
                    points[-1], end, numbers[0], large=bool(numbers[3]), clockwise=bool(numbers[4])
                )
            points.append(end)
        yield np.array(points)


def _arc(
    start: complex, end: complex, radius: float, *, large: bool, clockwise: bool
) -> list[complex]:
    """Points on an arc of a circle between its ends,
    every few degrees; y points down, and clockwise is as it looks.
    """
    half = (end - start) / 2
    away = 1j * (max(radius / abs(half), 1) ** 2 - 1) ** 0.5
    middle = start + half * (1 + (away if large != clockwise else -away))
    turned = float(np.angle((end - middle) / (start - middle))) % (2 * np.pi)
    turned = turned if clockwise else turned - 2 * np.pi
    steps = int(abs(np.degrees(turned)) / _STEP) + 1
    return [*(middle + (start - middle) * np.exp(1j * np.linspace(0, turned, steps + 1)[1:-1]))]
