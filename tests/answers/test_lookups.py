"""service/answers/lookups.py: lookups and solutions against the twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builder import build, build_layers
from puzzles import ImpossibleState, InvalidState, find
from service.answers import catalog, lookups, whole_tables
from service.sources.budget import Budget
from service.sources.folder import Tables
from service.sources.search import OpenSearch, Searchable
from tests import naive
from tests.conftest import COMMON, TABLES, opened, quiet, some_states


@pytest.mark.parametrize("name", TABLES)
def test_a_lookup_has_the_promised_fields(tables: Tables, name: str) -> None:
    table = opened(tables, name)
    for state in [table.goal.start, *some_states(tables, name, 20)]:
        answer = lookups.lookup(table, state)
        assert set(answer) == COMMON | {"moves"}
        assert (answer["puzzle"], answer["goal"], answer["state"]) == (name, "solved", state)
        assert (answer["solvable"], answer["exact"], answer["source"]) == (True, True, "table")
        assert answer["lower_bound"] == answer["distance"] == answer["upper_bound"]
        assert all(set(move) == {"move", "state", "distance", "delta", "optimal"} for move in answer["moves"])
        order = [move.name for move in table.puzzle.moves]
        ranks = [(move["distance"], order.index(move["move"])) for move in answer["moves"]]
        assert ranks == sorted(ranks)
        assert sorted(rank for _, rank in ranks) == list(range(len(order)))


def test_lookups_agree_with_the_twin_on_novice(tables: Tables, known: dict[str, int]) -> None:
    novice = opened(tables, "novice")
    neighbours = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)
    for state in [novice.goal.start, *some_states(tables, "novice", 300)]:
        answer = lookups.lookup(novice, state)
        assert answer["distance"] == known[state]
        expected = {}
        for move, after in neighbours(state):
            delta = known[after] - known[state]
            expected[move] = {"move": move, "state": after, "distance": known[after], "delta": delta}
            expected[move]["optimal"] = delta == -1
        assert {move["move"]: move for move in answer["moves"]} == expected


def test_answers_keep_the_callers_letters(tables: Tables) -> None:
    avenger = opened(tables, "avenger")
    names = str.maketrans("ABCDE", "vWxYz")
    for state in some_states(tables, "avenger", 20):
        ours = lookups.lookup(avenger, state)
        theirs = lookups.lookup(avenger, state.translate(names))
        assert theirs["state"] == state.translate(names)
        assert [move["state"] for move in theirs["moves"]] == [move["state"].translate(names) for move in ours["moves"]]
        assert [move["distance"] for move in theirs["moves"]] == [move["distance"] for move in ours["moves"]]


def test_the_published_scrambles(tables: Tables, golden: dict[str, Any]) -> None:
    """Both published lines of each scramble, the one for fixed colours too, as Avenger states."""
    avenger = opened(tables, "avenger")
    for scramble in golden["turnstile_scrambles"]["solutions"]:
        for line in (scramble["avenger"], scramble["turnstile"]):
            state = naive.play(avenger.goal.start, naive.undo(line))
            assert naive.play(state, line) == avenger.goal.start
            assert lookups.lookup(avenger, state)["distance"] == scramble["avenger_optimum"]


def test_histogram_and_antipodes(tables: Tables, golden: dict[str, Any]) -> None:
    avenger = opened(tables, "avenger")
    layers = golden["avenger"]["layers"]
    assert whole_tables.histogram(avenger) == {
        "puzzle": "avenger",
        "goal": "solved",
        "layers": layers,
        "states": 52_390_800,
        "gods_number": 15,
        "mean": sum(i * n for i, n in enumerate(layers)) / sum(layers),
    }
    pages: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = whole_tables.antipodes(avenger, offset, 100)
        assert (page["distance"], page["count"]) == (15, 304)
        pages += page["states"]
        offset = page["next"]
    assert len(set(pages)) == len(pages) == 304
    assert all(lookups.lookup(avenger, state)["distance"] == 15 for state in pages[::20])
    beyond = whole_tables.antipodes(avenger, 1000, 10)
    assert (beyond["states"], beyond["next"]) == ([], None)


def test_the_list_and_the_description(tables: Tables) -> None:
    listed = {line["name"]: line for line in catalog.puzzle_list(tables)["puzzles"]}
    assert listed["avenger"]["states"] == 52_390_800
    assert listed["avenger"]["coverage"] == "table"
    assert listed["avenger-sixths"] == {
        "name": "avenger-sixths",
        "title": "Avenger in sixths of a turn",
        "family": "wheels",
        "states": None,
        "gods_number": None,
        "coverage": "none",
    }
    avenger = find("avenger")
    known = catalog.about(tables, avenger, avenger.goal())
    assert known["goals"] == [{"name": "solved", "start": ".AAA.BBB.CCC.DDD.EEE."}]
    assert known["moves"][3] == {"move": "L2'", "group": "left wheel"}
    assert known["table"] is not None
    assert known["table"]["encoding"] == "orbits"
    assert known["table"]["digest"] == opened(tables, "avenger").table.file.digest
    other = find("avenger-sixths")
    assert catalog.about(tables, other, other.goal())["table"] is None


def test_what_cannot_be_answered(tables: Tables) -> None:
    avenger = opened(tables, "avenger")
    with pytest.raises(InvalidState):
        lookups.lookup(avenger, "what")
    with pytest.raises(ImpossibleState):
        lookups.lookup(avenger, ".AAA.BBB.CCC.DDD.DDD.")


def test_a_lookup_plays_no_move_that_is_not_legal() -> None:
    puzzle = find("sliding-2x3")
    goal = puzzle.goal()
    asked: list[str] = []

    def counted(text: str, move: str) -> str:
        asked.append(move)
        return puzzle.play(text, move)

    space = puzzle.space(goal)
    search = OpenSearch(Searchable.of(replace(puzzle, play=counted, letters=None), goal, None), Budget())
    moves = lookups.lookup(search, goal.start)["moves"]
    assert sorted(asked) == sorted(move["move"] for move in moves)
    assert len(moves) == np.count_nonzero(space.expand(space.goal_states) >= 0) == 2


def test_every_file_is_listed(tmp_path: Path) -> None:
    two, five = find("panex-2"), find("quantum-2x2-5")
    build(two, two.goal("centre"), tmp_path, "test", 1, quiet())
    build_layers(five, five.goal(), 3, tmp_path, quiet())
    listed = {line["name"]: line["coverage"] for line in catalog.puzzle_list(Tables(tmp_path))["puzzles"]}
    assert listed["quantum-2x2-5"] == "layers", "of no family's members"
    assert listed["panex-2"] == "none", "for its default goal"
