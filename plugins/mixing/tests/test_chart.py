"""plugins/chart.py: the lines of a chart and their places, as they stand in the drawn SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree as ET

import pytest

from puzzlebase.plugins.chart import write_chart
from tests.commands import command

SVG = "{http://www.w3.org/2000/svg}"


def drawing(
    folder: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]], **look: Any
) -> ET.Element:
    write_chart(folder / "drawn.svg", columns, rows, **look)
    return ET.parse(folder / "drawn.svg").getroot()


def drawn_lines(root: ET.Element) -> list[list[tuple[float, float]]]:
    """The points of each line of a chart; nothing of it may lie outside the picture."""
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    marks = [
        group for group in root.iter(f"{SVG}g") if "mark-line" in group.get("class", "").split()
    ]
    lines = []
    for path in [path for group in marks for path in group.iter(f"{SVG}path") if path.get("d")]:
        numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", (path.get("d") or "").removesuffix("Z"))
        lines.append(
            [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        )
    assert all(0 <= x <= width and 0 <= y <= height for line in lines for x, y in line)
    return lines


def test_a_chart_has_a_line_for_each_column(tmp_path: Path) -> None:
    columns, rows = ["d", "a<b", "none"], [(0, 1, None), (5, 3.5, 1), (10, 2, 7)]
    root = drawing(tmp_path, columns, rows, title="How far they are", unit="moves")
    first, second = drawn_lines(root)
    (left, _), (middle, _), (right, _) = first
    assert 2 * middle == pytest.approx(left + right)
    assert [x for x, _ in second] == pytest.approx([middle, right])
    assert first[0][1] > first[2][1] > first[1][1] > second[1][1] >= 0
    assert first[0][1] == pytest.approx(second[0][1])
    words = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert {"0", "10", "d", "a<b", "none", "How far they are", "moves"} <= words


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors(tmp_path: Path) -> None:
    root = drawing(tmp_path, ["d", "n"], [(0, 0), (1, 1), (2, 1000), (3, 10**6)], log=True)
    ((_, low), (_, middle), (_, high)) = drawn_lines(root)[0]
    assert middle - low == pytest.approx(high - middle)


def test_where_charts_cannot_be_drawn_the_remedy_is_named(tmp_path: Path) -> None:
    with mock.patch("puzzlebase.plugins.chart.find_spec", return_value=None):
        refused = command(tmp_path, "mixing", "novice", "--chart", "drawn.svg")
    assert (refused.status, "pip install 'puzzlebase[charts]'" in refused.stderr) == (2, True)
