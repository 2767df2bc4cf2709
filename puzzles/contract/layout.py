"""The board as data: the places and the pieces of a state,
and the effect of a move on the pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

DARK, LIGHT = "#2b2620", "#ffffff"  # the colours of labels


@dataclass(frozen=True, slots=True)
class Place:
    """A place for pieces: its name, and its middle on the canvas."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A coloured outline with a label; it turns or slides as the points of the outline do."""

    id: str  # unique in its layout
    # closed SVG paths of M, L, A (circles alone) and Z, all absolute; empty for a label alone
    outline: str
    colour: str  # `#rrggbb`
    x: float  # the middle, where the label is, from the left
    y: float  # and from the top
    label: str = ""
    size: float = 11.0  # of the label's font
    title: str = ""  # a picture shows it under the pointer; by default the id

    @property
    def ink(self) -> str:
        """The colour of the label."""
        return label_ink(self.colour) if self.outline else self.colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(Shape):
    """A piece in a place. Equal `id`s mean the same piece in every state,
    or one that looks like it.
    """

    place: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The looks of a state, on a canvas that begins at 0,
    0 in the upper left. Later shapes cover earlier ones.
    """

    width: float
    height: float
    places: tuple[Place, ...]
    # never move and are drawn first: the board, or plates that show the goal
    marks: tuple[Shape, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn about a point, clockwise on the screen, by -180 to 180 degrees."""

    x: float
    y: float
    degrees: float


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a piece."""

    colour: str
    label: str

    @property
    def ink(self) -> str:
        """The colour of the label."""
        return label_ink(self.colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """The motion of one piece in a move: it turns,
    it slides, or it stays and only changes its look.
    """

    piece: str  # its id
    turn: Turn | None = None
    slide: tuple[float, ...] | None = None  # dx, dy of each leg of its path, one after another
    lift: bool = False  # True if it passes above other pieces
    flip: bool = False  # True if it is turned over during the move
    becomes: Look | None = None  # its look after the move, if that changes


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a move on the pieces of a state."""

    handle: tuple[str, ...]  # the ids of the pieces that one touches or drags to make the move
    motions: tuple[Motion, ...] | None  # every piece that the move changes, or None


def moved_to(
    before: Piece,
    after: Piece,
    *,
    via: Iterable[tuple[float, float]] = (),
    lift: bool = False,
    flip: bool = False,
) -> Motion:
    """Slide a piece in straight legs, via points,
    to another's place and look; return the motion.
    """
    x, y = before.x, before.y
    legs: list[float] = []
    for to_x, to_y in (*via, (after.x, after.y)):
        leg = round(to_x - x, 2), round(to_y - y, 2)
        if leg != (0, 0):
            legs.extend(leg)
        x, y = to_x, to_y
    look = Look(after.colour, after.label)
    return Motion(
        piece=before.id,
        slide=tuple(legs) or None,
        lift=lift,
        flip=flip,
        becomes=None if look == Look(before.colour, before.label) else look,
    )


@lru_cache(maxsize=256)
def label_ink(colour: str) -> str:
    """The ink of a label in a layout: DARK or LIGHT, the easier one to read on a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return DARK if 299 * red + 587 * green + 114 * blue > 158_000 else LIGHT


def rectangle(left: float, top: float, width: float, height: float) -> str:
    """The outline of a rectangle in a layout."""
    right, bottom = number(left + width), number(top + height)
    x, y = number(left), number(top)
    return f"M{x} {y}L{right} {y}L{right} {bottom}L{x} {bottom}Z"


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """The outline of a polygon in a layout."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def circle(x: float, y: float, radius: float) -> str:
    """The outline of a circle in a layout."""
    r, level = number(radius), number(y)
    left, right = number(x - radius), number(x + radius)
    return f"M{left} {level}A{r} {r} 0 1 1 {right} {level}A{r} {r} 0 1 1 {left} {level}Z"


def number(value: float) -> str:
    """Write a coordinate for SVG, to two decimals."""
    return f"{round(value, 2) + 0.0:.7g}"


def numbered(names: Iterable[str]) -> list[str]:
    """Number equal names from 1 on, behind each name."""
    count: Counter[str] = Counter()
    found = []
    for name in names:
        count[name] += 1
        found.append(f"{name}{count[name]}")
    return found


# fmt: off
COLOURS = (
    "#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4", "#23958f", "#8a5a34", "#c2458b",
    "#6b7280", "#55671f",
)


def piece_in(
    place: Place, name: str, outline: str, colour: str, label: str, size: float, title: str = ""
) -> Piece:
    """Make the piece of a layout with this id in the middle of a place."""
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
    """The places of a layout, row by row:
    middles of rectangles of this width and height, `gap` apart.
    """
    (width, height), left, top = size, margin + size[0] / 2, margin + size[1] / 2
    places = (divmod(place, columns) for place in range(rows * columns))
    return tuple(
        Place(str(number), left + column * (width + gap), top + row * (height + gap))
        for number, (row, column) in enumerate(places)
    )


def square(place: Place, side: float) -> str:
    """The outline of a square in a layout, in the middle of a place."""
    return rectangle(place.x - side / 2, place.y - side / 2, side, side)
