"""Parts of drawings: places in a grid, squares, and pieces in places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from puzzlebase.puzzles.contract.layout import Piece, Place, rectangle

# fmt: off
COLOURS = (
    "#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4", "#23958f", "#8a5a34", "#c2458b",
    "#6b7280", "#55671f",
)
# fmt: on


def numbered(names: Iterable[str]) -> list[str]:
    """Number equal names from 1 on, behind each name."""
    count: Counter[str] = Counter()
    found = []
    for name in names:
        count[name] += 1
        found.append(f"{name}{count[name]}")
    return found


def piece_in(
    place: Place, name: str, outline: str, colour: str, label: str, size: float, title: str = ""
) -> Piece:
    """Make the piece with this id in the middle of a place."""
    (x, y), at = (place.x, place.y), place.name
    return Piece(
        id=name,
        outline=outline,
        colour=colour,
        x=x,
        y=y,
        label=label,
        size=size,
        title=title,
        place=at,
    )


def grid(
    rows: int, columns: int, size: tuple[float, float], gap: float, margin: float
) -> tuple[Place, ...]:
    """The places of a board, row by row:
    middles of rectangles of this width and height, `gap` apart.
    """
    (width, height), left, top = size, margin + size[0] / 2, margin + size[1] / 2
    places = (divmod(place, columns) for place in range(rows * columns))
    return tuple(
        Place(str(number), left + column * (width + gap), top + row * (height + gap))
        for number, (row, column) in enumerate(places)
    )


def square(place: Place, side: float) -> str:
    """The outline of a square in the middle of a place."""
    return rectangle(place.x - side / 2, place.y - side / 2, side, side)
