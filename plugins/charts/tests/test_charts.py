"""plugins/charts: the lines of a chart and their places, as they stand in the drawn SVG."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree as ET

import pytest

from puzzlebase.plugins.charts.chart import check_installed, specification, write_chart
from puzzlebase.service.error_status import InvalidRequest
from tests.waiting import PATIENCE

SVG = "{http://www.w3.org/2000/svg}"
LARGE = 1.7976931348623157e308


def drawing(folder: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]], **look: Any) -> ET.Element:
    write_chart(folder / "drawn.svg", columns, rows, **look)
    return ET.parse(folder / "drawn.svg").getroot()


def drawn_lines(root: ET.Element) -> list[list[tuple[float, float]]]:
    """The points of each line of a chart; nothing of it may lie outside the picture."""
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    marks = [group for group in root.iter(f"{SVG}g") if "mark-line" in group.get("class", "").split()]
    lines = []
    for path in [path for group in marks for path in group.iter(f"{SVG}path") if path.get("d")]:
        numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", (path.get("d") or "").removesuffix("Z"))
        lines.append([(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)])
    assert all(0 <= x <= width and 0 <= y <= height for line in lines for x, y in line)
    return lines


def words(root: ET.Element) -> set[str]:
    """All that is written on a chart."""
    return {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}


def test_a_chart_has_a_line_for_each_column_of_numbers(tmp_path: Path) -> None:
    columns, rows = ["d", "a<b", "word", "\0none"], [(0, 1, "x", None), (5, 3.5, "y", 1), (10, 2, "z", 7)]
    root = drawing(tmp_path, columns, rows, title="How far they are", unit="moves")
    first, second = drawn_lines(root)
    (left, _), (middle, _), (right, _) = first
    assert 2 * middle == pytest.approx(left + right)
    assert [x for x, _ in second] == pytest.approx([middle, right])
    assert first[0][1] > first[2][1] > first[1][1] > second[1][1] >= 0
    assert first[0][1] == pytest.approx(second[0][1])
    assert {"0", "10", "d", "a<b", "\ufffdnone", "How far they are", "moves"} <= words(root)
    assert "word" not in words(root)
    for few in ([], [("a", 1)], [(1, "a")], [(1, None)], [(None, 1)], [(math.nan, 1)], [(1, math.inf)]):
        with pytest.raises(InvalidRequest, match="make no chart"):
            drawing(tmp_path, ["d", "n"], few)


@pytest.mark.parametrize(
    "values",
    [
        [0, 0, 0],
        [Decimal("1.5"), Decimal("-2.25"), None],
        [1e300, -1e300, 0],
        [5e-324, 0, -5e-324],
        [1, 1 + 1e-15, 1 + 2e-15],
    ],
)
def test_charts_of_any_finite_numbers(tmp_path: Path, values: list[Any]) -> None:
    known = [value for value in values if value is not None]
    (line,) = drawn_lines(drawing(tmp_path, ["d", "n"], list(enumerate(values))))
    assert len(line) == len(known)
    heights = [(-value, y) for value, (_, y) in zip(known, line, strict=True)]
    assert [y for _, y in sorted(heights)] == sorted(y for _, y in heights)


def test_what_is_not_finite_is_not_drawn() -> None:
    for value in (math.nan, math.inf, LARGE, 10**400, Decimal("NaN"), None):
        rows = [(1, 2, 3), (2, value, 3), (3, 4, 5), (value, 5, 6)]
        described = specification(["d", "n", "m"], rows, "", "", log=False)
        points = [(each["line"], each["x"], each["y"]) for each in described["data"]["values"]]
        assert points == [(0, 1, 2), (0, 3, 4), (1, 1, 3), (1, 2, 3), (1, 3, 5)]


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors(tmp_path: Path) -> None:
    root = drawing(tmp_path, ["d", "n"], [(0, 0), (1, 1), (2, 1000), (3, 10**6), (4, -5)], log=True)
    ((_, low), (_, middle), (_, high)) = drawn_lines(root)[0]
    assert middle - low == pytest.approx(high - middle)
    with pytest.raises(InvalidRequest, match="make no chart") as error:
        drawing(tmp_path, ["d", "n"], [(1, 0)], log=True)
    assert "above 0" in error.value.hint


def test_a_chart_has_at_most_twenty_lines(tmp_path: Path) -> None:
    rows = [range(21), range(1, 22)]
    root = drawing(tmp_path, ["d", *["a name"] * 20], rows)
    marks = [group for group in root.iter(f"{SVG}g") if "mark-line" in group.get("class", "").split()]
    assert len({path.get("stroke") for group in marks for path in group.iter(f"{SVG}path")}) == 20
    with pytest.raises(InvalidRequest, match="21 lines"):
        drawing(tmp_path, ["d", *["a name"] * 21], [range(22)])


def test_a_png_is_drawn_too(tmp_path: Path) -> None:
    write_chart(tmp_path / "x.png", ["d", "n"], [(1, 2), (2, 3)])
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_where_the_extra_is_missing_the_remedy_is_named() -> None:
    with (
        mock.patch("puzzlebase.plugins.charts.chart.find_spec", return_value=None),
        pytest.raises(InvalidRequest, match="no vl_convert") as error,
    ):
        check_installed()
    assert "pip install 'puzzlebase[charts]'" in error.value.hint


LOADED = """
import sys
from puzzlebase.command_line.main import main
sys.argv = ["puzzlebase", "sql", "SELECT 1"]
main()
print("vl_convert" in sys.modules)
"""


def test_who_draws_no_chart_does_not_load_what_draws_them(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "False"
