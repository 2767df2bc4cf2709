"""The stored queries of the plugin: each gives what plain Python finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puzzlebase.plugins.sql.tests.test_queries import Plain, assert_plain_python_agrees
from puzzlebase.service.sql.tables import session_over_tables
from tests.fixtures import build_table

pytestmark = pytest.mark.needs("panex", "panguru", "sql")


def plain_one_optimal_move(plain: Plain) -> list[tuple[Any, ...]]:
    found = []
    for distance in sorted(plain.layers)[1:]:
        optimal = [plain.successors[index].count(distance - 1) for index in plain.layers[distance]]
        ones = optimal.count(1)
        found.append(
            (distance, len(optimal), ones, ones / len(optimal), sum(optimal) / len(optimal))
        )
    return found


def plain_local_maxima(plain: Plain) -> list[tuple[Any, ...]]:
    found = []
    for distance in sorted(plain.layers):
        states = plain.layers[distance]
        ends = sum(max(plain.successors[index]) <= distance for index in states)
        found.append((distance, len(states), ends, ends / len(states)))
    return found


QUERIES = {
    "local-maxima": ("panex-2", plain_local_maxima),
    "one-optimal-move": ("panguru-4", plain_one_optimal_move),
}


@pytest.mark.parametrize("name", QUERIES)
def test_queries_of_one_table(tmp_path: Path, name: str) -> None:
    puzzle, plain = QUERIES[name]
    build_table(tmp_path, puzzle)
    with session_over_tables(tmp_path) as session:
        assert_plain_python_agrees(session, tmp_path, name, puzzle, plain)
