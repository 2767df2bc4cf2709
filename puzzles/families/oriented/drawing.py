"""The board of oriented wheels: that of the letters,
and on each corner an arrow towards one of its three points.
"""

from __future__ import annotations

import re
from dataclasses import replace

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.puzzles.contract.layout import DARK, Effect, Layout, Piece, polygon

LETTERS = 21  # a colon and the orientations follow them

_ARROW = (0.8, 0.35 + 0.2j, 0.35 - 0.2j)
"""The points of an arrow, seen from a corner's middle;
the corner's point that it shows is at distance 1.
"""

# the end of an arc of an outline
_POINT = re.compile(r"(?:M|A\S+ \S+ 0 0 [01] )(-?[\d.]+) (-?[\d.]+)")


def layout_with_arrows(base: Puzzle, text: str, goal: Goal) -> Layout:
    """Draw the letters and the arrows."""
    layout = base.board.drawing.layout(text[:LETTERS], goal)
    corners = layout.pieces[1::2]
    arrows = [
        _arrow(piece, int(digit)) for piece, digit in zip(corners, text[LETTERS + 1 :], strict=True)
    ]
    return replace(layout, pieces=(*layout.pieces, *arrows))


def _arrow(corner: Piece, orientation: int) -> Piece:
    """The arrow of a corner;
    its outline goes clockwise from the point that the arrow shows unturned.
    """
    points = [complex(*map(float, point)) for point in _POINT.findall(corner.outline)]
    middle = complex(corner.x, corner.y)
    arrow = [middle + at * (points[orientation] - middle) for at in _ARROW]
    return Piece(
        id=f"arrow-{corner.id}",
        outline=polygon((point.real, point.imag) for point in arrow),
        colour=DARK,
        x=round(middle.real, 2),
        y=round(middle.imag, 2),
        place=corner.place,
        title="orientation",
    )


def effect_on_arrows(base: Puzzle, text: str, move: str) -> Effect:
    """The effect of a move in a drawing: a wheel turns, and the arrows of its corners with it."""
    effect = base.board.drawing.effect(text[:LETTERS], move)
    pieces = effect.motions or ()
    corners = (motion for motion in pieces if motion.piece.startswith("corner"))
    return Effect(
        effect.handle,
        (*pieces, *(replace(corner, piece=f"arrow-{corner.piece}") for corner in corners)),
    )
