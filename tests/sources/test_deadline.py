"""service/sources/budget.py: an answer ends when its time is up, whatever it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from puzzlebase.service.answers import hints, lookups, solutions
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.answers.grades import grade
from puzzlebase.service.answers.random_states import random_state
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.sources.budget import Deadline
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import opened, source_of, with_board


def test_an_answer_ends_when_its_time_is_up(tables: Sources) -> None:
    avenger = opened(tables, "avenger")
    state = ".C.E.DAB.BDAEA.ECDBC."
    asked: list[Callable[[OpenTable], object]] = [
        lambda table: solutions.solve(table, state),
        lambda table: solutions.solve(table, state, states=True, offset=20),
        lambda table: table.optimal_count(table.index(state), 14),
        lambda table: hints.hint(table, state, 2),
        lambda table: lookup_batch(
            replace(table, puzzle=with_board(table.puzzle, letters=None)), [state], moves=True
        ),
        lambda table: grade(
            table, state, states=[*solutions.solve(avenger, state, states=True)["states"]]
        ),
        lambda table: random_state(table, min=5),
    ]
    for ask in asked:
        ask(replace(avenger, deadline=Deadline(60)))
        with pytest.raises(TooMuchWork):
            ask(replace(avenger, deadline=Deadline(0)))
    with pytest.raises(TooMuchWork):
        solutions.solve(source_of(tables, "avenger", deadline=Deadline(0)), state)
    assert lookups.lookup(replace(avenger, deadline=Deadline(0)), state) == lookups.lookup(
        avenger, state
    )
