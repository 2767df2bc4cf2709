"""db/sql/scan.py: the states of a table, and the ranges that a filter rules out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pyarrow import dataset

from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.sql.scan import StateScan, TableStates
from puzzlebase.db.sql.session import Session
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql import tables as sql_tables
from tests.fixtures import opened
from tests.sql.conftest import all_distances, ask


@pytest.mark.slow
def test_states_are_expanded_and_equal_the_layers(session: Session, tables: Sources) -> None:
    counted = ask(session, "SELECT distance, count(*) FROM states('avenger') GROUP BY 1 ORDER BY 1")
    assert counted == list(enumerate(opened(tables, "avenger").table.info.layers))
    assert ask(session, "SELECT count(*), min(index), max(index) FROM states('avenger')") == [
        (52_390_800, 0, 52_390_799)
    ]


def test_states_that_cannot_reach_the_goal_are_null() -> None:
    states = TableStates(
        size=4,
        histograms=Histograms.of(4, [(0, [1, 2])]),
        distances=lambda first, last: np.array([0, 1, 1, -1])[first:last],
    )
    scan = StateScan(lambda: states)
    assert scan.scanner().to_reader().read_all().to_pydict() == {
        "index": [0, 1, 2, 3],
        "distance": [0, 1, 1, None],
    }
    unreached = scan.scanner(filter=dataset.field("distance").is_null()).to_reader().read_all()
    assert unreached.to_pydict() == {"index": [3], "distance": [None]}


FILTERS = (
    "distance = 3",
    "distance BETWEEN 2 AND 4 OR distance = 7",
    "distance <> 12",
    "distance IN (1, 18) AND index NOT IN (5, 6)",
    "NOT (distance >= 4)",
    "index < 70000 AND index >= 65000",
    "index IN (0, 65535, 65536, 97019)",
    "index BETWEEN 65530 AND 65540 AND distance > 12",
    "distance = 2 OR index < 100",
    "distance IS NULL",
    "distance IS NOT NULL AND index = 97019",
    "distance % 5 = 1",
    "distance > 12.5",
    "distance = 100 OR index > 1000000",
    "index = 5 OR distance IS NULL",
)


@pytest.mark.parametrize("condition", FILTERS)
def test_filters_keep_what_they_should(session: Session, tables: Sources, condition: str) -> None:
    """The same rows as of a table in which every state lies."""
    distances = all_distances(opened(tables, "novice-sixths"))
    ask(session, "CREATE OR REPLACE TEMP TABLE kept AS FROM states('novice-sixths'); SELECT 1")
    expected = ask(session, f"SELECT index, distance FROM kept WHERE {condition} ORDER BY index")
    assert all(distances[index] == distance for index, distance in expected)
    assert (
        ask(
            session,
            f"SELECT index, distance FROM states('novice-sixths') WHERE {condition} ORDER BY index",
        )
        == expected
    )
    ((count,),) = ask(session, f"SELECT count(*) FROM states('novice-sixths') WHERE {condition}")
    assert count == len(expected)


def test_few_ranges_are_made_where_few_are_needed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    find_between = sql_tables.sql_rows_of_table

    def counting(found: OpenTable) -> TableStates:
        known = find_between(found)

        def between(first: int, last: int) -> Any:
            asked.append(first)
            return known.distances(first, last)

        return replace(known, distances=between)

    monkeypatch.setattr(sql_tables, "sql_rows_of_table", counting)
    ask(session, "SELECT * FROM histogram('avenger'), layers, antipodes('avenger') LIMIT 3")
    assert not asked
    ask(session, "SELECT * FROM states('avenger') WHERE index BETWEEN 1_000_000 AND 1_000_100")
    assert asked == [15 * BLOCK_SIZE]
    asked.clear()
    assert len(ask(session, "FROM states('avenger') WHERE distance = 0")) == 1
    assert len(asked) == 1
    asked.clear()
    ask(session, "SELECT * FROM states('avenger') LIMIT 5")
    assert len(asked) < 200
