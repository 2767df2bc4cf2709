"""service/answers/lookups.py: lookups, held against the reference implementation."""

from __future__ import annotations

from typing import Any

import pytest

from puzzlebase.service.answers import lookups
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import COMMON, TABLES, opened, some_states


@pytest.mark.parametrize("name", TABLES)
def test_a_lookup_has_the_promised_fields(tables: Sources, name: str) -> None:
    table = opened(tables, name)
    for state in [table.goal.start, *some_states(tables, name, 20)]:
        answer = lookups.lookup(table, state)
        assert set(answer) == COMMON | {"moves"}
        assert (answer["puzzle"], answer["goal"], answer["state"]) == (name, "solved", state)
        assert (answer["solvable"], answer["exact"], answer["source"]) == (True, True, "table")
        assert answer["lower_bound"] == answer["distance"] == answer["upper_bound"]
        assert all(
            set(move) == {"move", "state", "distance", "delta", "optimal"}
            for move in answer["moves"]
        )
        order = [move.name for move in table.puzzle.moves]
        ranks = [(move["distance"], order.index(move["move"])) for move in answer["moves"]]
        assert ranks == sorted(ranks)
        assert sorted(rank for _, rank in ranks) == list(range(len(order)))


def test_lookups_agree_with_the_twin_on_novice(tables: Sources, known: dict[str, int]) -> None:
    novice = opened(tables, "novice")
    neighbours = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)
    for state in [novice.goal.start, *some_states(tables, "novice", 300)]:
        answer = lookups.lookup(novice, state)
        assert answer["distance"] == known[state]
        expected = {}
        for move, after in neighbours(state):
            delta = known[after] - known[state]
            expected[move] = {
                "move": move,
                "state": after,
                "distance": known[after],
                "delta": delta,
            }
            expected[move]["optimal"] = delta == -1
        assert {move["move"]: move for move in answer["moves"]} == expected


def test_answers_keep_the_callers_letters(tables: Sources) -> None:
    avenger = opened(tables, "avenger")
    names = str.maketrans("ABCDE", "vWxYz")
    for state in some_states(tables, "avenger", 20):
        ours = lookups.lookup(avenger, state)
        theirs = lookups.lookup(avenger, state.translate(names))
        assert theirs["state"] == state.translate(names)
        assert [move["state"] for move in theirs["moves"]] == [
            move["state"].translate(names) for move in ours["moves"]
        ]
        assert [move["distance"] for move in theirs["moves"]] == [
            move["distance"] for move in ours["moves"]
        ]


def test_the_published_scrambles(tables: Sources, golden: dict[str, Any]) -> None:
    """Both published lines of each scramble, the one for fixed colours too, as Avenger states."""
    avenger = opened(tables, "avenger")
    for scramble in golden["turnstile_scrambles"]["solutions"]:
        for line in (scramble["avenger"], scramble["turnstile"]):
            state = naive.play(avenger.goal.start, naive.undo(line))
            assert naive.play(state, line) == avenger.goal.start
            assert lookups.lookup(avenger, state)["distance"] == scramble["avenger_optimum"]
