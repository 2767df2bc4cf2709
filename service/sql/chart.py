"""A query's rows as a chart: the first column to the right, every other column of numbers a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape
from math import floor, log10, nan
from typing import Any

from service.problems import InvalidRequest

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_LINES = 18  # the names of more do not fit beside the lines
_COLOURS = ("#1f6fb2", "#d1495b", "#2e8b57", "#c77700", "#6f4aa8", "#178a94", "#8a5a44", "#5c6670")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "14 4", "5 2 2 2 2 2")  # six for eight colours: no pair twice among 24 lines
_LETTERS, _MOST_LETTERS = 15, 24  # of a name beside the lines as it is, and drawn together
_STYLE = "text{font:12px system-ui,sans-serif;fill:#555}path{fill:none;stroke-width:2}line{stroke:#8884}"
_LARGEST, _LEAST = 1e300, 1e-300  # of what is drawn: sums of larger numbers overflow, and less is nothing

Point = tuple[float, float]
Line = tuple[str, list[Point]]


def chart(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The chart as SVG, of points that are finite; raises InvalidRequest for rows of which none can be made."""
    first, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    lines = [
        (name, points)
        for name, values in zip(columns[1:], others, strict=True)
        if _numbers(first) and _numbers(values) and (points := _points(first, values))
    ]
    if not lines:
        raise InvalidRequest(
            "these rows make no chart",
            "the first column and at least one other have to be numbers, finite ones in one row at least",
        )
    if len(lines) > _LINES:
        raise InvalidRequest(
            f"these rows make a chart of {len(lines)} lines",
            f"at most {_LINES} can be told apart: ask for fewer columns",
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
    """A name as XML has it, which knows no control characters."""
    return escape("".join(letter if letter.isprintable() else "�" for letter in name))


def _numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float | Decimal | None) for value in values)


def _points(xs: Sequence[Any], ys: Sequence[Any]) -> list[Point]:
    """Those of which both numbers are finite."""
    placed = ((_drawable(x), _drawable(y)) for x, y in zip(xs, ys, strict=True))
    return [(x, y) for x, y in placed if x is not None and y is not None]


def _drawable(value: float | Decimal | None) -> float | None:
    """None also for what is not finite, or nearly so."""
    try:
        number = nan if value is None else float(value)
    except OverflowError:
        return None
    if not abs(number) <= _LARGEST:
        return None
    return number if abs(number) >= _LEAST else 0.0


def _ticks(least: float, greatest: float, most: int) -> list[float]:
    """Round numbers from at most the least to at least the greatest, at most so many steps, at least one."""
    span, magnitude = greatest - least, max(abs(least), abs(greatest))
    if span <= 1e-9 * magnitude:  # numbers so near each other have no room for others between them
        span = magnitude
    span = span or 1.0
    power = 10.0 ** floor(log10(span / most))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if span / (factor * power) <= most)
    if float(least).is_integer() and float(greatest).is_integer():
        step = max(step, 1.0)
    below = floor(least / step)
    ticks = [below * step]
    while ticks[-1] < greatest or len(ticks) < 2:
        ticks.append((below + len(ticks)) * step)
    return ticks


def _axes(across: list[float], up: list[float], place: Any, name: str) -> Iterator[str]:
    for x in across:
        at, bottom = place((x, up[0]))
        yield f'<text x="{at:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{x:,.6g}</text>'
    for y in up:
        _, at = place((across[0], y))
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{y:,.6g}</text>'
    yield f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{_text(name)}</text>'


def _drawn(lines: Sequence[Line], place: Any) -> Iterator[str]:
    """Each line with its dots, its name, its colour and its dashes."""
    for number, (name, points) in enumerate(lines):
        colour, dashes = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        placed = [place(point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        yield f'<path d="M{path}" stroke="{colour}"{dashed}><title>{_text(name)}</title></path>'
        if len(placed) <= 40:
            yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed)
        at, left = _TOP + 14 + 20 * number, _WIDTH - _RIGHT + 4
        short = name if len(name) <= _MOST_LETTERS else name[: _MOST_LETTERS - 1] + "…"
        fitted = f' textLength="{_RIGHT - 38}" lengthAdjust="spacingAndGlyphs"' if len(name) > _LETTERS else ""
        ends = f'x1="{left}" x2="{left + 24}" y1="{at - 4}" y2="{at - 4}"'
        yield f'<line {ends} style="stroke:{colour};stroke-width:2"{dashed}/>'
        yield f'<text x="{left + 30}" y="{at}"{fitted}>{_text(short)}<title>{_text(name)}</title></text>'
