"""Tables of Panex against the reference implementation and published distances,
and the answers from them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.builder import VerificationError
from puzzlebase.builder.verify import agree_with_published
from puzzlebase.puzzles import Published, find
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import build_table
from tests.matrix import only
from tests.naive import panex as naive_panex

from .panex_states import OUT_OF_REACH, graph_of_text

ANY_STATE = "ab|cA|BC"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of two goals."""
    folder = tmp_path_factory.mktemp("panex")
    for goal in ("exchange", ANY_STATE):
        build_table(folder, "panex-3", goal)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("n", only((2).__eq__, [1, 2, 3, 4]))
def test_all_of_it_agrees_with_the_reference_implementation(
    n: int, tmp_path: Path, golden: dict[str, Any]
) -> None:
    """Every state, every move, and every distance to each goal."""
    puzzle, reference = find(f"panex-{n}"), graph_of_text(n)
    space = puzzle.space(puzzle.goal())
    assert space.size == len(reference) == golden["panex"]["reachable_positions_n1_to_4"][n - 1]
    every = np.arange(space.size)
    texts = [board.tobytes().decode("ascii") for board in space.unrank(every)]
    assert set(texts) == set(reference)
    index = {text: number for number, text in enumerate(texts)}
    names = [move.name for move in puzzle.moves]
    for text, successors in zip(texts, space.expand(every).tolist(), strict=True):
        moved = {name: to for name, to in zip(names, successors, strict=True) if to >= 0}
        assert moved == {name: index[after] for name, after in reference[text]}
    for goal in puzzle.goals:
        expected = naive.distances(goal.states[0], reference.__getitem__)
        build_table(tmp_path, puzzle.name, goal.name)
        opened = Sources(tmp_path).table(puzzle.name, goal.name)
        assert opened.distances(every).tolist() == [expected[text] for text in texts]


def test_a_build_that_disagrees_with_a_published_start_is_refused() -> None:
    agree_with_published(Published("nobody", start_distance=3), (1, 2), 3)
    with pytest.raises(
        VerificationError, match="distance from the start published in nobody: expected 4, found 3"
    ):
        agree_with_published(Published("nobody", start_distance=4), (1, 2), 3)


def test_any_state_can_be_the_goal(tables: Sources, data: Path) -> None:
    puzzle = find("panex-3")
    goal = puzzle.goal(ANY_STATE)
    assert (goal.name, goal.states) == (ANY_STATE, (ANY_STATE,))
    assert (data / f"panex-3@{goal.key}.duckdb").exists()
    assert puzzle.goal(goal.key) == goal
    expected = naive.distances(ANY_STATE, graph_of_text(3).__getitem__)
    opened = tables.table("panex-3", ANY_STATE)
    assert opened.distances(np.array([*map(opened.index, expected)])).tolist() == [
        *expected.values()
    ]


def test_a_state_out_of_reach_is_not_solvable_and_has_its_moves(tables: Sources) -> None:
    legal = dict(naive_panex.neighbours(OUT_OF_REACH))
    opened = tables.table("panex-3")
    answer = lookups.lookup(opened, OUT_OF_REACH)
    assert (answer["solvable"], answer["distance"]) == (False, None)
    assert {move["move"]: move["state"] for move in answer["moves"]} == legal
    assert all(move["distance"] is None and not move["optimal"] for move in answer["moves"])
    states = ["abc||ABC", OUT_OF_REACH, "cba||ABC"]
    results: Any = lookup_batch(opened, states, moves=True)["results"]
    assert results[:2] == [lookups.lookup(opened, state) for state in states[:2]]
    assert results[2]["problem"]["status"] == 422


def test_goals_over_http(client: FlaskClient) -> None:
    def ask(goal: str, verb: str = "lookup") -> Any:
        return client.get(
            f"/v1/puzzles/panex-3/{verb}", query_string={"state": "abc||ABC", "goal": goal}
        )

    assert ask("ABC||abc").json["goal"] == "exchange"
    assert [ask(goal).status_code for goal in ("nothing", "a|b", "cba||ABC", OUT_OF_REACH)] == [
        404,
        404,
        422,
        422,
    ]
    assert ask("bc|a|ABC").json["source"] == "search"
    missing = client.get("/v1/puzzles/panex-3/histogram", query_string={"goal": "bc|a|ABC"})
    assert missing.status_code == 409
    assert f"--goal {find('panex-3').goal('bc|a|ABC').key}" in missing.json["hint"]  # type: ignore[index]
