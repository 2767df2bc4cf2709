"""Histograms from one phase to the next: of the states of a set alone, to another set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzlebase
from puzzlebase.plugins.definitions.tests.small_definitions import SMALL, definitions_from
from puzzlebase.puzzles import ImpossibleState
from puzzlebase.service.error_status import InvalidRequest
from tests.commands import command
from tests.fixtures import app_over, build_table
from tests.matrix import only
from tests.naive.definition import NaiveDefinition

# Four pieces with two orientations each, all different.
TEXT = """Set C 4 2
Solved
End
Move R
C
2 3 1 4
1 1 0 0
End
Move L
C
1 3 4 2
0 1 0 1
End
"""
CASES = {
    "the goal has more": ("A0B0????", "A0??????"),
    "the set has more": ("A0??????", "A0B0????"),
    "one has turns, the other pieces": ("?0?0?0?0", "A?B?C?D?"),
    "several": ("A0B0C0D0", "A0B0????|????A0B0"),
    "all": ("A0??????", "????????"),
    "all that moves lead to": ("A?B?C?D?", "<R>"),
}


# few of the states that sums allow, and all
TEXTS = {"ring": TEXT, "corners": SMALL["corners"].text}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.tws").write_text(text, "utf-8")
    with definitions_from(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("name", only("ring".__eq__, TEXTS))
@pytest.mark.parametrize("case", CASES)
def test_states_of_the_set_are_counted(folder: Path, case: str, name: str) -> None:
    """One state stands for all that neither set tells apart: equally many."""
    goal, start = CASES[case]
    naive = NaiveDefinition(TEXTS[name])
    known, inside = naive.distances(goal=goal), naive.distances(goal=start)
    alone = Counter(known[state] for state, distance in inside.items() if not distance)
    build_table(folder, name, goal)
    found = puzzlebase.open(name, goal=goal, data=folder).histogram(from_=start)
    share, rest = divmod(sum(alone.values()), found["states"])
    assert not rest
    assert [share * states for states in found["layers"]] == [
        alone[each] for each in range(max(alone) + 1)
    ]
    assert found["gods_number"] == max(alone)


def test_every_face_has_it(folder: Path) -> None:
    goal, start = CASES["the goal has more"]
    build_table(folder, "ring", goal)
    expected = puzzlebase.open("ring", goal=goal, data=folder).histogram(from_=start)
    query = {"goal": goal, "from": start}
    assert (
        app_over(folder)
        .test_client()
        .get("/v1/puzzles/ring/histogram", query_string=query)
        .get_json()
        == expected
    )
    printed = command(
        folder, "histogram", "ring", "--goal", goal, "--from", start, "--puzzles", str(folder)
    ).stdout
    assert f"{expected['states']} states, God's number {expected['gods_number']}" in printed


def test_puzzles_without_sets_say_so(data: Path) -> None:
    with pytest.raises(InvalidRequest, match="novice has no sets of states"):
        puzzlebase.open("novice", data=data).histogram(from_="????")


def test_no_state_of_the_set_is_an_error(folder: Path) -> None:
    build_table(folder, "ring", "A0B0????")
    table = puzzlebase.open("ring", goal="A0B0????", data=folder)
    assert table.histogram(from_="solved")["layers"] == [1]
    with pytest.raises(ImpossibleState, match="no moves lead to"):
        table.histogram(from_="A1B0C0D0")
