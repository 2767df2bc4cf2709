"""A board in characters: the outlines of its pieces on a grid of half blocks, two squares of colour to a character.

Any puzzle that has a picture can be drawn so, in any size. If colours are few, letters tell the pieces apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Layout, Piece, Shape
from puzzlebase.puzzles.contract.layout import ink_on
from puzzlebase.tools.play.screen import Fragment, Line

_STEP = 12.0  # degrees between the points of an arc
_COMMAND = re.compile("([MLA])([^MLA]+)")
_EMPTY = -1
_FEW = 16  # colours, of which two of a board may be the same
_TALLER = 1.75  # the most that a board is stretched, so that labels below one another have lines of their own
# What colours are called by letters; of two that are alike the nearer one has the letter.
_LETTERS = dict(zip("RGBYOPCWKNMSTL", (
    "#d8433b", "#2e9e4f", "#2f6fde", "#f2c230", "#f08a24", "#9a4fc4", "#23958f", "#ffffff", "#111111", "#8a5a34",
    "#c2458b", "#6b7280", "#c9a45b", "#55671f",
), strict=True))  # fmt: skip

Points = npt.NDArray[np.complex128]
Mask = npt.NDArray[np.bool_]


def draw(layout: Layout, columns: int, rows: int, colours: int, click: str = "") -> list[Line]:
    """The lines of a board, drawn as large as fits into these columns and rows of characters, in so many colours.

    A click on a piece presses the key `click` followed by its id.
    """
    drawn: list[Shape] = [*layout.marks, *layout.pieces]
    scale = min(columns / layout.width, 2 * rows / layout.height)
    gaps = [abs(a.y - b.y) for a, b in combinations((each for each in drawn if each.label), 2) if abs(a.x - b.x) < 1]
    upright = min(2 * rows / layout.height, scale * min(max(2.5 / (scale * min(gaps, default=99)), 1), _TALLER))
    across, down = int(layout.width * scale), int(layout.height * upright) + 1 & ~1
    x, y = np.meshgrid((np.arange(across) + 0.5) / scale, (np.arange(down) + 0.5) / upright)
    shown = np.full((down, across), _EMPTY)
    for number, shape in enumerate(drawn):
        shown[_inside(shape.outline, x, y)] = number
    fills = _fills(drawn)
    labels = dict(_labels(drawn, fills if colours <= _FEW else [""] * len(drawn), shown, scale, upright))
    above, below = shown[::2], shown[1::2]
    top = np.maximum(above, below)  # pieces come after marks
    filled = np.array([*fills, " "])[top]
    if colours == 1:  # a gap between two shapes that are filled alike
        alike = np.zeros(top.shape, np.bool_)
        alike[:, 1:] |= (top[:, 1:] != top[:, :-1]) & (filled[:, 1:] == filled[:, :-1])
        alike[1:] |= (top[1:] != top[:-1]) & (filled[1:] == filled[:-1])
        filled[alike] = " "

    def cell(row: int, column: int) -> Fragment:
        over, under, number = int(above[row, column]), int(below[row, column]), int(top[row, column])
        key = click + drawn[number].id if click and number >= len(layout.marks) else ""
        if (row, column) in labels:
            letter, number = labels[row, column]
            on = drawn[number].colour if colours > 1 and (_EMPTY not in (over, under) or drawn[number].outline) else ""
            return f"bold fg:{ink_on(on)} bg:{on}" if on else "bold", letter, key
        if colours == 1 or over == under == _EMPTY:
            return "", str(filled[row, column]), key
        if over == _EMPTY:
            return f"fg:{drawn[under].colour}", "▄", key
        return f"fg:{drawn[over].colour}" + (f" bg:{drawn[under].colour}" if under != _EMPTY else ""), "▀", key

    cells = ([cell(row, column) for column in range(across)] for row in range(down // 2))
    runs = (groupby(line, lambda each: (each[0], each[2])) for line in cells)
    return [[(style, "".join(letter for _, letter, _ in run), key) for (style, key), run in line] for line in runs]


def _labels(
    shapes: Sequence[Shape], letters: Sequence[str], shown: npt.NDArray[np.int_], scale: float, upright: float
) -> Iterator[tuple[tuple[int, int], tuple[str, int]]]:
    """The letters of the labels by row and column, with their shapes; a piece without a label may have a letter."""
    rows, columns = len(shown) // 2, len(shown[0])
    for number, shape in enumerate(shapes):
        label = shape.label or (letters[number] if isinstance(shape, Piece) else "")
        row, left = int(shape.y * upright) // 2, int(shape.x * scale - len(label) / 2 + 0.5)
        for column, letter in enumerate(label, left):
            inside = 0 <= row < rows and 0 <= column < columns
            if inside and not (
                shape.outline and shown[2 * row : 2 * row + 2, column].min() > number
            ):  # no other over it
                yield (row, column), (letter, number)


def _fills(shapes: Sequence[Shape]) -> list[str]:
    """The character of each shape without colours: a letter for a piece, a shade for a mark.

    A piece's letter is its label if each colour has one, else its colour's letter, small beside a label.
    """
    labels: dict[str, set[str]] = {}
    for piece in shapes:
        if isinstance(piece, Piece):
            labels.setdefault(piece.colour, set()).add(piece.label)
    pairs = (
        (abs(_rgb(colour) - _rgb(like)).sum(), colour, letter) for colour in labels for letter, like in _LETTERS.items()
    )
    letters: dict[str, str] = {}
    for _, colour, letter in sorted(pairs):
        if letter not in letters.values():
            letters.setdefault(colour, letter)

    def fill(shape: Shape) -> str:
        light = _rgb(shape.colour).sum()
        if not isinstance(shape, Piece):
            return "▒░· "[int(np.searchsorted((300, 500, 645), light))]
        if len(labels) == 1 and shape.label:
            return "░"
        if len(labels[shape.colour]) == 1 and len(shape.label) == 1:
            return shape.label
        letter = letters.get(shape.colour, "?")
        return letter.lower() if shape.label else letter

    return [fill(shape) for shape in shapes]


def _rgb(colour: str) -> npt.NDArray[np.int_]:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])


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
    turned = float(np.angle((end - middle) / (start - middle))) % (2 * np.pi)
    turned = turned if clockwise else turned - 2 * np.pi
    steps = int(abs(np.degrees(turned)) / _STEP) + 1
    return [*(middle + (start - middle) * np.exp(1j * np.linspace(0, turned, steps + 1)[1:-1]))]
