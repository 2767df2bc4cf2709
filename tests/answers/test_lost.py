"""Answers of one-way puzzles: which states are lost,
where a game was lost, and how many moves to take back.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.builder import TableJob
from puzzlebase.db.errors import MissingTable
from puzzlebase.db.table import Table
from puzzlebase.plugins.definitions.rules_puzzles import rules_puzzle
from puzzlebase.service.answers import batches, grades, hints, lookups, whole_tables
from puzzlebase.service.answers.random_states import random_state
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import COMMON, build_table, opened, quiet_job, searching
from tests.naive import reversal
from tests.one_way import SMALL, installed, jumps_from, on_directed, reference, triangle

FEW = reference(SMALL)
OUTSIDE = "0" * 14 + "1"
"""One peg, so it is solved; but no jumps lead to it from the start."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the tables of both triangles, which `find` knows."""
    with installed(tmp_path_factory.mktemp("pegs")):
        folder = tmp_path_factory.mktemp("data")
        for name in ("triangle", "small-triangle"):
            build_table(folder, name)
        yield folder


@pytest.fixture(params=["table", "search"])
def source(request: pytest.FixtureRequest, tables: Sources) -> Source:
    """The small triangle, from its table and by searches."""
    if request.param == "table":
        return opened(tables, "small-triangle")
    return searching(triangle("small-triangle", SMALL))


def table_of(job: TableJob) -> OpenTable:
    return OpenTable(job.puzzle, job.goal, job.space, Table(job.build()))


def games(
    known: dict[str, int], start: str, count: int, seed: int = 3
) -> Iterator[tuple[list[str], list[str]]]:
    """Random games, played to their end or not: the moves, and the states passed."""
    chance = random.Random(seed)
    for _ in range(count):
        moves, states = [], [start]
        while (legal := [*jumps_from(states[-1])]) and chance.random() < 0.95:
            best = [jump for jump in legal if known[jump[1]] >= 0]
            move, after = chance.choice(best if best and chance.random() < 0.8 else legal)
            moves.append(move)
            states.append(after)
        yield moves, states


def check_lookup(answer: Any, known: dict[str, int], *, every: bool) -> None:
    """A lookup agrees with the reference;
    behind moves that are not optimal a search may know nothing.
    """
    distance = known[answer["state"]]
    assert answer["lost"] == (distance < 0) == (not answer["solvable"])
    assert answer["distance"] == (None if distance < 0 else distance)
    assert answer["exact"]
    after = dict(jumps_from(answer["state"]))
    assert {move["move"]: move["state"] for move in answer["moves"]} == after
    for move in answer["moves"]:
        to = known[move["state"]]
        best = distance > 0 and to == distance - 1
        assert move["optimal"] == best
        if every or best or distance < 0:
            assert (move["lost"], move["distance"]) == (to < 0, None if to < 0 else to)
            assert move["delta"] == (None if to < 0 or distance < 0 else to - distance)
        else:
            assert (move["lost"], move["distance"], move["delta"]) in (
                (None, None, None),
                (to < 0, None if to < 0 else to, None if to < 0 else to - distance),
            )


def test_every_state_from_every_source(source: Source) -> None:
    for state in FEW:
        check_lookup(lookups.lookup(source, state), FEW, every=source.origin.name == "table")


def test_a_state_that_the_start_does_not_lead_to_is_not_called_lost(source: Source) -> None:
    facts: dict[str, object] = {"solvable": True, "lost": False, "distance": 0}
    if source.origin.name == "table":
        facts = {"solvable": None, "lost": None, "distance": None, "lower_bound": 0}
    assert lookups.lookup(source, OUTSIDE).items() >= facts.items()
    assert batches.lookup_batch(source, [OUTSIDE])["results"][0].items() >= facts.items()
    illegal = grades.grade(source, SMALL, states=[OUTSIDE])["illegal"]
    assert illegal
    assert illegal["step"] == 1


def test_where_a_game_was_lost_and_how_many_moves_to_take_back(source: Source) -> None:
    seen = set()
    for moves, states in games(FEW, SMALL, 60):
        lost = next((step for step, state in enumerate(states) if FEW[state] < 0), None)
        before = states[lost - 1] if lost else ""
        best = (
            {move for move, after in jumps_from(before) if FEW[after] == FEW[before] - 1}
            if lost
            else set()
        )
        graded = grades.grade(source, SMALL, moves=moves)
        found = graded["lost_at"]
        assert found == grades.grade(source, SMALL, states=states)["lost_at"]
        assert (found and {**found, "better": {*found["better"]}}) == (
            {"step": lost, "played": moves[lost - 1], "better": best} if lost else None
        )
        assert [step["lost"] for step in graded["steps"]] == [
            FEW[state] < 0 for state in states[1:]
        ]
        assert graded["solved"] == (FEW[states[-1]] == 0)
        helped = hints.hint(source, SMALL, 1, moves)
        assert (helped["state"], helped["lost"]) == (states[-1], FEW[states[-1]] < 0)
        assert helped["take_back"] == (len(states) - lost if lost else 0)
        assert set(helped) == COMMON | {"level", "lost", "take_back"}
        seen.add((helped["take_back"] or 0) > 1)
        if found and lost:
            assert grades.grade(source, before, moves=moves[lost - 1 :])["lost_at"] == {
                **found,
                "step": 1,
            }
            late = grades.grade(source, states[lost], moves=moves[lost:])
            assert (late["lost_at"], late["lost"], late["first_mistake"]) == (None, True, None)
            assert hints.hint(source, states[lost], 4, moves[lost:])["take_back"] is None
    assert seen == {False, True}


