"""service/answers/batches.py: a batch says what single lookups say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import TABLES, opened, some_states, with_board

BAD = [
    "",
    "x",
    "\ud800" * 21,
    "é" * 21,
    "R" * 21,
    "R" * 22,
    "\0" * 21,
    "\ue000",
    '"',
    "\\" * 21,
    "B" * 5000,
]


def expected(table: OpenTable, states: list[str], *, moves: bool) -> list[Any]:
    found: list[Any] = []
    for state in states:
        answer: dict[str, Any] = {**lookups.lookup(table, state)}
        if not moves:
            del answer["moves"]
        found.append(answer)
    return found


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("moves", [False, True])
def test_a_batch_says_what_single_lookups_say(tables: Sources, name: str, moves: bool) -> None:
    table = opened(tables, name)
    states = [table.goal.start, *some_states(tables, name, 300), table.goal.start]
    assert lookup_batch(table, states, moves=moves) == {
        "results": expected(table, states, moves=moves)
    }
    plain = replace(table, puzzle=with_board(table.puzzle, letters=None))
    assert lookup_batch(plain, states[:30], moves=moves)["results"] == expected(
        table, states[:30], moves=moves
    )


@pytest.mark.parametrize("moves", [False, True])
def test_a_bad_state_spoils_only_its_own_entry(tables: Sources, moves: bool) -> None:
    table = opened(tables, "novice")
    good = some_states(tables, "novice", len(BAD))
    for states in (
        [state for pair in zip(good, BAD, strict=True) for state in pair],
        BAD,
        [good[0], BAD[0]],
        BAD[:1],
    ):
        results: list[Any] = lookup_batch(table, states, moves=moves)["results"]
        assert len(results) == len(states)
        for state, result in zip(states, results, strict=True):
            if state in BAD:
                assert set(result) == {"state", "problem"}
                assert result["state"] == state.replace("\ud800", "?")
                assert result["problem"]["status"] == (422 if state == "R" * 21 else 400)
                assert result["problem"]["hint"]
            else:
                assert [result] == expected(table, [state], moves=moves)


def test_a_state_of_a_batch_is_no_longer_than_a_state_may_be(tables: Sources) -> None:
    table = opened(tables, "avenger")
    for moves in (False, True):
        entry: Any
        (entry,) = lookup_batch(table, ["." * (MAX_STATE + 1)], moves=moves)["results"]
        assert entry["problem"]["detail"] == "4,097 characters are too many"
