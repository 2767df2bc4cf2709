"""A board in characters: the outlines of its pieces on a grid of half blocks, two squares of colour to a character.

Any puzzle that has a picture can be drawn so, in any size. Letters tell the pieces apart where colours are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt
from rich.color import Color
from rich.style import Style
from rich.text import Text

from puzzlebase.puzzles import Layout, Shape
from puzzlebase.puzzles.contract.layout import ink_on

_UPPER_HALF = "▀"
_STEP = 12.0  # degrees between the points of an arc
_COMMAND = re.compile("([MLA])([^MLA]+)")
_EMPTY = -1

Points = npt.NDArray[np.complex128]
Mask = npt.NDArray[np.bool_]


def draw(layout: Layout, columns: int, rows: int) -> list[Text]:
    """The lines of a board, drawn as large as fits into these columns and rows of characters."""
    scale = min(columns / layout.width, 2 * rows / layout.height)
    across, down = int(layout.width * scale), int(layout.height * scale) + 1 & ~1
    x, y = np.meshgrid((np.arange(across) + 0.5) / scale, (np.arange(down) + 0.5) / scale)
    drawn: list[Shape] = [*layout.marks, *layout.pieces]
    shown = np.full((down, across), _EMPTY)
    for number, shape in enumerate(drawn):
        shown[_inside(shape.outline, x, y)] = number
    labels = {}
    for number, shape in enumerate(drawn):
        row, left = int(shape.y * scale) // 2, int(shape.x * scale - len(shape.label) / 2 + 0.5)
        for offset, letter in enumerate(shape.label):
            if 0 <= row < down // 2 and 0 <= left + offset < across:
                if shape.outline and shown[2 * row : 2 * row + 2, left + offset].min() > number:
                    continue  # another shape lies over it
                labels[row, left + offset] = letter, number
    return [_line(row, shown, drawn, labels) for row in range(down // 2)]


def _line(
    row: int, shown: npt.NDArray[np.int_], shapes: list[Shape], labels: dict[tuple[int, int], tuple[str, int]]
) -> Text:
    cells: list[tuple[str, str, str]] = []
    for column, (above, below) in enumerate(zip(shown[2 * row].tolist(), shown[2 * row + 1].tolist(), strict=True)):
        if (row, column) in labels:
            letter, number = labels[row, column]
            on = shapes[number].colour if _EMPTY not in (above, below) or shapes[number].outline else ""
            cells.append((letter, on and ink_on(on), on))
        elif above == below == _EMPTY:
            cells.append((" ", "", ""))
        elif above == _EMPTY:
            cells.append(("▄", shapes[below].colour, ""))
        else:
            on = "" if below == _EMPTY else shapes[below].colour
            cells.append((_UPPER_HALF, shapes[above].colour, on))
    line = Text()
    for (front, on), run in groupby(cells, key=lambda cell: cell[1:]):
        style = Style(
            color=Color.parse(front) if front else None,
            bgcolor=Color.parse(on) if on else None,
            bold=any(letter not in " ▀▄" for letter, *_ in cells),
        )
        line.append("".join(letter for letter, *_ in run), style)
    return line


def _inside(outline: str, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Mask:
    """A mask of the points that lie inside an outline, by the even-odd rule."""
    inside = np.zeros(x.shape, np.bool_)
    for points in _polygons(outline):
        for start, end in zip(points, np.roll(points, -1), strict=True):
            crosses = (start.imag > y) != (end.imag > y)
            if start.imag != end.imag:
                at = start.real + (y - start.imag) * (end.real - start.real) / (end.imag - start.imag)
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
                points += _arc(points[-1], end, numbers[0], large=bool(numbers[3]), clockwise=bool(numbers[4]))
            points.append(end)
        yield np.array(points)


def _arc(start: complex, end: complex, radius: float, *, large: bool, clockwise: bool) -> list[complex]:
    """Points on an arc of a circle between its ends, every few degrees; y points down, and clockwise is as it looks."""
    half = (end - start) / 2
    radius = max(radius, abs(half))
    away = half * 1j / abs(half) * (radius**2 - abs(half) ** 2) ** 0.5 if half else 0j
    middle = start + half + (away if large != clockwise else -away)
    first = np.angle(start - middle)
    turned = float(np.angle((end - middle) / (start - middle))) % (2 * np.pi)
    turned = turned if clockwise else turned - 2 * np.pi
    steps = int(abs(np.degrees(turned)) / _STEP) + 1
    return [middle + radius * np.exp(1j * (first + turned * step / steps)) for step in range(1, steps)]
