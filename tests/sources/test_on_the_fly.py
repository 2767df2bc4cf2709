"""Definitions too large to number: searches that number the states they meet."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.plugins.definitions.tests.small_definitions import SMALL, whole_cube, written
from puzzlebase.puzzles import Goal, ImpossibleState, NoSpace, Puzzle, Space, find
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.discovery import discover_definitions, forget
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.answers import lookups, solutions
from tests.fixtures import searching
from tests.naive.definition import NaiveDefinition

LARGE = "cube"

PAIRS = "pairs"
"""Sixty places in a ring with two pieces of each kind:
so large too, and without patterns, since pieces are alike.
"""

RING = " ".join(str(place) for place in (*range(2, 61), 1))
"""The places that the pieces of a ring come from when it turns."""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with the small definitions and the whole cube,
    that definitions are read from while a test runs.
    """
    for name, case in SMALL.items():
        written(tmp_path, name, case.text)
    written(tmp_path, LARGE, whole_cube())
    kinds, swap = (
        " ".join(str(place // 2 + 1) for place in range(60)),
        "2 1 " + " ".join(map(str, range(3, 61))),
    )
    lines = (
        f"Set A 60 1 / Solved / A / {kinds} / End / Move R / A / {RING} / End / Move S / A / "
        f"{swap} / End"
    )
    written(tmp_path, PAIRS, lines.replace(" / ", "\n"))
    monkeypatch.setenv("PUZZLEBASE_PUZZLES", str(tmp_path))
    discover_definitions(tmp_path)
    yield
    monkeypatch.undo()
    forget()


def without_numbers(name: str) -> Puzzle:
    """A puzzle as if it had too many states."""

    def none(_goal: Goal) -> Space:
        raise NoSpace(name, "")

    puzzle = find(name)
    assert puzzle.index_side
    return replace(puzzle, index_side=replace(puzzle.index_side, space=none))


@pytest.mark.parametrize("name", SMALL)
def test_a_search_says_what_the_twin_says(name: str) -> None:
    """Distances and all optimal moves,
    one search after the other on one budget and each on its own.
    """
    puzzle, naive = without_numbers(name), NaiveDefinition(SMALL[name].text)
    known = naive.distances(powers=True)
    one = searching(puzzle)
    assert one.space.grows
    for text in random.Random(4).sample(sorted(known), min(len(known), 12)):
        for source in (one, searching(puzzle)):
            answer = lookups.lookup(source, text)
            assert (answer["distance"], answer["exact"], answer["solvable"]) == (
                known[text],
                True,
                True,
            )
            optimal = {
                m.name for m in puzzle.moves if known[puzzle.play(text, m.name)] == known[text] - 1
            }
            assert {move["move"] for move in answer["moves"] if move["optimal"]} == optimal
        assert len(solutions.solve(one, text)["solution"]) == known[text]


def test_states_that_moves_cannot_lead_to_are_said_to_be_unsolvable() -> None:
    solved = find(LARGE).goal().start
    source = searching(find(LARGE))
    corners, edges = solved.split("-")
    for state in (
        f"{corners}-{edges[:-1]}1",
        f"A1{corners[2:]}-{edges}",
        f"{corners[2:4]}{corners[:2]}{corners[4:]}-{edges}",
    ):
        answer = lookups.lookup(source, state)
        assert (answer["solvable"], answer["distance"], answer["exact"]) == (False, None, True)
        with pytest.raises(ImpossibleState):
            searching(find(LARGE), state)
    with pytest.raises(NoSpace, match="43,252,003,274,489,856,000 states"):
        find(LARGE).space(find(LARGE).goal())


def test_a_space_that_is_full_ends_a_search() -> None:
    puzzle = find(LARGE)
    state = puzzle.goal().start
    for move in "R U F L D B R U F L D B".split():
        state = puzzle.play(state, move)
    source = searching(puzzle, memory=1 << 20)
    index = source.index(state)
    assert source.distance(index) == UNKNOWN
    assert 4 <= source.lower_bound(index) <= 12
    assert puzzle.index_side
    assert puzzle.index_side.on_the_fly
    space = puzzle.index_side.on_the_fly(puzzle.goal(), 1000)
    with pytest.raises(TooManyStates):
        space.expand(np.zeros(4, np.int64))
