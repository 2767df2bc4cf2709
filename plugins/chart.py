"""A chart, lines over one axis, as SVG; and the option of verbs that draw one.

chart.json describes it in Vega-Lite, vl-convert draws it, without a browser or a network. That is
the extra `charts`, 30 MB to download and 80 MB on disk. The first chart loads it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from puzzlebase.atomic_files import new_file
from puzzlebase.command_line.options import FILE, Verb
from puzzlebase.service.error_status import InvalidRequest

_CHART = Path(__file__).with_name("chart.json")  # small enough for letters to be read on a phone
_TITLE_LETTERS = 42  # of one line of the title


def chart_file(help: str) -> Callable[[Verb], Verb]:  # noqa: A002 -- as click calls it
    """The option --chart, which takes the file of a chart.
    It is refused at once if charts cannot be drawn.
    """

    def checked(
        _context: click.Context, _parameter: click.Parameter, path: Path | None
    ) -> Path | None:
        if path is not None and find_spec("vl_convert") is None:
            hint = (
                "install the extra: make .venv/charts in a clone, else pip install "
                "'puzzlebase[charts]'"
            )
            raise InvalidRequest(
                "charts are drawn with vl-convert, and there is no vl_convert here", hint
            )
        return path

    return click.option("--chart", type=FILE, callback=checked, help=help)


def write_chart(
    path: Path,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    title: str = "",
    unit: str = "",
    log: bool = False,
) -> None:
    """Draw rows of finite numbers to an SVG file.

    The first column is the horizontal axis, every other column a line, without a point where it is
    None. `unit` stands beside the vertical axis, which is logarithmic with `log`: then only points
    above 0 are drawn.
    """
    import vl_convert

    axis, *names = columns
    described: dict[str, Any] = json.loads(_CHART.read_text("utf-8"))
    described["data"] = {
        "values": [
            {"x": x, "y": y, "at": at, "line": number}  # two lines may have one name
            for at, (x, *ys) in enumerate(rows)
            for number, y in enumerate(ys)
            if y is not None and (y > 0 or not log)
        ]
    }
    described["title"] = textwrap.wrap(title, _TITLE_LETTERS)
    channels = described["encoding"]
    channels["x"]["title"] = axis
    channels["y"]["title"] = unit or (names[0] if len(names) == 1 else None)
    channels["y"]["scale"] = {"type": "log" if log else "linear"}
    labels = {"labelExpr": f"{json.dumps(names)}[toNumber(datum.value)]"}
    channels["color"]["legend"] = labels if len(names) > 1 else None
    with new_file(path) as unfinished:
        unfinished.write_text(vl_convert.vegalite_to_svg(described), "utf-8")
