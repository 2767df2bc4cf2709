"""Pictures of states, as SVG: the board's marks and pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from math import atan2, cos, radians, sin

from puzzlebase.puzzles import Effect, Goal, Layout, Motion, Piece, Puzzle, Shape, drawing_of
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.contract.layout import number
from puzzlebase.service.error_status import InvalidRequest


def drawn(puzzle: Puzzle, goal: Goal, state: str, *, style: str | None = None, highlight: str | None = None) -> str:
    """A state as SVG, by default in the first style, with what a move does if one is to be highlighted.

    Raises as `parse` does, IllegalMove for a move that is not legal, and InvalidRequest for an unknown style.
    """
    layout = styled(puzzle, style)(state, goal)
    title = f"{puzzle.title}: {state}"
    if highlight is None:
        return svg(layout, title)
    puzzle.play(state, highlight)
    return svg(layout, f"{title}, move {highlight}", drawing_of(puzzle).effect(state, highlight))


def styled(puzzle: Puzzle, style: str | None = None) -> Callable[[str, Goal], Layout]:
    """What lays states out in a style, by default the first; raises InvalidRequest for an unknown style."""
    drawing = drawing_of(puzzle)
    if style is not None and style not in drawing.styles:
        known = ", ".join(drawing.styles)
        hint = (
            f"its styles are: {known} (the first is the default)"
            if known
            else "it has only one style: leave the style out"
        )
        raise InvalidRequest(f"{puzzle.name} has no style {shorten(style)!r}", hint)
    return drawing.layout if style is None else drawing.styles[style]


_STYLE = (
    "path{stroke:#fff;stroke-width:1.5;stroke-linejoin:round}"
    "text{font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle}"
)
_ARROW = "#111111"
_HALO = "#ffffff"
_HEAD = 9.0
"""How long the head of an arrow is."""


def svg(layout: Layout, title: str, effect: Effect | None = None) -> str:
    """A layout as an SVG document; with an effect, its pieces have a heavy border and arrows say where they go."""
    moved = set(effect.handle) if effect else set()
    shapes = "".join(
        _drawn_shape(shape, shape.id in moved)
        for shape in (*layout.marks, *sorted(layout.pieces, key=lambda piece: piece.id in moved))
    )
    arrows = "".join(_arrows(layout.pieces, effect)) if effect else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(layout.width)} {number(layout.height)}" '
        f'role="img"><title>{escape(title)}</title><style>{_STYLE}</style>{shapes}{arrows}</svg>'
    )


def _drawn_shape(shape: Shape, moved: bool) -> str:
    """A shape with its name, for who points at it, and its label."""
    name = shape.title or shape.id + (f", place {shape.place}" if isinstance(shape, Piece) else "")
    border = f' style="stroke:{_ARROW};stroke-width:3"' if moved else ""
    path = f'<path d="{shape.outline}" fill="{shape.colour}"{border}/>' if shape.outline else ""
    # The letters' middle is about a third of their size above the line that they stand on.
    label = (
        f'<text x="{number(shape.x)}" y="{number(shape.y + 0.35 * shape.size)}" font-size="{number(shape.size)}" '
        f'fill="{shape.ink}">{escape(shape.label)}</text>'
        if shape.label
        else ""
    )
    return f'<g id="{escape(shape.id)}"><title>{escape(name)}</title>{path}{label}</g>'


def _arrows(pieces: Iterable[Piece], effect: Effect) -> Iterator[str]:
    """An arrow for each turn, and for each slide of what one drags; one where several pieces leave one place."""
    known = {piece.id: piece for piece in pieces}
    moving = [motion for motion in effect.motions or () if motion.piece in effect.handle]
    slides = {known[motion.piece].place: motion for motion in moving if motion.slide}
    for motion in slides.values():
        yield _arrow(_path(known[motion.piece], motion))
    for turn in {motion.turn for motion in moving if motion.turn}:
        nearest = min(
            ((known[motion.piece].x - turn.x) ** 2 + (known[motion.piece].y - turn.y) ** 2) ** 0.5
            for motion in moving
            if motion.turn == turn
        )
        steps = 4 + int(abs(turn.degrees) / 5)
        around = [radians(-90 + turn.degrees * (step / steps - 0.5)) for step in range(steps + 1)]
        yield _arrow([(turn.x + nearest / 2 * cos(angle), turn.y + nearest / 2 * sin(angle)) for angle in around])


def _path(piece: Piece, motion: Motion) -> list[tuple[float, float]]:
    """The points of a slide, from the side of the label on."""
    legs = motion.slide or ()
    x, y = piece.x, piece.y
    first = max(abs(legs[0]), abs(legs[1]))
    skipped = min(piece.size / first, 0.4)
    points = [(x + skipped * legs[0], y + skipped * legs[1])]
    for dx, dy in zip(legs[::2], legs[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return points


def _arrow(points: list[tuple[float, float]]) -> str:
    """An arrow along points, with a border that keeps it apart from what is below."""
    (from_x, from_y), (x, y) = points[-2:]
    line = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points)
    head = _head(x, y, atan2(y - from_y, x - from_x))
    return (
        f'<g class="arrow"><path d="{line}" style="fill:none;stroke:{_HALO};stroke-width:6"/>'
        f'<path d="{head}" style="fill:{_ARROW};stroke:{_HALO};stroke-width:3"/>'
        f'<path d="{line}" style="fill:none;stroke:{_ARROW};stroke-width:3"/><path d="{head}" fill="{_ARROW}"/></g>'
    )


def _head(x: float, y: float, angle: float) -> str:
    """A triangle that points to x, y."""
    sides = [(x - _HEAD * cos(angle + turn), y - _HEAD * sin(angle + turn)) for turn in (-0.5, 0.5)]
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in ((x, y), *sides)) + "Z"
