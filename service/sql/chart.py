"""A result as a chart in SVG: the first column is the horizontal axis, every other column of numbers a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from html import escape
from itertools import islice
from math import floor, log10, nan
from pathlib import Path
from typing import Any

from puzzlebase.db.sql.session import Result
from puzzlebase.service.problems import InvalidRequest
from puzzlebase.service.sql.atomic_file import atomic_file

MAX_ROWS = 10_000
"""Rows that are drawn at most."""

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_MAX_LINES = 18  # the names of more do not fit beside the lines
_COLOURS = ("#1f6fb2", "#d1495b", "#2e8b57", "#c77700", "#6f4aa8", "#178a94", "#8a5a44", "#5c6670")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "14 4", "5 2 2 2 2 2")  # with eight colours, no pair occurs twice in 24 lines
_FITTING, _MAX_LETTERS = 15, 24  # letters of a name that fit beside the lines, and that fit when drawn narrower
_STYLE = "text{font:12px system-ui,sans-serif;fill:#555}path{fill:none;stroke-width:2}line{stroke:#8884}"
_MAX, _MIN = 1e300, 1e-300  # sums of larger numbers overflow; smaller ones are drawn as 0

Point = tuple[float, float]
Line = tuple[str, list[Point]]
Place = Callable[[Point], Point]


def write_svg(result: Result, path: Path) -> bool:
    """Write a chart of the first MAX_ROWS rows, and return whether there are more.

    Raises InvalidRequest if the rows make no chart.
    """
    columns, every = result.rows()
    rows = list(islice(every, MAX_ROWS + 1))
    drawn = chart(columns, rows[:MAX_ROWS])
    with atomic_file(path) as file:
        file.write_text(drawn, "utf-8")
    return len(rows) > MAX_ROWS


def chart(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The chart as SVG. Points that are not finite are left out; raises InvalidRequest if the rows make no chart."""
    first, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    lines = [
        (name, points)
        for name, values in zip(columns[1:], others, strict=True)
        if _numbers(first) and _numbers(values) and (points := _points(first, values))
    ]
    if not lines:
        raise InvalidRequest(
            "these rows make no chart",
            "the first column and at least one other must be numbers, and both finite in at least one row",
        )
    if len(lines) > _MAX_LINES:
        raise InvalidRequest(
            f"these rows make a chart of {len(lines)} lines",
            f"at most {_MAX_LINES} can be told apart: ask for fewer columns",
        )
    xs, ys = zip(*(point for _, points in lines for point in points), strict=True)
    across, up = _ticks(min(xs), max(xs), 12), _ticks(min(0, *ys), max(0, *ys), 6)

    def place(point: Point) -> Point:
        x, y = point
        return (
            _LEFT + (_WIDTH - _LEFT - _RIGHT) * (x - across[0]) / (across[-1] - across[0]),
            _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (y - up[0]) / (up[-1] - up[0]),
        )

    parts = [*_axes(across, up, place, columns[0]), *_drawn(lines, place)]
    names = ", ".join(name for name, _ in lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"<title>{_text(names)} by {_text(columns[0])}</title><style>{_STYLE}</style>\n"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _text(name: str) -> str:
    """A name as XML text; XML has no control characters, so they are replaced."""
    return escape("".join(letter if letter.isprintable() else "�" for letter in name))


def _numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float | Decimal | None) for value in values)


def _points(xs: Sequence[Any], ys: Sequence[Any]) -> list[Point]:
    """The points both of whose numbers can be drawn."""
    points = ((_drawable(x), _drawable(y)) for x, y in zip(xs, ys, strict=True))
    return [(x, y) for x, y in points if x is not None and y is not None]


def _drawable(value: float | Decimal | None) -> float | None:
    """A number as a float; None if it is null, not finite or larger than _MAX."""
    try:
        number = nan if value is None else float(value)
    except OverflowError:
        return None
    if not abs(number) <= _MAX:
        return None
    return number if abs(number) >= _MIN else 0.0


def _ticks(low: float, high: float, max_steps: int) -> list[float]:
    """Round numbers at equal steps, the first at or below `low`, the last at or above `high`; at least two."""
    span, magnitude = high - low, max(abs(low), abs(high))
    if span <= 1e-9 * magnitude:  # between numbers as close as these there is no room for others
        span = magnitude
    span = span or 1.0
    power = 10.0 ** floor(log10(span / max_steps))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if span / (factor * power) <= max_steps)
    if float(low).is_integer() and float(high).is_integer():
        step = max(step, 1.0)
    below = floor(low / step)
    ticks = [below * step]
    while ticks[-1] < high or len(ticks) < 2:
        ticks.append((below + len(ticks)) * step)
    return ticks


def _axes(across: list[float], up: list[float], place: Place, name: str) -> Iterator[str]:
    """The numbers on both axes, the horizontal lines, and the name of the horizontal axis."""
    for x in across:
        at, bottom = place((x, up[0]))
        yield f'<text x="{at:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{x:,.6g}</text>'
    for y in up:
        _, at = place((across[0], y))
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{y:,.6g}</text>'
    yield f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{_text(name)}</text>'


def _drawn(lines: Sequence[Line], place: Place) -> Iterator[str]:
    """Each line, with a dot at each point if there are few, and its name beside it."""
    for number, (name, points) in enumerate(lines):
        colour, dashes = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        placed = [place(point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        yield f'<path d="M{path}" stroke="{colour}"{dashed}><title>{_text(name)}</title></path>'
        if len(placed) <= 40:
            yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed)
        at, left = _TOP + 14 + 20 * number, _WIDTH - _RIGHT + 4
        short = name if len(name) <= _MAX_LETTERS else name[: _MAX_LETTERS - 1] + "…"
        fitted = f' textLength="{_RIGHT - 38}" lengthAdjust="spacingAndGlyphs"' if len(name) > _FITTING else ""
        ends = f'x1="{left}" x2="{left + 24}" y1="{at - 4}" y2="{at - 4}"'
        yield f'<line {ends} style="stroke:{colour};stroke-width:2"{dashed}/>'
        yield f'<text x="{left + 30}" y="{at}"{fitted}>{_text(short)}<title>{_text(name)}</title></text>'
