"""plugins/methods/sources.py: an oracle answers as a table does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.plugins.methods.record import Oracle
from puzzlebase.plugins.methods.sources import OpenOracle, open_oracle_source
from puzzlebase.puzzles import NoSpace, find
from puzzlebase.service.answers import grades, hints, lookups, random_states, solutions
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.sources.budget import NO_DEADLINE, Deadline
from puzzlebase.service.sources.memory import Memory
from puzzlebase.service.sources.sources import Opening, Sources
from tests.fixtures import build_table, source_of
from tests.http.asking import get
from tests.naive import panex as naive_panex
from tests.waiting import PATIENCE

pytestmark = pytest.mark.needs("panex", "hanoi")

START = "abcdefghij||ABCDEFGHIJ"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of a puzzle that has an oracle too."""
    folder = tmp_path_factory.mktemp("oracles")
    build_table(folder, "panex-4")
    return folder


def by_oracle(name: str) -> OpenOracle:
    """The oracle of a puzzle, whatever else answers for it."""
    puzzle = find(name)
    oracle = puzzle.engine(Oracle)
    assert oracle
    return open_oracle_source(
        oracle, Opening(puzzle, puzzle.goal(), NO_DEADLINE, Memory(DEFAULT_MEMORY))
    )


def ask(client: FlaskClient, verb: str, name: str = "panex-10", **query: Any) -> Any:
    return get(client, f"/v1/puzzles/{name}/{verb}", **query)


@pytest.mark.slow
def test_an_oracle_answers_as_the_table_does(data: Path) -> None:
    oracle, table = by_oracle("panex-4"), Sources(data).table("panex-4")
    draw = np.random.default_rng(9)
    for index in draw.integers(0, table.space.size, 15).tolist():
        text = table.puzzle.text(index, table.goal)
        assert {**lookups.lookup(oracle, text), "source": "table"} == lookups.lookup(table, text)
        whole, mine = (
            solutions.solve(table, text, all=3, states=True),
            solutions.solve(oracle, text, all=2, states=True),
        )
        others = [moves for moves in whole["solutions"] if moves != mine["solution"]]
        assert mine["distance"] == len(mine["solution"]) == whole["distance"]
        assert mine["solutions"] == [mine["solution"], *others[:1]]
        assert mine["optimal_count"] in (whole["optimal_count"], None)
        assert mine["states"][-1] == table.goal.states[0]
        for level in (1, 2):
            assert {**hints.hint(oracle, text, level), "source": "table"} == hints.hint(
                table, text, level
            )
        moves = [*whole["solution"][:2], "LC", "CR"]
        graded = grades.grade(oracle, text, moves=moves)
        assert {**graded, "source": "table"} == grades.grade(table, text, moves=moves)
    for seed in range(6):
        key = random_states.seed_key(seed=str(seed))
        drawn, alike = (random_states.random_state(source, seed=key) for source in (oracle, table))
        assert (drawn["state"], drawn["distance"]) == (alike["state"], alike["distance"])
        scrambled = table.goal.states[0]
        for move in drawn["scramble"] or ():
            scrambled = table.puzzle.play(scrambled, move)
        assert scrambled == drawn["state"]


@pytest.mark.slow
def test_the_panex_that_people_own(client: FlaskClient) -> None:
    lookup = ask(client, "lookup", state=START)
    assert (lookup["distance"], lookup["exact"], lookup["source"]) == (31_537, True, "oracle")
    assert {move["move"]: move["delta"] for move in lookup["moves"]} == {
        "LC": 0,
        "LR": -1,
        "RC": 0,
        "RL": -1,
    }
    assert ask(client, "lookup", state=START, goal="centre")["distance"] == 4_875
    first = ask(client, "solve", state=START, offset=0, limit=2_000)
    second = ask(client, "solve", state=START, offset=first["next"], limit=100, states="true")
    state = START
    for move in [*first["solution"], *second["solution"]]:
        state = dict(naive_panex.neighbours(state))[move]
    assert state == second["states"][-1]
    assert ask(client, "lookup", state=state)["distance"] == 31_537 - 2_100


def test_a_part_too_far_from_the_first_move_is_refused() -> None:
    start = find("panex-26").goal().start
    for offset in (10**10, 10**13):
        with pytest.raises(TooMuchWork, match=f"number {offset:,} is too far"):
            solutions.solve(by_oracle("panex-26"), start, offset=offset)


def test_random_states_of_it(client: FlaskClient) -> None:
    """Too far for a scramble, which takes seconds; and near."""
    found = ask(client, "random", seed="c")
    assert (found["drawn"], found["percentile"], found["scramble"]) == ("scattered", None, None)
    assert found == ask(client, "random", seed="c")
    assert found["state"] != ask(client, "random", seed="a")["state"]
    hard = ask(client, "random", difficulty="hard", seed="a")
    assert 8 <= hard["distance"] <= 20


def test_a_table_comes_before_an_oracle(data: Path, tmp_path: Path) -> None:
    assert isinstance(source_of(Sources(tmp_path), "hanoi-nnn-3"), OpenOracle)
    build_table(tmp_path, "hanoi-nnn-3")
    assert not isinstance(source_of(Sources(tmp_path), "hanoi-nnn-3"), OpenOracle)
    with pytest.raises(NoSpace):
        Sources(data).table("panex-10")


def test_a_long_batch_of_an_oracle_ends_when_its_time_is_up(data: Path) -> None:
    tables = Sources(data)
    with pytest.raises(TooMuchWork):
        lookup_batch(source_of(tables, "panex-10", deadline=Deadline(0)), [START])
    found: Any = lookup_batch(source_of(tables, "panex-10", deadline=Deadline(PATIENCE)), [START])[
        "results"
    ][0]
    assert found["distance"] == 31537


def test_a_goal_that_play_cannot_reach_is_refused_at_any_size(client: FlaskClient) -> None:
    """From none of these states does a move lead anywhere but among three or four others."""
    for name, goal in (("panex-4", "aB|dC|bADc"), ("panex-10", "cDbefghij|aC|dABEFGHIJ")):
        response = client.get(
            f"/v1/puzzles/{name}/lookup", query_string={"state": goal, "goal": goal}
        )
        assert response.status_code == 422, response.text
        assert f"'{goal}' cannot be reached from" in response.text
