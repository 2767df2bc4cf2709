"""A chart, lines over one axis, from rows of numbers; as SVG or PNG.

chart.json describes it in Vega-Lite, vl-convert draws it, without a browser or a network. That is the extra `charts`,
30 MB to download and 80 MB on disk. The first chart loads it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from importlib.util import find_spec
from math import ceil, floor, log10, nan
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from puzzlebase.atomic_files import written
from puzzlebase.service.error_status import InvalidRequest

_CHART = Path(__file__).with_name("chart.json")  # small enough for letters to be read on a phone
_TITLE_LETTERS = 42  # of one line of the title
_DOTTED = 40  # points of a line that each have a dot
_MOST_TICKS = 8
_SCALE = 2  # pixels of a PNG for each of an SVG
_PALETTES = Path(__file__).with_name("palettes.json")  # no pair of a line's colour and dashes occurs twice in 24 lines
MAX_LINES = 18  # the colours and dashes of more cannot be told apart
_MAX, _MIN = 1e300, 1e-300  # sums of larger numbers overflow; smaller ones are drawn as 0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a chart."""

    title: str = ""
    unit: str = ""  # beside the vertical axis; by default the name of the only line
    log: bool = False  # the vertical axis is logarithmic, and points at 0 and below are left out
    dark: bool = False  # an SVG that is not dark follows the reader's setting


class Line(NamedTuple):
    """The points of a line, in the order in which they are joined."""

    name: str
    points: Sequence[Point]


class Chart(NamedTuple):
    """Lines over one axis, at least one of them, each with at least one point; all numbers are finite."""

    axis: str
    lines: Sequence[Line]
    style: Style


def chart_of(columns: Sequence[str], rows: Sequence[Sequence[Any]], style: Style) -> Chart:
    """Make a chart: the first column is the horizontal axis, every other column of numbers a line.

    Points that are not finite are left out. Raises InvalidRequest if the rows make no chart.
    """
    first, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    lines = [
        Line(_printable(name), points)
        for name, values in zip(columns[1:], others, strict=True)
        if (points := _points(first, values, style.log))
    ]
    if not lines:
        above = ", and the other above 0 for a logarithmic axis" if style.log else ""
        hint = f"the first column and at least one other must be numbers, and both finite in at least one row{above}"
        raise InvalidRequest("these rows make no chart", hint)
    if len(lines) > MAX_LINES:
        hint = f"at most {MAX_LINES} can be told apart: ask for fewer columns"
        raise InvalidRequest(f"these rows make a chart of {len(lines)} lines", hint)
    return Chart(_printable(columns[0]), lines, style)


def _printable(name: str) -> str:
    """The name as XML can hold it: control characters are replaced."""
    return "".join(letter if letter.isprintable() else "�" for letter in name)


def _points(xs: Sequence[Any], ys: Sequence[Any], log: bool) -> list[Point]:
    """The points whose two numbers can be drawn; none if some value is no number."""
    if not all(isinstance(value, int | float | Decimal | None) for value in (*xs, *ys)):
        return []
    points = ((_drawable(x), _drawable(y)) for x, y in zip(xs, ys, strict=True))
    return [(x, y) for x, y in points if x is not None and y is not None and (y > 0 or not log)]


def _drawable(value: float | Decimal | None) -> float | None:
    """A number as a float; None if it is null, not finite or larger than _MAX."""
    try:
        number = nan if value is None else float(value)
    except OverflowError:
        return None
    if not abs(number) <= _MAX:
        return None
    return number if abs(number) >= _MIN else 0.0


def check_installed() -> None:
    """Raise InvalidRequest if the extra is not installed."""
    if find_spec("vl_convert") is None:
        hint = "install the extra: make .venv/charts in a clone, else pip install 'puzzlebase[charts]'"
        raise InvalidRequest("charts are drawn with vl-convert, and there is no vl_convert here", hint)


def write_chart(chart: Chart, path: Path) -> None:
    """Write a chart to a file whose name ends in .svg or .png; raises InvalidRequest as `check_installed` does."""
    content = png(chart) if path.suffix == ".png" else svg(chart).encode()
    with written(path) as unfinished:
        unfinished.write_bytes(content)


