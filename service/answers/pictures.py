"""Pictures of states as SVG, with the board's marks and pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from math import atan2, cos, hypot, radians, sin

from puzzlebase.puzzles import Effect, Goal, Layout, Motion, Piece, Puzzle, Shape, drawing_of, shorten
from puzzlebase.puzzles.contract.layout import number
from puzzlebase.service.answers.record import Name, answer
from puzzlebase.service.error_status import InvalidRequest


class Picture(str):
    """An SVG document. A notebook shows it as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@answer("puzzle", "Picture", name="picture", media="image/svg+xml", printed=lambda picture: [picture])
def drawn(puzzle: Puzzle, goal: Goal, state: str, style: Name | None = None, highlight: Name | None = None) -> Picture:
    """A drawing of a state, as SVG.

    Args:
        state: the state
        style: the name of a picture, if the puzzle has several
        highlight: the name of a legal move: the picture shows its effect

    Raises:
        IllegalMove: the move to highlight is not legal
    """
    layout = styled(puzzle, style)(state, goal)
    title = f"{puzzle.title}: {state}"
    if highlight is None:
        return Picture(svg(layout, title))
    puzzle.play(state, highlight)
    return Picture(svg(layout, f"{title}, move {highlight}", drawing_of(puzzle).effect(state, highlight)))


def styled(puzzle: Puzzle, style: str | None = None) -> Callable[[str, Goal], Layout]:
    """The function that lays out states in a style, by default the first; raises InvalidRequest for an unknown one."""
    drawing = drawing_of(puzzle)
    if style is not None and style not in drawing.styles:
        known = ", ".join(drawing.styles)
        only = "it has only one style: leave the style out"
        hint = f"its styles are: {known} (the first is the default)" if known else only
        raise InvalidRequest(f"{puzzle.name} has no style {shorten(style)!r}", hint)
    return drawing.layout if style is None else drawing.styles[style]


_STYLE = (
    "path{stroke:#fff;stroke-width:1.5;stroke-linejoin:round}"
    "text{font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle}"
)
_ARROW = "#111111"
_HALO = "#ffffff"
_TIP = 9.0  # the length of an arrow's tip


def svg(layout: Layout, title: str, effect: Effect | None = None) -> str:
    """Draw a layout as an SVG document; the pieces of an effect get a heavy border, and arrows show where they go."""
    moved = set(effect.handle) if effect else set()
    ordered = (*layout.marks, *sorted(layout.pieces, key=lambda piece: piece.id in moved))
    shapes = "".join(_drawn_shape(shape, shape.id in moved) for shape in ordered)
    arrows = "".join(_arrows(layout.pieces, effect)) if effect else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(layout.width)} {number(layout.height)}" '
        f'role="img"><title>{escape(title)}</title><style>{_STYLE}</style>{shapes}{arrows}</svg>'
    )


def _drawn_shape(shape: Shape, moved: bool) -> str:
    """Draw a shape with its label, and its name, which a pointer over it shows."""
    name = shape.title or shape.id + (f", place {shape.place}" if isinstance(shape, Piece) else "")
    border = f' style="stroke:{_ARROW};stroke-width:3"' if moved else ""
    path = f'<path d="{shape.outline}" fill="{shape.colour}"{border}/>' if shape.outline else ""
    # The letters' middle is about a third of their size above their base line.
    label = (
        f'<text x="{number(shape.x)}" y="{number(shape.y + 0.35 * shape.size)}" font-size="{number(shape.size)}" '
        f'fill="{shape.ink}">{escape(shape.label)}</text>'
        if shape.label
        else ""
    )
    return f'<g id="{escape(shape.id)}"><title>{escape(name)}</title>{path}{label}</g>'


def _arrows(pieces: Iterable[Piece], effect: Effect) -> Iterator[str]:
    """Draw an arrow for each turn, and for each place that dragged pieces slide away from."""
    known = {piece.id: piece for piece in pieces}
    moving = [motion for motion in effect.motions or () if motion.piece in effect.handle]
    slides = {known[motion.piece].place: motion for motion in moving if motion.slide}
    for motion in slides.values():
        yield _arrow(_path(known[motion.piece], motion))
    for turn in {motion.turn for motion in moving if motion.turn}:
        turning = [known[motion.piece] for motion in moving if motion.turn == turn]
        nearest = min(hypot(piece.x - turn.x, piece.y - turn.y) for piece in turning)
        steps = 4 + int(abs(turn.degrees) / 5)
        around = [radians(-90 + turn.degrees * (step / steps - 0.5)) for step in range(steps + 1)]
        yield _arrow([(turn.x + nearest / 2 * cos(angle), turn.y + nearest / 2 * sin(angle)) for angle in around])


def _path(piece: Piece, motion: Motion) -> list[tuple[float, float]]:
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


def _arrow(points: list[tuple[float, float]]) -> str:
    """Draw an arrow along points, with a border that sets it off from its background."""
    (from_x, from_y), (x, y) = points[-2:]
    line = _line(points)
    tip = _tip(x, y, atan2(y - from_y, x - from_x))
    return (
        f'<g class="arrow"><path d="{line}" style="fill:none;stroke:{_HALO};stroke-width:6"/>'
        f'<path d="{tip}" style="fill:{_ARROW};stroke:{_HALO};stroke-width:3"/>'
        f'<path d="{line}" style="fill:none;stroke:{_ARROW};stroke-width:3"/><path d="{tip}" fill="{_ARROW}"/></g>'
    )


def _tip(x: float, y: float, angle: float) -> str:
    """Draw a triangle that points to x, y."""
    sides = [(x - _TIP * cos(angle + turn), y - _TIP * sin(angle + turn)) for turn in (-0.5, 0.5)]
    return _line([(x, y), *sides]) + "Z"


def _line(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
