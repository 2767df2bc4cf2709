"""Hardest states:
their kinds agree with a reference implementation that counts all shortest solutions.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.puzzles import find
from tests import naive
from tests.commands import command, ran
from tests.fixtures import build_table
from tests.naive import Neighbours, hardest, panex, panguru, quantum
from tests.naive import hanoi as naive_hanoi
from tests.one_way import SMALL, TRIANGLE, jumps_from, reference

pytestmark = pytest.mark.needs("panex", "hanoi", "quantum", "panguru")

CASES: dict[str, Neighbours] = {
    "panex-3": panex.neighbours,
    "hanoi-nnn-5": naive_hanoi.neighbours("NNN"),
    "sliding-2x3": quantum.sliding_neighbours(3),
}


def hardest_of(data: Path, *words: str) -> dict[str, dict[str, Any]]:
    done = ran(data, *words, "--json")
    return {kind["kind"]: kind for kind in json.loads(done.stdout)["kinds"]}


def agrees(found: dict[str, dict[str, Any]], known: dict[str, int], neighbours: Neighbours) -> None:
    for name, states in hardest.kinds(known, neighbours).items():
        kind = found[name]
        counted = Counter(known[state] for state in states)
        assert kind["by_distance"] == [counted[d] for d in range(max(known.values()) + 1)], name
        distance = min(counted) if name == "local-maxima" else max(counted)
        there = {state for state in states if known[state] == distance}
        assert kind["exact"]
        assert (kind["states"], kind["distance"], kind["count"]) == (
            len(states),
            distance,
            len(there),
        ), name
        assert {*kind["named"]} <= there
        assert len({*kind["named"]}) == min(len(there), 100)


@pytest.mark.parametrize("name", CASES)
def test_each_kind_agrees_with_the_reference(tmp_path: Path, name: str) -> None:
    build_table(tmp_path, name)
    known = naive.distances(find(name).goal().states[0], CASES[name])
    agrees(hardest_of(tmp_path, "hardest", name), known, CASES[name])


@pytest.mark.needs("sql")
def test_of_a_game_each_kind_agrees_too(tmp_path: Path) -> None:
    """Its moves may be one-way, and a move to a lost state leads farther."""
    rules = tmp_path / "triangle.py"
    rules.write_text(TRIANGLE, "utf-8")
    data = tmp_path / "data"
    ran(data, "--rules", str(rules), "build", "small-triangle")
    known = {state: distance for state, distance in reference(SMALL).items() if distance >= 0}
    agrees(hardest_of(data, "--rules", str(rules), "hardest", "small-triangle"), known, jumps_from)
    maxima = Counter(known[state] for state in hardest.kinds(known, jumps_from)["local-maxima"])
    rows = json.loads(command(data, "--rules", str(rules), "sql", "local-maxima", "--json").stdout)
    assert [row["local_maxima"] for row in rows] == [maxima[row["distance"]] for row in rows]


def test_a_sample_says_that_it_is_one(tmp_path: Path) -> None:
    """Antipodes are stored, so they are exact."""
    build_table(tmp_path, "panguru-4")
    known = naive.distances(find("panguru-4").goal().states[0], panguru.neighbours)
    kinds = hardest.kinds(known, panguru.neighbours)
    words = ("hardest", "panguru-4", "--states", "1000")
    shown = command(tmp_path, *words).stdout
    assert "a sample: 1,000 random states were examined" in shown
    assert "43 in all; 43 at distance 11:" in shown
    assert "not known from a sample" in shown
    found = hardest_of(tmp_path, *words)
    assert [kind["exact"] for kind in found.values()] == [True, False, False, False]
    single = found["one-solution"]
    assert (
        single["states"] is single["by_distance"] is single["distance"] is single["count"] is None
    )
    for name in ("one-good-move", "local-maxima"):
        kind = found[name]
        assert {*kind["named"]} <= {
            state for state in kinds[name] if known[state] == kind["distance"]
        }
        share, sampled = len(kinds[name]) / len(known), kind["states"] / 1000
        assert sampled == pytest.approx(share, abs=0.064)  # four standard deviations
        assert f"{kind['states']:,} in the sample" in shown


def test_the_published_antipodes_of_the_8_puzzle(tmp_path: Path) -> None:
    build_table(tmp_path, "sliding-3x3")
    antipodes = hardest_of(tmp_path, "hardest", "sliding-3x3")["antipodes"]
    assert (antipodes["distance"], antipodes["count"]) == (31, 2)
    assert {*antipodes["named"]} == {"647850321", "867254301"}