def writer() -> Callable[..., None]:
    """Give a function that draws rows, `write(path, columns=, rows=, ...)`; raises as `check_installed` does."""
    check_installed()
    return lambda path, columns, rows, **style: write_chart(chart_of(columns, rows, Style(**style)), path)


def svg(chart: Chart) -> str:
    """Draw an SVG document. Unless it is dark, it follows the viewer's colour scheme."""
    check_installed()
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(specification(chart))
    begin, end, rest = drawn.partition(">")
    label = escape(chart.style.title or f"{', '.join(line.name for line in chart.lines)} by {chart.axis}")
    style = "" if chart.style.dark else f"<style>@media (prefers-color-scheme:dark){{{_in_the_dark()}}}</style>"
    return f'{begin} role="img" aria-label="{label}"{end}<title>{label}</title>{style}{rest}\n'


def png(chart: Chart) -> bytes:
    """Draw a PNG, light unless it is dark."""
    check_installed()
    import vl_convert

    drawn: bytes = vl_convert.vegalite_to_png(specification(chart), scale=_SCALE)
    return drawn


def specification(chart: Chart) -> dict[str, Any]:
    """Describe the chart in Vega-Lite."""
    style, lines = chart.style, chart.lines
    palettes = json.loads(_PALETTES.read_text("utf-8"))
    palette = palettes["dark" if style.dark else "light"]
    found: dict[str, Any] = json.loads(Template(_CHART.read_text("utf-8")).substitute(palette))
    points = [
        {"x": x, "y": y, "at": at, "line": str(number)}  # two lines may have one name
        for number, line in enumerate(lines)
        for at, (x, y) in enumerate(line.points)
    ]
    found["data"] = {"values": points}
    if max(len(line.points) for line in lines) <= _DOTTED:
        found["mark"]["point"] = {"size": 28}
    if style.title:
        found["title"] = textwrap.wrap(style.title, _TITLE_LETTERS)
    channels = found["encoding"]
    channels["x"]["title"] = chart.axis
    channels["y"]["title"] = style.unit or (lines[0].name if len(lines) == 1 else None)
    channels["x"]["axis"] |= _ticks(points, "x")
    channels["y"]["axis"] |= _ticks(points, "y", style.log)
    if style.log:
        channels["y"]["scale"] = {"type": "log", "nice": False}
    names = json.dumps([line.name for line in lines])
    legend = {"labelExpr": f"{names}[toNumber(datum.value)]"} if len(lines) > 1 else None
    for channel, kinds in (("color", palette["lines"]), ("strokeDash", palettes["dashes"])):
        keys = range(len(lines))
        scale = {"domain": [*map(str, keys)], "range": [kinds[number % len(kinds)] for number in keys]}
        channels[channel] |= {"scale": scale, "legend": legend}
    return found


def _ticks(points: Sequence[dict[str, Any]], name: str, log: bool = False) -> dict[str, Any]:
    """Put ticks at whole numbers if all values are whole, and at powers of ten on a logarithmic axis."""
    values = [point[name] for point in points]
    if log:
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        powers = [10.0**power for power in range(low, high + 1, ceil((high - low) / 9) or 1)]
        return {"values": powers} if sum(min(values) <= power <= max(values) for power in powers) > 1 else {}
    if not all(float(value).is_integer() for value in values):
        return {}
    low, high = min(values) if name == "x" else min(0, *values), max(values)
    return {"tickCount": max(1, min(_MOST_TICKS, int(high - low)))}  # so that they are at whole numbers


def _in_the_dark() -> str:
    """A rule of CSS for each colour: its colour on a dark background."""
    palettes = json.loads(_PALETTES.read_text("utf-8"))
    light, dark = ([*palette.pop("lines"), *palette.values()] for palette in (palettes["light"], palettes["dark"]))
    pairs = zip(light, dark, strict=True)
    return "".join(f'[fill="{old}"]{{fill:{new}}}[stroke="{old}"]{{stroke:{new}}}' for old, new in pairs)
