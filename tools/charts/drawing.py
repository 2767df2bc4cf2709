"""A chart as SVG or PNG: Vega-Altair describes it, vl-convert draws it, without a browser or a network.

They are the extra `charts`, 35 MB to download and 100 MB on disk. The first chart loads them, in half a second.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from puzzlebase.atomic_files import written
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.tools.charts.chart import Chart, Style, chart_of

_WIDTH, _HEIGHT = 330, 210  # small enough for letters to be read on a phone
_TITLE_LETTERS = 42  # of one line of the title
_FONT = "Arial, Helvetica, sans-serif"  # nearly everywhere as wide as vl-convert takes letters to be
_DOTTED = 40  # points of a line that each have a dot
_MOST_TICKS = 8
_SCALE = 2  # pixels of a PNG for each of an SVG
_LIGHT = {"paper": "#ffffff", "ink": "#1d2126", "soft": "#5b636d", "line": "#dfe2e6"}
_DARK = {"paper": "#1b2027", "ink": "#e8eaed", "soft": "#a2aab5", "line": "#333b46"}
_COLOURS = ("#2458c5", "#b3362c", "#1b7540", "#b07400", "#7a3fb0", "#0f7f8c", "#8a5a44", "#5c6670")
_DARK_COLOURS = ("#8db4ff", "#ff9a8f", "#74d49d", "#f2c14e", "#cba6f7", "#6fd3dd", "#d8a98f", "#b4bcc6")
_DASHES = ([1, 0], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [5, 2, 2, 2])  # no pair of both occurs twice in 24 lines
_NUMBER = (  # 12,000 is 12k and 2,000,000,000 is 2bn, but 0.001 no milli
    "abs(datum.value) >= 1e15 || abs(datum.value) < 1e-4 && datum.value ? format(datum.value, '.3~e') : "
    "abs(datum.value) >= 1e4 ? replace(format(datum.value, '.6~s'), 'G', 'bn') : format(datum.value, ',.6~g')"
)


def check_installed() -> None:
    """Raise InvalidRequest if the extra is not installed."""
    missing = [name for name in ("altair", "vl_convert") if find_spec(name) is None]
    if missing:
        hint = "install the extra: make .venv/charts in a clone, else pip install 'puzzlebase[charts]'"
        none = f"there is no {' and no '.join(missing)} here"
        raise InvalidRequest(f"charts are drawn with Vega-Altair and vl-convert, and {none}", hint)


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
    import altair as alt

    style = chart.style
    keys = [str(number) for number in range(len(chart.lines))]  # two lines may have one name
    points = [
        {"x": x, "y": y, "at": at, "line": key}
        for key, line in zip(keys, chart.lines, strict=True)
        for at, (x, y) in enumerate(line.points)
    ]
    few = max(len(line.points) for line in chart.lines) <= _DOTTED
    alone = chart.lines[0].name if len(chart.lines) == 1 else None
    across, up = alt.Scale(zero=False, nice=False), alt.Scale(type="log", nice=False) if style.log else alt.Scale()
    x_axis, y_axis = alt.Axis(**_axis(points, "x")), alt.Axis(**_axis(points, "y", style.log))
    names = json.dumps([line.name for line in chart.lines])
    legend: dict[str, Any] = {"title": None, "orient": "bottom", "columns": 2, "labelLimit": 165}
    legend |= {"symbolType": "stroke", "symbolSize": 500, "labelExpr": f"{names}[toNumber(datum.value)]"}
    told_apart: dict[str, Any] = {"type": "nominal", "legend": None if alone else alt.Legend(**legend)}
    colours = alt.Scale(domain=keys, range=_cycle(_DARK_COLOURS if style.dark else _COLOURS, keys))
    drawn = (
        alt.Chart(alt.InlineData(values=points), width=_WIDTH, height=_HEIGHT)
        .mark_line(point={"size": 28} if few else False, strokeWidth=2)
        .encode(
            x=alt.X("x", type="quantitative", title=chart.axis, scale=across, axis=x_axis),
            y=alt.Y("y", type="quantitative", title=style.unit or alone, scale=up, axis=y_axis),
            order=alt.Order("at", type="quantitative"),
            color=alt.Color("line", scale=colours, **told_apart),
            strokeDash=alt.StrokeDash("line", scale=alt.Scale(domain=keys, range=_cycle(_DASHES, keys)), **told_apart),
        )
    )
    if style.title:
        drawn = drawn.properties(title=textwrap.wrap(style.title, _TITLE_LETTERS))
    made: dict[str, Any] = drawn.configure(**_configuration(_DARK if style.dark else _LIGHT)).to_dict()
    return made


def _axis(points: list[dict[str, Any]], name: str, log: bool = False) -> dict[str, Any]:
    """Put ticks at whole numbers if all values are whole, and at powers of ten on a logarithmic axis."""
    values = [point[name] for point in points]
    given: dict[str, Any] = {"labelExpr": _NUMBER, "labelOverlap": True, "labelFlush": False, "grid": name == "y"}
    if not log and all(float(value).is_integer() for value in values):
        low, high = min(values) if name == "x" else min(0, *values), max(values)
        given["tickCount"] = max(1, min(_MOST_TICKS, int(high - low)))  # so that they are at whole numbers
    if log:
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        step = ceil((high - low) / 9) or 1
        powers = [10.0**power for power in range(low, high + 1, step)]
        if sum(min(values) <= power <= max(values) for power in powers) > 1:
            given["values"] = powers
    return given


def _cycle(kinds: Sequence[Any], keys: Sequence[str]) -> list[Any]:
    return [kinds[number % len(kinds)] for number in range(len(keys))]


def _configuration(colours: Mapping[str, str]) -> dict[str, Any]:
    words = {"labelFont": _FONT, "titleFont": _FONT, "labelColor": colours["soft"], "titleColor": colours["ink"]}
    sizes = {"labelFontSize": 13, "titleFontSize": 14, "titleFontWeight": "normal"}
    lines = {"gridColor": colours["line"], "domainColor": colours["line"], "tickColor": colours["line"]}
    return {
        "background": colours["paper"],
        "padding": 12,
        "view": {"stroke": None},
        "axis": words | sizes | lines,
        "legend": words | {"labelFontSize": 13, "symbolStrokeWidth": 2, "columnPadding": 24},
        "title": {"font": _FONT, "fontSize": 16, "color": colours["ink"], "anchor": "start", "offset": 12},
    }


def _in_the_dark() -> str:
    """A rule of CSS for each colour: its colour on a dark background."""
    pairs = [*((_LIGHT[name], _DARK[name]) for name in _LIGHT), *zip(_COLOURS, _DARK_COLOURS, strict=True)]
    return "".join(f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in pairs)
