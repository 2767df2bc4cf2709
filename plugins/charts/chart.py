"""A chart, lines over one axis, from rows of numbers; as SVG or PNG.

chart.json describes it in Vega-Lite, vl-convert draws it, without a browser or a network. That is the extra `charts`,
30 MB to download and 80 MB on disk. The first chart loads it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from decimal import Decimal
from importlib.util import find_spec
from math import nan
from pathlib import Path
from typing import Any

from puzzlebase.atomic_files import written
from puzzlebase.puzzles.contract.errors import printable
from puzzlebase.service.error_status import InvalidRequest

_CHART = Path(__file__).with_name("chart.json")  # small enough for letters to be read on a phone
_TITLE_LETTERS = 42  # of one line of the title
_SCALE = 2  # pixels of a PNG for each of an SVG
_MAX, _MIN = 1e300, 1e-300  # sums of larger numbers overflow; smaller ones are drawn as 0
MAX_LINES = 20  # the colours of more cannot be told apart


def check_installed() -> None:
    """Raise InvalidRequest if the extra is not installed."""
    if find_spec("vl_convert") is None:
        hint = "install the extra: make .venv/charts in a clone, else pip install 'puzzlebase[charts]'"
        raise InvalidRequest("charts are drawn with vl-convert, and there is no vl_convert here", hint)


def writer() -> Callable[..., None]:
    """Give `write_chart`; raises as `check_installed` does."""
    check_installed()
    return write_chart


def write_chart(
    path: Path,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    title: str = "",
    unit: str = "",
    log: bool = False,
) -> None:
    """Draw rows to a file whose name ends in .svg or .png; raises InvalidRequest if they make no chart.

    The first column is the horizontal axis, every other column of numbers a line. `unit` stands beside the vertical
    axis, which is logarithmic with `log`; by default the name of the only line stands there.
    """
    check_installed()
    import vl_convert

    described = specification(columns, rows, title, unit, log=log)
    with written(path) as unfinished:
        if path.suffix == ".png":
            unfinished.write_bytes(vl_convert.vegalite_to_png(described, scale=_SCALE))
        else:
            unfinished.write_text(vl_convert.vegalite_to_svg(described), "utf-8")


def specification(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str, unit: str, *, log: bool
) -> dict[str, Any]:
    """Describe a chart in Vega-Lite. Points that are not finite are left out, at 0 and below too with `log`."""
    axis, *names = (printable(name, "�") for name in columns)
    xs, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    points = [_points(xs, ys, log) for ys in others]
    lines = [number for number, some in enumerate(points) if some]
    if not lines:
        above = ", and the other above 0 for a logarithmic axis" if log else ""
        hint = f"the first column and at least one other must be numbers, and both finite in at least one row{above}"
        raise InvalidRequest("these rows make no chart", hint)
    if len(lines) > MAX_LINES:
        hint = f"at most {MAX_LINES} can be told apart: ask for fewer columns"
        raise InvalidRequest(f"these rows make a chart of {len(lines)} lines", hint)
    described: dict[str, Any] = json.loads(_CHART.read_text("utf-8"))
    described["data"] = {
        "values": [
            {"x": x, "y": y, "at": at, "line": number}  # two lines may have one name
            for number in lines
            for at, (x, y) in enumerate(points[number])
        ]
    }
    described["description"] = title or f"{', '.join(names[number] for number in lines)} by {axis}"
    if title:
        described["title"] = textwrap.wrap(title, _TITLE_LETTERS)
    channels = described["encoding"]
    channels["x"]["title"] = axis
    channels["y"]["title"] = unit or (names[lines[0]] if len(lines) == 1 else None)
    channels["y"]["scale"] = {"type": "log" if log else "linear"}
    labels = {"labelExpr": f"{json.dumps(names)}[toNumber(datum.value)]"}
    channels["color"]["legend"] = labels if len(lines) > 1 else None
    return described


def _points(xs: Sequence[Any], ys: Sequence[Any], log: bool) -> list[tuple[float, float]]:
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
