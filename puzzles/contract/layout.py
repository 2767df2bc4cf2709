"""The board as data: where the places and the pieces of a state lie, and what a move does to the pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

DARK, LIGHT = "#2b2620", "#ffffff"
"""The two colours of labels."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for pieces: its name, and its middle on the canvas."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A coloured outline with a label.

    Attributes:
        id: names the shape among those of its layout.
        outline: closed paths in absolute coordinates, as SVG path data of M, L, A (circles alone) and Z, so that a
            shape turns or slides as the points of its outline do. Empty for a label alone.
        colour: `#rrggbb`.
        x: the middle, where the label is, from the left.
        y: the same, from the top.
        label: a text, or none.
        size: the label's font size.
        title: what a picture shows to who points at it; by default the id.
    """

    id: str
    outline: str
    colour: str
    x: float
    y: float
    label: str = ""
    size: float = 11.0
    title: str = ""

    @property
    def ink(self) -> str:
        """The colour of the label: dark on a light shape and light on a dark one."""
        return ink_on(self.colour) if self.outline else self.colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(Shape):
    """A shape that moves, in a place. One `id` means the same piece in every state, or one that looks like it."""

    place: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A state as it looks, on a canvas that begins at 0, 0 in the upper left.

    Marks never move and are drawn first: the board, or plates that say what solved means. Of shapes that overlap, the
    later one is drawn over the earlier.
    """

    width: float
    height: float
    places: tuple[Place, ...]
    marks: tuple[Shape, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn about a point, clockwise as one sees it, by -180 to 180 degrees."""

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
        return ink_on(self.colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """The motion of one piece in a move: it turns or slides, or it stays and only becomes another.

    Attributes:
        piece: its id.
        turn: the turn, if it turns.
        slide: dx, dy of each leg of its path, one after another, if it slides.
        lift: whether it passes above other pieces.
        flip: whether it is turned over during the move.
        becomes: its look after the move, if that changes.
    """

    piece: str
    turn: Turn | None = None
    slide: tuple[float, ...] | None = None
    lift: bool = False
    flip: bool = False
    becomes: Look | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a move on the pieces of a state.

    `handle` has the ids of the pieces that one touches or drags to make the move; `motions` has every piece that the
    move changes, or is None.
    """

    handle: tuple[str, ...]
    motions: tuple[Motion, ...] | None


def moved_to(
    before: Piece, after: Piece, *, via: Iterable[tuple[float, float]] = (), lift: bool = False, flip: bool = False
) -> Motion:
    """The motion of a piece that slides in straight legs via some points to another's place, and then looks like it."""
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
def ink_on(colour: str) -> str:
    """DARK or LIGHT, whichever is easier to read on a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return DARK if 299 * red + 587 * green + 114 * blue > 158_000 else LIGHT


def rectangle(left: float, top: float, width: float, height: float) -> str:
    """The outline of a rectangle."""
    right, bottom = number(left + width), number(top + height)
    x, y = number(left), number(top)
    return f"M{x} {y}L{right} {y}L{right} {bottom}L{x} {bottom}Z"


def circle(x: float, y: float, radius: float) -> str:
    """The outline of a circle."""
    r, level = number(radius), number(y)
    left, right = number(x - radius), number(x + radius)
    return f"M{left} {level}A{r} {r} 0 1 1 {right} {level}A{r} {r} 0 1 1 {left} {level}Z"


def number(value: float) -> str:
    """A coordinate as SVG writes it, to two decimals."""
    return f"{round(value, 2) + 0.0:.7g}"
