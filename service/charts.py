"""A query's rows as a chart: the first column to the right, every other column of numbers a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import floor, log10
from typing import Any

from service.problems import InvalidRequest

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 16, 44
_COLOURS = ("#1f6fb2", "#d1495b", "#2e8b57", "#c77700", "#6f4aa8", "#178a94", "#8a5a44", "#5c6670")
_STYLE = "text{font:12px system-ui,sans-serif;fill:#555}path{fill:none;stroke-width:2}line{stroke:#8884}"

Point = tuple[float, float]


def chart(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The chart as SVG, null where a line has no point; raises InvalidRequest for rows of which none can be made."""
    first, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    lines = {
        name: [(float(x), float(y)) for x, y in zip(first, values, strict=True) if y is not None]
        for name, values in zip(columns[1:], others, strict=True)
        if _numbers(first, float | int) and _numbers(values, float | int | None)
    }
    points = [point for line in lines.values() for point in line]
    if not points:
        raise InvalidRequest(
            "these rows make no chart", "the first column and at least one other have to be numbers; there must be rows"
        )
    xs, ys = zip(*points, strict=True)
    across, up = _ticks(min(xs), max(xs), 12), _ticks(0, max(ys), 6)

    def place(point: Point) -> Point:
        x, y = point
        return (
            _LEFT + (_WIDTH - _LEFT - _RIGHT) * (x - across[0]) / (across[-1] - across[0]),
            _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (y - up[0]) / (up[-1] - up[0]),
        )

    parts = [*_axes(across, up, place, columns[0]), *_drawn(lines, place)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"<title>{escape(', '.join(lines))} by {escape(columns[0])}</title><style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _numbers(values: Sequence[Any], kind: Any) -> bool:
    return all(isinstance(value, kind) for value in values)


def _ticks(least: float, greatest: float, most: int) -> list[float]:
    """Round numbers from at most the least to at least the greatest, at most so many steps."""
    span = (greatest - least) or 1.0
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
    yield f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(name)}</text>'


def _drawn(lines: dict[str, list[Point]], place: Any) -> Iterator[str]:
    """Each line with its dots, its name and its colour."""
    for number, (name, points) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        placed = [place(point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        yield f'<path d="M{path}" stroke="{colour}"/>' if placed else ""
        if len(placed) <= 40:
            yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed)
        at = _TOP + 14 + 20 * number
        yield f'<circle cx="{_WIDTH - _RIGHT + 18}" cy="{at - 4}" r="5" fill="{colour}"/>'
        yield f'<text x="{_WIDTH - _RIGHT + 30}" y="{at}">{escape(name)}</text>'
