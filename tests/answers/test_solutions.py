"""service/answers/solutions.py: solutions and their number,
held against the reference implementation.
"""

from __future__ import annotations

import pytest

from puzzlebase.service.answers import hints, solutions
from puzzlebase.service.answers.limits import MAX_SOLUTIONS
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests import naive
from tests.fixtures import COMMON, TABLES, opened, some_states

NEIGHBOURS = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)


@pytest.mark.parametrize("name", TABLES)
def test_solutions_replay(tables: Sources, name: str) -> None:
    table = opened(tables, name)
    solved = naive.renamed(table.goal.start) if name == "avenger" else table.goal.start
    for state in [table.goal.start, *some_states(tables, name, 40)]:
        answer = solutions.solve(table, state, states=True)
        assert set(answer) == COMMON | {"solution", "states", "next"}
        assert len(answer["solution"]) == answer["distance"]
        passed = [state]
        for move in answer["solution"]:
            passed.append(naive.turn(passed[-1], move))
        assert answer["states"] == passed
        assert (naive.renamed(passed[-1]) if name == "avenger" else passed[-1]) == solved
        assert "states" not in solutions.solve(table, state)


def test_a_solved_state_is_solved(tables: Sources) -> None:
    avenger = opened(tables, "avenger")
    for state in (".AAA.BBB.CCC.DDD.EEE.", ".CCC.AAA.BBB.eee.XXX."):
        answer = solutions.solve(avenger, state, states=True, all=5)
        assert (answer["distance"], answer["solution"], answer["solvable"]) == (0, [], True)
        assert (answer["states"], answer["solutions"], answer["optimal_count"]) == (
            [state],
            [[]],
            1,
        )
        assert hints.hint(avenger, state, 4)["solution"] == []


@pytest.mark.slow
def test_all_solutions_agree_with_the_reference(tables: Sources, known: dict[str, int]) -> None:
    """Every novice state at distance up to 4, and a sample beyond."""
    novice = opened(tables, "novice")
    layers: dict[int, list[str]] = {}
    for state, distance in known.items():
        layers.setdefault(distance, []).append(state)
    for distance, states in layers.items():
        for state in states if distance <= 4 else states[:: len(states) // 6 + 1]:
            expected = naive.shortest(state, known, NEIGHBOURS)
            answer = solutions.solve(novice, state, all=MAX_SOLUTIONS)
            assert answer["solutions"] == expected[:MAX_SOLUTIONS]
            assert answer["optimal_count"] == len(expected)
            assert answer["solution"] == expected[0]


def test_counts_are_exact_beyond_64_bits_and_bounded(
    tables: Sources, known: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    novice = opened(tables, "novice")
    state = max(known, key=known.__getitem__)
    index = novice.index(state)
    expected = len(naive.shortest(state, known, NEIGHBOURS))
    monkeypatch.setattr("puzzlebase.service.sources.source._SAFE_IN_INT64", 1)
    assert novice.optimal_count(index, known[state]) == expected
    monkeypatch.setattr(OpenTable, "max_counted_states", 20)
    assert novice.optimal_count(index, known[state]) is None
    assert solutions.solve(novice, state, all=1)["optimal_count"] is None


def test_pages_of_a_solution_join(tables: Sources) -> None:
    avenger = opened(tables, "avenger")
    for state in some_states(tables, "avenger", 5):
        whole = solutions.solve(avenger, state, states=True)
        assert whole["next"] is None
        moves: list[str] = []
        offset: int | None = 0
        while offset is not None:
            page = solutions.solve(avenger, state, states=True, offset=offset, limit=5)
            assert page["states"] == whole["states"][offset : offset + 6]
            moves += page["solution"]
            offset = page["next"]
        assert moves == whole["solution"]
        for first in (12, 4, 8, 9, 3, 99, 0):
            assert (
                solutions.solve(avenger, state, offset=first, limit=2)["solution"]
                == moves[first : first + 2]
            )


def test_all_is_refused_by_what_there_is_not_by_what_is_asked(
    tables: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand solutions may be asked for where there is one."""
    novice = opened(tables, "novice")
    answers = [
        solutions.solve(novice, state, all=1) for state in some_states(tables, "novice", 300)
    ]
    single = next(
        answer for answer in answers if answer["optimal_count"] == 1 and answer["distance"]
    )
    several = next(answer for answer in answers if answer["optimal_count"] == 2)
    monkeypatch.setattr(OpenTable, "max_listed_moves", len(single["solution"]))
    assert solutions.solve(novice, single["state"], all=1000)["solutions"] == [single["solution"]]
    monkeypatch.setattr(OpenTable, "max_listed_moves", 2 * len(several["solution"]) - 1)
    with pytest.raises(
        InvalidRequest, match=r"^2 solutions of \d+ moves are too long for one answer"
    ):
        solutions.solve(novice, several["state"], all=1000)
