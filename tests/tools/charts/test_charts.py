"""tools/charts: the lines of a chart and their places, as they stand in the drawn SVG."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree as ET

import pytest

from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.tools.charts.chart import Style, chart_of, check_installed, png, svg, write_chart
from tests.waiting import PATIENCE

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = Style()


def drawing(columns: Sequence[str], rows: Sequence[Sequence[Any]], style: Style = PLAIN) -> ET.Element:
    return ET.fromstring(svg(chart_of(columns, rows, style)))


def line_elements(root: ET.Element) -> list[ET.Element]:
    """The paths of the lines, in their order."""
    marks = [group for group in root.iter(f"{SVG}g") if "mark-line" in group.get("class", "").split()]
    return [path for group in marks for path in group.iter(f"{SVG}path") if path.get("d")]


def drawn_lines(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], style: Style = PLAIN
) -> list[list[tuple[float, float]]]:
    """The points of each line of a chart; nothing of it may lie outside the picture."""
    root = drawing(columns, rows, style)
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    lines = []
    for path in line_elements(root):
        numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", (path.get("d") or "").removesuffix("Z"))
        lines.append([(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)])
    assert all(0 <= x <= width and 0 <= y <= height for line in lines for x, y in line)
    return lines


def words(root: ET.Element) -> set[str]:
    """All that is written on a chart."""
    return {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}


def test_a_chart_has_a_line_for_each_column_of_numbers() -> None:
    columns, rows = ["d", "a<b", "word", "none"], [(0, 1, "x", None), (5, 3.5, "y", 1), (10, 2, "z", 7)]
    first, second = drawn_lines(columns, rows)
    (left, _), (middle, _), (right, _) = first
    assert 2 * middle == pytest.approx(left + right)
    assert [x for x, _ in second] == pytest.approx([middle, right])
    assert first[0][1] > first[2][1] > first[1][1] > second[1][1] >= 0
    assert first[0][1] == pytest.approx(second[0][1])
    assert {"0", "10", "d", "a<b", "none"} <= words(drawing(columns, rows))
    assert "word" not in words(drawing(columns, rows))
    for few in ([], [("a", 1)], [(1, "a")], [(1, None)], [(None, 1)], [(math.nan, 1)], [(1, math.inf)]):
        with pytest.raises(InvalidRequest, match="make no chart"):
            chart_of(["d", "n"], few, PLAIN)


LARGE = 1.7976931348623157e308


@pytest.mark.parametrize(
    "values",
    [
        [-3, -2, -1],
        [0, 0, 0],
        [Decimal("1.5"), Decimal("-2.25"), None],
        [1e300, -1e300, 0],
        [1e16, 1e16 + 2, 1e16 + 4],
        [5e-324, 0, -5e-324],
        [1e-300, 2e-300, 3e-300],
        [10**300, 1, 2],
        [1, 1 + 1e-15, 1 + 2e-15],
    ],
)
def test_charts_of_any_finite_numbers(values: list[Any]) -> None:
    known = [value for value in values if value is not None]
    ((*line,),) = drawn_lines(["d", "n"], list(enumerate(values)))
    assert len(line) == len(known)
    heights = [(-value, y) for value, (_, y) in zip(known, line, strict=True)]
    assert [y for _, y in sorted(heights)] == sorted(y for _, y in heights)
    assert drawn_lines(["d", "n"], [(value, number) for number, value in enumerate(values)])


def test_what_is_not_finite_is_not_drawn() -> None:
    for value in (math.nan, math.inf, -math.inf, LARGE, -LARGE, 10**400, Decimal("NaN"), None):
        chart = chart_of(["d", "n", "m"], [(1, 2, 3), (2, value, 3), (3, 4, 5), (value, 5, 6)], PLAIN)
        line, other = (line.points for line in chart.lines)
        assert (line, other) == ([(1, 2), (3, 4)], [(1, 3), (2, 3), (3, 5)])


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors_and_no_room_for_nothing() -> None:
    style = Style(log=True)
    ((*line,),) = drawn_lines(["d", "n"], [(0, 0), (1, 1), (2, 1000), (3, 10**6), (4, -5)], style)
    low, middle, high = (y for _, y in line)
    assert middle - low == pytest.approx(high - middle)
    assert {"1", "1,000", "1M"} <= words(drawing(["d", "n"], [(1, 1), (2, 10**6)], style))
    with pytest.raises(InvalidRequest, match="make no chart") as error:
        chart_of(["d", "n"], [(1, 0)], style)
    assert "above 0" in error.value.hint


def test_lines_of_a_chart_are_told_apart() -> None:
    columns = ["d", *(f"line {number} of a long name" for number in range(18))]
    rows = [range(19), range(1, 20)]
    assert len(drawn_lines(columns, rows)) == 18
    root = drawing(columns, rows)
    styles = [(path.get("stroke"), path.get("stroke-dasharray")) for path in line_elements(root)]
    assert len(set(styles)) == 18
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(styles))
    assert set(columns[1:]) <= words(root)
    with pytest.raises(InvalidRequest, match="19 lines"):
        chart_of([*columns, "one more"], [range(20)], PLAIN)
    assert len(drawn_lines(["n", "n", "n"], [(1, 2, 3), (2, 3, 4)])) == 2
    assert len(drawn_lines(["\0", "\x1b[0m<&", "'\"\\"], [(1, 2, 3)])) == 2


def test_title_and_unit_are_written_and_read_out() -> None:
    style = Style("How far <all> states are, in a title that is too long for one line & goes on", "moves")
    root = drawing(["d", "n"], [(1, 2), (2, 3)], style)
    assert root.findtext(f"{SVG}title") == style.title == root.get("aria-label")
    assert root.get("role") == "img"
    written = " ".join(words(root))
    assert "moves" in words(root)
    assert all(word in written for word in style.title.split())
    assert drawing(["d", "n"], [(1, 2)]).findtext(f"{SVG}title") == "n by d"


def test_light_and_dark() -> None:
    """An SVG follows the reader: each of its colours has another one in the dark. A dark one is dark for all."""
    rows = [range(4), range(1, 5)]
    text = svg(chart_of(["d", "a", "b", "c"], rows, Style("t")))
    (rules,) = re.findall(r"<style>@media \(prefers-color-scheme:dark\)\{(.*)\}</style>", text)
    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', text))
    assert len(used) > 5
    assert used <= set(re.findall(r'\[fill="(#[0-9a-f]{6})"\]', rules))
    dark = svg(chart_of(["d", "a", "b", "c"], rows, Style("t", dark=True)))
    assert "<style>" not in dark
    assert not used & set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', dark))


def test_a_chart_is_equal_each_time_and_is_written_as_its_name_says(tmp_path: Path) -> None:
    chart = chart_of(["d", "n"], [(1, 2), (2, 3)], PLAIN)
    assert svg(chart) == svg(chart)
    write_chart(chart, tmp_path / "x.svg")
    write_chart(chart, tmp_path / "x.png")
    assert (tmp_path / "x.svg").read_text("utf-8") == svg(chart)
    drawn = (tmp_path / "x.png").read_bytes()
    assert drawn == png(chart)
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    size = ET.fromstring(svg(chart))
    assert int.from_bytes(drawn[16:20]) == pytest.approx(2 * float(size.get("width") or 0), abs=2)


def test_where_the_extra_is_missing_the_remedy_is_named(tmp_path: Path) -> None:
    with mock.patch("puzzlebase.tools.charts.chart.find_spec", return_value=None):
        with pytest.raises(InvalidRequest, match="no vl_convert") as error:
            check_installed()
        assert "pip install 'puzzlebase[charts]'" in error.value.hint
        with pytest.raises(InvalidRequest):
            write_chart(chart_of(["d", "n"], [(1, 2)], PLAIN), tmp_path / "x.svg")
    assert not [*tmp_path.iterdir()]


LOADED = """
import sys
from puzzlebase.command_line.main import main
from puzzlebase.service.http.app import create_app
from pathlib import Path
create_app(Path("."))
sys.argv = ["puzzlebase", "sql", "SELECT 1"]
main()
print("vl_convert" in sys.modules)
"""


def test_who_draws_no_chart_does_not_load_what_draws_them(tmp_path: Path) -> None:
    """Neither the service nor a query loads vl-convert."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "False"
