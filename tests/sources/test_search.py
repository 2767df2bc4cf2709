"""service/sources/search.py and bidirectional.py:
with the table hidden, a search says what the table would.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from puzzlebase.builder import LayersJob
from puzzlebase.puzzles import UNREACHED, ImpossibleState, Signed, find
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.answers import grades, hints, lookups, solutions, whole_tables
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import TABLES, quiet_job
from tests.matrix import only
from tests.puzzles.enumerating import all_distances, distances_of
from tests.slowness import slowness

NAMES = (
    "novice",
    "novice-sixths",
    "challenger",
    "avenger",
    "panex-3",
    "panex-4",
    "panguru-4",
    "hanoi-nnn-5",
    "hanoi-rbb-5",
    "quantum-2x2-1",
    "quantum-2x2-3",
    "quantum-2x2-3-bulk",
    "sliding-2x3",
    "sliding-3x3",
)
KINDS = {"novice", "challenger", "panex-4", "hanoi-nnn-5", "quantum-2x2-3", "sliding-3x3"}
_DISTANCES = 25
Golden = dict[str, Any]
NOWHERE = Path("/nonexistent")


@cache
def searchable(name: str, goal: str | None = None, data: Path = NOWHERE) -> Searchable:
    """A puzzle without any table, and without layers but those in the folder."""
    puzzle = find(name)
    aim = puzzle.goal(goal)
    return Searchable.of(puzzle, aim, Sources(data).folder.layers.find(puzzle, aim))


def searched(
    name: str, goal: str | None = None, data: Path = NOWHERE, **budget: float
) -> OpenSearch:
    return OpenSearch(searchable(name, goal, data), Budget(**budget))  # type: ignore[arg-type]


class Whole(NamedTuple):
    """Every distance, found the plain way."""

    distances: Signed

    def some(self, count: int, seed: int = 3) -> list[int]:
        """Random states of every distance, of many distances of some;
        also such as cannot reach the goal.
        """
        rng = np.random.default_rng(seed)
        chosen = []
        there = np.unique(self.distances)
        for distance in there[
            np.unique(np.linspace(0, len(there) - 1, _DISTANCES).astype(int))
        ].tolist():
            states = np.flatnonzero(self.distances == distance)
            chosen.extend(rng.choice(states, min(count, len(states)), replace=False).tolist())
        return chosen


def agrees(source: OpenSearch, whole: Whole, index: int) -> None:
    """Distance, optimal moves and the whole answer about a state are those of the whole table."""
    expected = int(whole.distances[index])
    text = source.puzzle.text(index, source.goal)
    answer = lookups.lookup(source, text)
    assert (answer["distance"], answer["exact"], answer["source"]) == (
        expected if expected >= 0 else None,
        True,
        "search",
    )
    assert answer["solvable"] == (expected >= 0)
    after = source.space.expand(np.array([index]))[0]
    legal = after >= 0
    optimal = {
        source.puzzle.moves[m].name
        for m in np.flatnonzero(legal & (whole.distances[after] == expected - 1))
    }
    if expected < 0:
        optimal = set()
    assert {move["move"] for move in answer["moves"] if move["optimal"]} == optimal
    assert len(answer["moves"]) == legal.sum()
    for move in answer["moves"]:
        to = int(whole.distances[source.puzzle.index(move["state"], source.goal)])
        assert move["distance"] in {None, to}, "a distance that is given is right"
        assert move["optimal"] == (0 <= to < expected)
        assert move["distance"] is not None or not move["optimal"]


def whole_of(name: str, tables: Sources) -> Whole:
    """From the table where there is one."""
    if name in TABLES:
        table = tables.table(name)
        return Whole(table.space.distance_range(0, table.space.size, table.table.range))
    return Whole(distances_of(name))


@pytest.mark.needs("panex", "hanoi", "quantum")
@pytest.mark.slow
@pytest.mark.parametrize("name", only(KINDS.__contains__, NAMES))
def test_search_agrees_with_every_distance(name: str, tables: Sources) -> None:
    whole = whole_of(name, tables)
    for index in whole.some(1):
        agrees(searched(name), whole, index)


@pytest.mark.needs("panex", "quantum")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth"),
    only(
        lambda case: case[0] in {"novice", "panex-4"},
        [("novice", 5), ("avenger", 6), ("panex-4", 40), ("quantum-2x2-3", 3)],
    ),
)
def test_search_from_stored_layers(name: str, depth: int, tables: Sources, tmp_path: Path) -> None:
    puzzle = find(name)
    quiet_job(LayersJob, puzzle, tmp_path, depth=depth).build()
    source = searched(name, data=tmp_path)
    assert (
        len(searchable(name, data=tmp_path).goal_layers) == depth + 1 - source.space.storage.offset
    )
    whole = whole_of(name, tables)
    for index in whole.some(2):
        agrees(searched(name, data=tmp_path), whole, index)


@pytest.mark.needs("panex", "hanoi", "quantum")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "goal"),
    [
        ("novice", "RRRBBBBBBBBBBBBRRRRRR"),
        ("panex-4", "ABCD||abcd"),
        ("panex-4", "sink"),
        ("panex-4", "bcd|aA|BCD"),
        ("hanoi-nnn-4", "R1|B3.2|R4"),
        ("quantum-2x2-2", "1,1,0,0/1,0,1,0/0,1,1,0/0,0,0,2"),
        ("sliding-2x3", "120453"),
    ],
)
def test_any_state_is_a_goal(name: str, goal: str) -> None:
    puzzle = find(name)
    source = searched(name, goal)
    assert source.goal.states == puzzle.goal(goal).states
    assert puzzle.goal(puzzle.goal(goal).key) == puzzle.goal(goal), "a key stands for its goal"
    whole = Whole(all_distances(source.space))
    for index in whole.some(1):
        agrees(searched(name, goal), whole, index)


@pytest.mark.slow
def test_solutions_their_number_hints_and_grades_are_those_of_the_table(tables: Sources) -> None:
    table, hidden = tables.table("avenger"), searchable("avenger")
    rng = np.random.default_rng(5)
    for index in rng.integers(0, table.space.size, 12).tolist():
        text = table.puzzle.text(index, table.goal)
        source = OpenSearch(hidden, Budget())
        by_search, by_table = (
            solutions.solve(source, text, all=5),
            solutions.solve(table, text, all=5),
        )
        assert by_search == {**by_table, "source": "search"}
        for level in (1, 2, 3, 4):
            by_search, by_table = hints.hint(source, text, level), hints.hint(table, text, level)  # type: ignore[assignment]
            assert by_search == {**by_table, "source": "search"}
        moves = [*by_table["solution"][:3], "L", "R", "L'"]
        graded, expected = (
            grades.grade(source, text, moves=moves),
            grades.grade(table, text, moves=moves),
        )
        assert graded == {**expected, "source": "search"}


def test_a_batch_shares_one_budget() -> None:
    puzzle = find("novice")
    texts = [puzzle.text(index, puzzle.goal()) for index in (5, 50_000, 90_000)]
    whole: list[Any] = lookup_batch(searched("novice"), [*texts, "nonsense"])["results"]
    assert [entry["exact"] for entry in whole[:-1]] == [True] * 3
    assert whole[-1]["problem"]["status"] == 400
    short: list[Any] = lookup_batch(searched("novice", states=40), texts)["results"]
    assert [entry["exact"] for entry in short].count(False) >= 2


@pytest.mark.needs("hanoi")
def test_what_a_stopped_search_answers() -> None:
    start = find("hanoi-nnn-8").goal().start
    source = searched("hanoi-nnn-8", states=10)
    assert source.distance(source.index(start)) == UNKNOWN
    solved = solutions.solve(searched("hanoi-nnn-8", states=10), start, all=2)
    assert (solved["solution"], solved["solutions"], solved["optimal_count"]) == ([], [], None)
    assert (solved["solvable"], solved["exact"]) == (None, False), (
        "not every state of this puzzle can be solved"
    )
    hint = hints.hint(searched("hanoi-nnn-8", states=10), start, 4)
    assert (hint["groups"], hint["move"], hint["solution"]) == ([], None, [])
    graded = grades.grade(searched("hanoi-nnn-8", states=10), start, moves=["SI", "SD"])
    assert (graded["stars"], graded["wasted"], graded["first_mistake"]) == (0, None, None)
    assert [step["optimal"] for step in graded["steps"]] == [None, None]


@pytest.mark.needs("hanoi")
def test_a_goal_out_of_reach() -> None:
    name, goal = "hanoi-rrn-3", find("hanoi-rrn-3").goal("red")
    whole = Whole(distances_of(name, "red"))
    assert {UNREACHED, 0} <= {*whole.distances.tolist()}
    for index in whole.some(3):
        agrees(searched(name, "red"), whole, index)
    apart = find(name).text(int(np.flatnonzero(whole.distances == UNREACHED)[0]), goal)
    answer = solutions.solve(searched(name, "red"), apart)
    assert (answer["solvable"], answer["distance"], answer["exact"], answer["lower_bound"]) == (
        False,
        None,
        True,
        None,
    )
    odd = "213456780"  # two tiles of the solved 8-puzzle exchanged: in the other half
    answer = solutions.solve(searched("sliding-3x3"), odd)
    assert (answer["solvable"], answer["distance"], answer["exact"]) == (False, None, True)


@pytest.mark.needs("hanoi")
@pytest.mark.parametrize(
    ("name", "moves"),
    [("hanoi-rbn-7", 1001), pytest.param("hanoi-rbn-11", 80565, marks=pytest.mark.matrix)],
)
def test_thousands_of_thin_layers_take_no_time_each(name: str, moves: int) -> None:
    """Published lengths (OEIS A183112).
    To count the vertices of all layers for each new one took 129 s, not 5.
    """
    began = time.process_time()
    search = searched(name)
    assert search.distance(search.index(find(name).goal().start)) == moves
    assert time.process_time() - began < 60 * slowness()


@pytest.mark.needs("hanoi")
def test_a_state_that_the_start_does_not_lead_to_is_no_goal() -> None:
    with pytest.raises(
        ImpossibleState,
        match="cannot be reached from 'B2.1||', so it is no goal".replace("|", r"\|"),
    ):
        searched("hanoi-bbb-2", "|B2.1|")


def test_a_goal_equal_to_the_state() -> None:
    text = "RRRBBBBBBBBBBBBRRRRRR"
    answer = lookups.lookup(searched("novice", text, states=0), text)
    assert (answer["distance"], answer["solvable"]) == (0, True)
    assert {move["distance"] for move in answer["moves"]} <= {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["avenger", "turnstile"])
def test_the_scrambles_published_need_as_many_moves_as_published(name: str, golden: Golden) -> None:
    solved = find(name).goal().start
    for line in golden["turnstile_scrambles"]["solutions"]:
        state = solved
        for move in reversed(str(line["turnstile"]).split()):
            state = naive.turn(state, _back(move))
        answer = solutions.solve(searched(name), state)
        assert (answer["distance"], answer["exact"]) == (line[f"{name}_optimum"], True)
        for move in answer["solution"]:
            state = naive.turn(state, move)
        assert (
            (naive.renamed(state) == naive.renamed(solved))
            if name == "avenger"
            else (state == solved)
        )


def _back(move: str) -> str:
    return (
        move.removesuffix("'") if move.endswith("'") else move if move.endswith("3") else f"{move}'"
    )


@pytest.mark.slow
def test_budgets_end_in_a_proven_bound(tables: Sources) -> None:
    name = "avenger"
    text = whole_tables.antipodes(tables.table(name), 0, 1)["states"][0]
    bounds = []
    for states in (0, 1, 100, 10_000, 10**9):
        answer = lookups.lookup(searched(name, states=states), text)
        assert answer["exact"] == (answer["distance"] is not None)
        assert answer["solvable"] is True
        assert answer["upper_bound"] == answer["distance"]
        assert answer["lower_bound"] is not None
        assert answer["lower_bound"] <= 15
        if not answer["exact"]:
            assert {move["optimal"] for move in answer["moves"]} == {None}
            assert {move["delta"] for move in answer["moves"]} == {None}
        bounds.append(answer["lower_bound"])
    assert bounds == sorted(bounds)
    assert bounds[0] >= 1
    assert bounds[-1] == 15
    assert lookups.lookup(searched(name, seconds=0), text)["exact"] is False
    assert lookups.lookup(searched(name, memory=1000), text)["lower_bound"] in range(2, 15)
    solved = find(name).goal().start
    assert lookups.lookup(searched(name, states=0), solved)["distance"] == 0, "that takes no search"