def test_what_a_search_gave_up_on_is_not_known() -> None:
    puzzle = triangle()
    every = reference(reversal.ALL_BUT_THE_TOP)
    [moves, states] = next(
        game for game in games(every, reversal.ALL_BUT_THE_TOP, 99) if every[game[1][4:][0]] < 0
    )
    given_up = lookups.lookup(searching(puzzle, states=1), states[0])
    assert (
        given_up["solvable"],
        given_up["lost"],
        {move["lost"] for move in given_up["moves"]},
    ) == (
        None,
        None,
        {None},
    )
    assert hints.hint(searching(puzzle, states=1), states[0], 1)["take_back"] is None
    known = hints.hint(searching(puzzle), states[0], 1, moves)
    assert known["take_back"] == sum(every[state] < 0 for state in states)
    graded = grades.grade(searching(puzzle, states=1), states[0], moves=moves)
    assert (graded["lost"], graded["lost_at"]) == (None, None)
    few = searching(puzzle)
    [lost] = few.distances_of([few.index(states[-1])])
    assert lost == -1
    few.budget.stop()
    assert hints.hint(few, states[0], 1, moves)["take_back"] is None, (
        "the states before are not known"
    )


def test_the_histogram_counts_the_lost_apart(tables: Sources) -> None:
    for name, known in (("triangle", reference(reversal.ALL_BUT_THE_TOP)), ("small-triangle", FEW)):
        answer = whole_tables.histogram(opened(tables, name))
        won = [distance for distance in known.values() if distance >= 0]
        assert answer["layers"] == np.bincount(won).tolist()
        assert (answer["states"], answer["lost"]) == (len(won), len(known) - len(won))
        assert answer["mean"] == pytest.approx(np.mean(won))


def test_a_random_state_can_be_won_unless_lost_ones_are_asked_for(tables: Sources) -> None:
    table = opened(tables, "small-triangle")
    lost = [state for state, distance in FEW.items() if distance < 0]
    found = [table.puzzle.text(table.locate(-1, -1, rank), table.goal) for rank in range(len(lost))]
    assert sorted(found) == sorted(lost), "each rank is another of them"
    drawn = {random_state(table, lost=True, seed=str(seed))["state"] for seed in range(1500)}
    assert drawn == {*lost}
    answer = random_state(table, lost=True, seed="1")
    assert answer == random_state(table, lost=True, seed="1")
    facts: dict[str, Any] = {"lost": True, "distance": None, "drawn": "uniform"}
    facts |= {"percentile": None, "difficulty": None, "scramble": None}
    assert answer.items() >= facts.items()
    won = {random_state(table, seed=str(seed))["state"] for seed in range(800)}
    assert won == {state for state, distance in FEW.items() if distance >= 0}
    state = random_state(table, difficulty="easy", seed="x")
    as_far = sum(0 <= distance <= FEW[state["state"]] for distance in FEW.values())
    assert state["percentile"] == pytest.approx(100 * as_far / len(won))
    assert (state["lost"], state["scramble"]) == (False, None)


def test_random_states_without_a_table(source: Source) -> None:
    if source.origin.name == "table":
        return
    for seed in range(30):
        answer = random_state(source, seed=str(seed))
        assert FEW[answer["state"]] == answer["distance"]
        assert (answer["lost"], answer["percentile"], answer["scramble"]) == (False, None, None)
        assert answer["drawn"] == "walk"
    with pytest.raises(MissingTable, match="random lost states of small-triangle need its table"):
        random_state(source, lost=True)


def test_what_has_no_lost_states_says_so(tables: Sources, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="give one of distance"):
        random_state(opened(tables, "triangle"), lost=True, percentile=3)
    path = on_directed([[-1], [0], [1]])
    whole = table_of(quiet_job(TableJob, path, tmp_path))
    with pytest.raises(InvalidRequest, match="all can reach this goal"):
        random_state(whole, lost=True)
    assert whole_tables.histogram(whole)["lost"] == 0


def test_a_table_and_a_search_agree_on_a_game_that_is_lost_although_its_moves_lead_back(
    tmp_path: Path,
) -> None:
    """A ring of five states; its goal is none of them."""
    ring = rules_puzzle(
        "ring",
        start=0,
        solved=lambda state: state == 9,
        moves=lambda state: [("a", (state + 1) % 5), ("b", (state - 1) % 5)],
        read=int,
    )
    whole = table_of(quiet_job(TableJob, ring, tmp_path).numbered())
    for source in (whole, searching(ring)):
        answer = lookups.lookup(source, "2")
        assert (answer["solvable"], answer["lost"], answer["distance"]) == (False, True, None)
        assert [move["lost"] for move in answer["moves"]] == [True, True]
        assert hints.hint(source, "2", 1)["take_back"] is None
        assert grades.grade(source, "2", moves=["a"])["lost_at"] is None
    counted = whole_tables.histogram(whole)
    assert (counted["layers"], counted["states"], counted["lost"]) == ([], 0, 5)
    drawn = {random_state(whole, lost=True, seed=str(seed))["state"] for seed in range(60)}
    assert drawn == set("01234")
