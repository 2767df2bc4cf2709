"""Pictures of states as SVG, with the board's marks and pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import escape
from math import atan2, cos, hypot, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlebase.errors import shorten
from puzzlebase.puzzles.contract.layout import Effect, Layout, Motion, Piece, number
from puzzlebase.service.answers.record import Name, answer
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from jinja2 import Template

    from puzzlebase.puzzles import Goal, Puzzle


class Picture(str):
    """An SVG document. A notebook shows it as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@answer(
    "puzzle", "Picture", name="picture", media="image/svg+xml", printed=lambda picture: [picture]
)
def state_picture(
    puzzle: Puzzle, goal: Goal, state: str, style: Name | None = None, highlight: Name | None = None
) -> Picture:
    """A drawing of a state, as SVG.

    Args:
        state: the state
        style: the name of a picture, if the puzzle has several
        highlight: the name of a legal move: the picture shows its effect

    Raises:
        IllegalMove: the move to highlight is not legal
    """
    layout = layout_of_style(puzzle, style)(state, goal)
    title = f"{puzzle.title}: {state}"
    if highlight is None:
        return Picture(write_svg(layout, title))
    puzzle.play(state, highlight)
    return Picture(
        write_svg(
            layout, f"{title}, move {highlight}", puzzle.board.drawing.effect(state, highlight)
        )
    )


def layout_of_style(puzzle: Puzzle, style: str | None = None) -> Callable[[str, Goal], Layout]:
    """The function that lays out states in a style,
    by default the first; raises InvalidRequest for an unknown one.
    """
    drawing = puzzle.board.drawing
    if style is not None and style not in drawing.styles:
        known = ", ".join(drawing.styles)
        only = "it has only one style: leave the style out"
        hint = f"its styles are: {known} (the first is the default)" if known else only
        raise InvalidRequest(f"{puzzle.name} has no style {shorten(style)!r}", hint)
    return drawing.layout if style is None else drawing.styles[style]


_TIP = 9.0  # the length of an arrow's tip
Points = list[tuple[float, float]]


def write_svg(layout: Layout, title: str, effect: Effect | None = None) -> str:
    """Draw a layout as an SVG document;
    the pieces of an effect get a heavy border, and arrows show where they go.
    """
    moved = set(effect.handle) if effect else set()
    shapes = (*layout.marks, *sorted(layout.pieces, key=lambda piece: piece.id in moved))
    arrows = (
        [(points, _tip(*points[-2:])) for points in arrows_of_effect(layout.pieces, effect)]
        if effect
        else []
    )
    content = {"layout": layout, "title": title, "shapes": shapes, "moved": moved, "arrows": arrows}
    return _document().render(content, number=number, escape=escape, line=_line)


@cache
def _document() -> Template:
    from jinja2 import Template  # noqa: PLC0415 -- few processes draw

    document: Template = Template(Path(__file__).with_name("picture.svg").read_text("utf-8"))
    return document


def arrows_of_effect(pieces: Iterable[Piece], effect: Effect) -> Iterator[Points]:
    """The points of an arrow for each turn,
    and for each place that dragged pieces slide away from.
    """
    known = {piece.id: piece for piece in pieces}
    moving = [motion for motion in effect.motions or () if motion.piece in effect.handle]
    slides = {known[motion.piece].place: motion for motion in moving if motion.slide}
    for motion in slides.values():
        yield _path(known[motion.piece], motion)
    for turn in {motion.turn for motion in moving if motion.turn}:
        turning = [known[motion.piece] for motion in moving if motion.turn == turn]
        nearest = min(hypot(piece.x - turn.x, piece.y - turn.y) for piece in turning)
        steps = 4 + int(abs(turn.degrees) / 5)
        around = [radians(-90 + turn.degrees * (step / steps - 0.5)) for step in range(steps + 1)]
        yield [
            (turn.x + nearest / 2 * cos(angle), turn.y + nearest / 2 * sin(angle))
            for angle in around
        ]


def _path(piece: Piece, motion: Motion) -> Points:
    """The points of a slide, which begins beside the label."""
    legs = motion.slide or ()
    x, y = piece.x, piece.y
    first = max(abs(legs[0]), abs(legs[1]))
    skipped = min(piece.size / first, 0.4)
    points = [(x + skipped * legs[0], y + skipped * legs[1])]
    for dx, dy in zip(legs[::2], legs[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return points


def _tip(before: tuple[float, float], end: tuple[float, float]) -> Points:
    """The triangle at the end of an arrow."""
    x, y = end
    angle = atan2(y - before[1], x - before[0])
    return [
        end,
        *((x - _TIP * cos(angle + turn), y - _TIP * sin(angle + turn)) for turn in (-0.5, 0.5)),
    ]


def _line(points: Points) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
