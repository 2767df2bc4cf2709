"""service/sql/chart.py: which lines a chart has, and where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from puzzlebase.service.problems import InvalidRequest
from puzzlebase.service.sql.chart import chart

SVG = "{http://www.w3.org/2000/svg}"


def drawn_lines(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[tuple[float, float]]]:
    """The points of each line of a chart; nothing of it may lie outside the picture."""
    root = ET.fromstring(chart(columns, rows))
    lines = [
        [(float(x), float(y)) for x, y in (place.split(",") for place in (path.get("d") or "")[1:].split())]
        for path in root.findall(f"{SVG}path")
    ]
    assert all(0 <= x <= 760 and 0 <= y <= 420 for line in lines for x, y in line)
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.get("x", "")) <= 760
        assert 0 <= float(text.get("y", "")) <= 420
    return lines


def test_a_chart_has_a_line_for_each_column_of_numbers() -> None:
    columns, rows = ["d", "a<b", "word", "none"], [(0, 1, "x", None), (5, 3.5, "y", None), (10, 2, "z", 7)]
    lines = drawn_lines(columns, rows)
    assert [[x for x, _ in line] for line in lines] == [[64, 337, 610], [610]]
    (first, second, third), (highest,) = ([y for _, y in line] for line in lines)
    assert first > third > second > highest > 0
    labels = [text.text for text in ET.fromstring(chart(columns, rows)).findall(f"{SVG}text")]
    assert {"0", "10", "d", "a<b", "none"} <= set(labels)
    assert "word" not in labels
    assert drawn_lines(["d", "n"], [(3, 4)])
    for few in ([], [("a", 1)], [(1, "a")], [(1, None)], [(None, 1)], [(math.nan, 1)], [(1, math.inf)]):
        with pytest.raises(InvalidRequest):
            chart(["d", "n"], few)


LARGE = 1.7976931348623157e308


@pytest.mark.parametrize(
    "values",
    [
        [-3, -2, -1],
        [-3, 0, 5.5],
        [0, 0, 0],
        [-7, -7, -7],
        [Decimal("1.5"), Decimal("-2.25"), None],
        [1e300, -1e300, 0],
        [1e300, 1e300, 1e300],
        [1e16, 1e16 + 2, 1e16 + 4],
        [5e-324, 0, -5e-324],
        [1e-300, 2e-300, 3e-300],
        [10**300, 1, 2],
        [1, 1 + 1e-15, 1 + 2e-15],
    ],
)
def test_charts_of_any_finite_numbers(values: list[Any]) -> None:
    ((*line,),) = drawn_lines(["d", "n"], list(enumerate(values)))
    assert len(line) == sum(value is not None for value in values)
    heights = [(-value, y) for value, (_, y) in zip(values, line, strict=False)]
    assert [y for _, y in sorted(heights)] == sorted(y for _, y in heights)
    assert drawn_lines(["d", "n"], [(value, number) for number, value in enumerate(values)])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, LARGE, -LARGE, 10**400, Decimal("NaN"), None])
def test_what_is_not_finite_is_not_drawn(value: Any) -> None:
    ((*line,), (*other,)) = drawn_lines(["d", "n", "m"], [(1, 2, 3), (2, value, 3), (3, 4, 5), (value, 5, 6)])
    assert ([x for x, _ in line], [x for x, _ in other]) == ([64, 610], [64, 337, 610])


def test_lines_of_a_chart_are_told_apart() -> None:
    columns = ["d", *(f"line {number} of a long name" for number in range(18))]
    rows = [range(19), range(1, 20)]
    assert len(drawn_lines(columns, rows)) == 18
    root = ET.fromstring(chart(columns, rows))
    styles = [(path.get("stroke"), path.get("stroke-dasharray")) for path in root.findall(f"{SVG}path")]
    assert len(set(styles)) == 18
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(styles))
    assert [path.findtext(f"{SVG}title") for path in root.findall(f"{SVG}path")] == columns[1:]
    with pytest.raises(InvalidRequest, match="19 lines"):
        chart([*columns, "one more"], [range(20)])
    assert len(drawn_lines(["n", "n", "n"], [(1, 2, 3), (2, 3, 4)])) == 2
    assert drawn_lines(["\0", "\x1b[0m<&"], [(1, 2)])
