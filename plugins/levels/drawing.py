"""Drawings of boards of cells: outlines around cells, their marks and colours."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from puzzlebase.puzzles import Shape
from puzzlebase.puzzles.contract.layout import number

Spot = tuple[float, float]
"""A row and a column; the column may be a fraction."""
SIDE = 40.0
MARGIN = 14.0
FLOOR = "#e9e6df"


def drawing_middle(cells: Iterable[Spot]) -> tuple[float, float]:
    """The point in the middle of cells, in a drawing of a level."""
    rows, columns = zip(*cells, strict=True)
    return (
        round(MARGIN + SIDE * (sum(columns) / len(columns) + 0.5), 2),
        round(MARGIN + SIDE * (sum(rows) / len(rows) + 0.5), 2),
    )


def drawing_outline(cells: Iterable[Spot], inset: float, radius: float = 0) -> str:
    """The closed paths around cells, drawn in by `inset`, with round corners.

    A path follows the edges of cells, with the cells on its right; turning right is multiplication
    by 1j. Cells that touch only at a corner have separate paths. Paths are cached, since pieces
    take few positions.
    """
    return _outline(tuple(cells), inset, radius)


@lru_cache(1 << 12)
def _outline(cells: tuple[Spot, ...], inset: float, radius: float) -> str:
    inside = {complex(column, row) for row, column in cells}
    edges = {
        (cell, ahead)
        for cell in inside
        for ahead in (1, 1j, -1, -1j)
        if cell - 1j * ahead not in inside
    }
    path = ""
    while edges:
        cell, ahead = next(iter(edges))
        step = "M"
        while (cell, ahead) in edges:
            edges.remove((cell, ahead))
            onward, aside = cell + ahead, cell + ahead - 1j * ahead
            turn = 1 if onward not in inside else -1 if aside in inside else 0
            if turn:
                corner = (
                    SIDE * cell
                    + ahead * (SIDE / 2 - turn * inset)
                    - 1j * ahead * (SIDE / 2 - inset)
                )
                path += f"{step}{_point(corner - radius * ahead)}"
                ahead *= turn * 1j
                if radius:
                    path += (
                        f"A{number(radius)} {number(radius)} 0 0 {turn > 0:d} "
                        f"{_point(corner + radius * ahead)}"
                    )
                step = "L"
            cell = (onward, cell, aside)[turn]
        path += "Z"
    return path


def _point(at: complex) -> str:
    return f"{number(MARGIN + SIDE / 2 + at.real)} {number(MARGIN + SIDE / 2 + at.imag)}"


def drawing_mark(name: str, colour: str, *outlines: str) -> Shape:
    """The mark of some outlines in a drawing of a level."""
    return Shape(id=name, outline="".join(outlines), colour=colour, x=0, y=0)


def drawing_tint(colour: str) -> str:
    """The colour in a drawing of a floor that a piece of this colour should reach."""
    return "#" + "".join(
        f"{(int(colour[at : at + 2], 16) + int(FLOOR[at : at + 2], 16)) // 2:02x}"
        for at in (1, 3, 5)
    )
