"""Formulas: the numbers side by side, their sources, and all that is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from puzzlebase.plugins.formulas.answer import FormulaAnswer, formula
from puzzlebase.puzzles import UnknownPuzzle
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import build_table

pytestmark = pytest.mark.needs("panex", "hanoi")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of Hanoi."""
    folder = tmp_path_factory.mktemp("formulas")
    build_table(folder, "hanoi-nnn-3")
    return folder


def by_name(answer: FormulaAnswer) -> dict[str, dict[int, dict[str, object]]]:
    return {
        quantity["name"]: {value["n"]: {**value} for value in quantity["values"]}
        for quantity in answer["quantities"]
    }


def test_hanoi_has_all_three_ways(tables: Sources) -> None:
    answer = formula(tables, "hanoi", "nnn", "2-4")
    assert (answer["family"], answer["variant"]) == ("hanoi", "nnn")
    found = by_name(answer)
    three = {
        "n": 3,
        "recurrence": 11,
        "closed_form": 11,
        "exact": 11,
        "source": "table",
        "equal": True,
    }
    assert found["total"][3] == {**three, "ratio": 11 / 27}
    assert found["total"][4] == {
        **three, "n": 4, "recurrence": 30, "closed_form": 30, "exact": 30, "source": "oracle",
        "ratio": 30 / 81,
    }  # fmt: skip
    assert [value["recurrence"] for value in found["disk"].values()] == [1, 3, 7, 19]
    assert found["disk"][1]["closed_form"] is None
    assert [quantity["limit"] for quantity in answer["quantities"]] == ["10/33", "20/33"]
    assert (
        formula(tables, "hanoi-nnn", disks="2-4") == answer == formula(tables, "hanoi", disks="2-4")
    )
    few = formula(tables, "hanoi-nnn", disks="10, 2-3,3")["quantities"][0]["values"]
    assert [(value["n"], value["recurrence"]) for value in few] == [(2, 4), (3, 11), (10, 17984)]


@pytest.mark.slow
def test_panex_has_them_from_tables_and_from_its_oracle(tmp_path: Path) -> None:
    build_table(tmp_path, "panex-2")
    answer = formula(Sources(tmp_path), "panex", disks="1-9")
    assert answer["variant"] is None
    found = by_name(answer)
    assert [found["X"][n]["exact"] for n in (1, 2, 7, 8)] == [None, 13, 2189, 5359]
    assert [found["T"][n]["exact"] for n in (2, 8)] == [None, 836], (
        "the table is that of the exchange"
    )
    assert [found["X"][n]["source"] for n in (2, 8)] == ["table", "oracle"]
    assert (found["U"][8]["recurrence"], found["U"][8]["exact"], found["U"][8]["equal"]) == (
        5359,
        None,
        True,
    )
    assert found["S"][1] == {
        "n": 1, "recurrence": None, "closed_form": None, "exact": None, "source": None,
        "equal": None, "ratio": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "variant", "sizes", "why"),
    [
        ("hanoi", "xyz", "1", "no formulas for 'xyz'"),
        ("hanoi-rrn", None, "1", "no formulas for 'rrn'"),
        ("hanoi-nnn", "rnn", "1", "is another"),
        ("panex", "nnn", "1", "no formulas for 'nnn'"),
        ("hanoi", None, "0", "'0' are no sizes"),
        ("hanoi", None, "65", "from 1 to 64"),
        ("hanoi", None, "9-3", "'9-3' are no sizes"),
        ("hanoi", None, "1-" + "9" * 400, "no sizes"),
        ("hanoi", None, "٣", "no sizes"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tables: Sources, name: str, variant: str | None, sizes: str, why: str
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        formula(tables, name, variant, sizes)
    assert re.search(why, f"{caught.value} {caught.value.hint}")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["wheels", "", "nonesuch", "x" * 5000])
def test_families_without_formulas_are_unknown(tables: Sources, name: str) -> None:
    with pytest.raises(UnknownPuzzle, match="no formulas") as caught:
        formula(tables, name)
    assert caught.value.hint == "families that have some are: panex, hanoi"
