"""README.md: its programs print what it shows, and its algorithms are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlebase.puzzles.families.hanoi import formulas

pytestmark = pytest.mark.needs("formulas")

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "puzzles" / "families" / "hanoi" / "README.md").read_text("utf-8")
PROGRAMS = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE
)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_programs_print_what_the_document_shows(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    program, shown = PROGRAMS[number]
    exec(program, {})
    assert capsys.readouterr().out == shown
    assert len(PROGRAMS) == 4


def test_the_algorithms_are_those_of_the_program() -> None:
    rows = dict(re.findall(r"^\| ([RBN]{3}) \| (`.*`) \|$", PAGE, re.MULTILINE))
    assert {variant: row.replace("`", "") for variant, row in rows.items()} == formulas.ALGORITHMS


def test_the_closed_forms_are_those_of_the_program() -> None:
    shown = {}
    for variant, s, c, w in re.findall(
        r"^([RBN]{3}): s = (\S+), c = (\S+), w = (.*)$", PAGE, re.MULTILINE
    ):
        shown["RBB" if variant == "RRB" else variant] = f"{s} {c} {w}"
    assert shown == formulas._CLOSED
