"""The algorithms and formulas of Hanoi:
replayed by the reference implementation, published numbers, 64 disks.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.plugins.formulas.record import Value
from puzzlebase.puzzles.families.hanoi.formulas import FORMULAS, VARIANTS, total_by_recurrence
from puzzlebase.puzzles.families.hanoi.rules import HanoiRules
from research.hanoi_algorithms.__main__ import construct, main
from tests.naive import hanoi as naive_hanoi

from .hanoi_states import solver

pytestmark = pytest.mark.needs("formulas")

TOTALS = {
    "NNR": [2, 6, 18, 52, 150, 442, 1310, 3904, 11674, 34958, 104778, 314188],
    "NBR": [2, 6, 18, 54, 158, 470, 1402, 4190, 12550, 37614, 112786, 338278],
}
"""Totals for n = 1, 2, ... of the variants that end red, from a study for this project."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_algorithms_solve_their_variant_in_as_few_moves_as_there_are(variant: str) -> None:
    for n in (1, 2, 3, 4, 6, 7):
        rules = HanoiRules(variant, n)
        state, moved = rules.start, Counter[int]()
        for move in construct(variant, n):
            top = state.split("|")["SID".index(move[0])][1:].partition(".")[0]
            moved[int(top)] += 1
            after = naive_hanoi.move(state, move, variant)
            assert after is not None, (n, state, move)
            state = after
        assert state == rules.tower(2, rules.shown_at_goal)
        assert moved.total() == solver(variant, n).distances([rules.start])[0]
        totals = [total_by_recurrence(variant, disk) for disk in range(n + 1)]
        assert [moved[disk] for disk in range(1, n + 1)] == [
            more - less for less, more in pairwise(totals)
        ]


def test_the_command_prints_what_its_document_shows(capsys: pytest.CaptureFixture[str]) -> None:
    main("NNN", 3)
    page = Path(__file__).parents[4] / "research" / "hanoi_algorithms" / "README.md"
    assert capsys.readouterr().out in page.read_text("utf-8")


def test_totals_are_the_published_ones(golden: dict[str, Any]) -> None:
    published = golden["magnetic_hanoi"]
    for variant in ("RBB", "RRB", "RBN", "NRB", "RNB", "RNN", "NNB", "NNN"):
        [total, _] = FORMULAS.quantities(variant.lower(), 1, 20)
        assert [value.recurrence for value in total.values] == published[variant][1:]
    for variant, expected in TOTALS.items():
        [total, _] = FORMULAS.quantities(variant.lower(), 1, len(expected))
        assert [value.recurrence for value in total.values] == expected


@pytest.mark.parametrize(
    "variant",
    [
        "nnn",
        *(pytest.param(variant, marks=pytest.mark.slow) for variant in FORMULAS.variants[1:-1]),
    ],
)
def test_every_way_gives_the_same_to_64_disks(variant: str) -> None:
    [total, disks] = FORMULAS.quantities(variant, 1, 64)
    assert [value.n for value in total.values] == list(range(1, 65))
    for value in total.values:
        assert value.goal == (
            f"hanoi-{variant}-{value.n}",
            HanoiRules(variant.upper(), 1).shown_at_goal.translate(WORDS),
        )
        assert value.closed_form == value.recurrence == distance(value, variant)
    for value in disks.values:
        assert value.closed_form == value.recurrence or (variant, value.n) == ("nnn", 1)
    for quantity in (total, disks):
        assert quantity.limit is not None
        assert quantity.values[-1].ratio == pytest.approx(quantity.limit, abs=1e-15)


WORDS = {ord("R"): "red", ord("B"): "blue"}


def distance(value: Value, variant: str) -> int:
    assert value.goal
    return solver(variant.upper(), value.n, value.goal[1]).distances(
        [HanoiRules(variant.upper(), value.n).start]
    )[0]


def test_the_classical_tower_by_formula() -> None:
    """2^n - 1 moves, 2^(k-1) of disk k."""
    assert FORMULAS.variants[-1] == "classical"
    [total, disks] = FORMULAS.quantities("classical", 1, 64)
    assert [value.recurrence for value in total.values] == [
        value.closed_form for value in total.values
    ]
    assert [value.recurrence for value in disks.values] == [
        value.closed_form for value in disks.values
    ]
    assert total.values[-1].recurrence == 2**64 - 1
