"""plugins/sql/queries: each stored query gives what plain Python finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.db.sql.session import Session
from puzzlebase.plugins.sql.statements import __file__ as statements_file
from puzzlebase.plugins.sql.statements import listed_queries, statements
from puzzlebase.service.sql.tables import SessionTables, session_over_tables
from tests.fixtures import build_table
from tests.naive import at_home as naive
from tests.sql.conftest import all_distances, ask, one, table

pytestmark = pytest.mark.needs("panex", "hanoi", "quantum", "panguru")

PlainQuery = Callable[["Plain"], list[tuple[Any, ...]]]


class Plain:
    """A table in plain Python lists."""

    def __init__(self, folder: Path, name: str) -> None:
        self.open = table(folder, name)

    @cached_property
    def distances(self) -> list[int]:
        """The distance of every state, by index."""
        found: list[int] = all_distances(self.open).tolist()
        return found

    @cached_property
    def successors(self) -> list[list[int]]:
        """For every state, the distances of the states its moves lead to."""
        expanded = self.open.space.expand(np.arange(len(self.distances))).tolist()
        return [[self.distances[to] for to in some if to >= 0] for some in expanded]

    @cached_property
    def layers(self) -> dict[int, list[int]]:
        """The states at each distance."""
        layers = defaultdict(list)
        for index, distance in enumerate(self.distances):
            layers[distance].append(index)
        return layers

    def mean(self, distance: int, value: Callable[[int], float]) -> float:
        """The mean of a value over the states at a distance."""
        return sum(map(value, self.layers[distance])) / len(self.layers[distance])

    def text(self, index: int) -> str:
        """The text of a state."""
        return self.open.puzzle.text(index, self.open.goal)


def plain_histogram(plain: Plain) -> list[tuple[Any, ...]]:
    total = len(plain.distances)
    return [
        (distance, len(plain.layers[distance]), len(plain.layers[distance]) / total)
        for distance in sorted(plain.layers)
    ]


def plain_antipodes(plain: Plain) -> list[tuple[Any, ...]]:
    farthest = max(plain.layers)
    return [(index, farthest, plain.text(index)) for index in plain.layers[farthest]]


def plain_branching(plain: Plain) -> list[tuple[Any, ...]]:
    def share(distance: int, wanted: Callable[[int], bool]) -> float:
        return plain.mean(
            distance, lambda index: sum(wanted(to - distance) for to in plain.successors[index])
        )

    return [
        (
            distance,
            len(plain.layers[distance]),
            share(distance, lambda _: True),
            share(distance, lambda change: change < 0),
            share(distance, lambda change: change == 0),
            share(distance, lambda change: change > 0),
        )
        for distance in sorted(plain.layers)
    ]


def plain_layers(plain: Plain) -> list[tuple[Any, ...]]:
    return [row[:2] for row in plain_histogram(plain)]


def plain_choices(plain: Plain) -> list[tuple[Any, ...]]:
    """Of a table with fewer than eighty distances, so that each stands alone."""
    return [(distance, *changes) for distance, _, _, *changes in plain_branching(plain)]


def plain_at_home(plain: Plain) -> list[tuple[Any, ...]]:
    home = at_home_in(plain)
    by_home = defaultdict(list)
    for index, distance in enumerate(plain.distances):
        by_home[home(plain.text(index))].append(distance)
    return [
        (value, sum(some) / len(some), min(some), max(some))
        for value, some in sorted(by_home.items())
    ]


def at_home_in(plain: Plain) -> Callable[[str], int]:
    goal = plain.text(plain.layers[0][0])
    return lambda state: naive.panex(goal, state)


def plain_greedy(plain: Plain) -> list[tuple[Any, ...]]:
    """Every way to make one, two or three moves is tried.
    The table is small enough for all of its states.
    """
    assert len(plain.distances) <= 1000
    home = [at_home_in(plain)(plain.text(index)) for index in range(len(plain.distances))]
    to = plain.open.space.expand(np.arange(len(home))).tolist()
    moves = [[after for after in some if after >= 0] for some in to]

    def most(index: int, left: int) -> int:
        return max([home[index], *(most(after, left - 1) for after in moves[index] if left)])

    def wrong(index: int, ahead: int) -> float:
        if plain.distances[index] <= ahead:
            return 0.0
        worth = [most(after, ahead - 1) for after in moves[index]]
        taken = [
            after for after, value in zip(moves[index], worth, strict=True) if value == max(worth)
        ]
        part: float = sum(
            plain.distances[after] >= plain.distances[index] for after in taken
        ) / len(taken)
        return part

    def share(distance: int, ahead: int) -> float:
        return round(100 * plain.mean(distance, lambda index: wrong(index, ahead)), 3)

    return [
        (distance, *(share(distance, ahead) for ahead in (1, 2, 3)))
        for distance in sorted(plain.layers)[1:]
    ]


def plain_measures(plain: Plain) -> list[tuple[float, ...]]:
    """Adams' five measures, from the texts of states of two rows and two columns,
    whose one block holds all places.
    """
    rows = []
    for distance, layer in sorted(plain.layers.items()):
        sums = [0] * 5
        for index in layer:
            for position, shares in enumerate(plain.text(index).split("/")):
                for home, units in enumerate(map(int, shares.split(",")[:3])):
                    down, across = position // 2 != home // 2, position % 2 != home % 2
                    values = (down + across, down, across, 1, down or across)
                    sums = [
                        before + units * value for before, value in zip(sums, values, strict=True)
                    ]
        rows.append((distance, len(layer), *(each / len(layer) for each in sums)))
    return rows


ONE_TABLE = {
    "histogram": ("novice", plain_histogram),
    "antipodes": ("novice", plain_antipodes),
    "branching": ("panguru-4", plain_branching),
    "at-home": ("panex-2", plain_at_home),
    "choices": ("panex-2", plain_choices),
    "greedy": ("panex-2", plain_greedy),
    "layers": ("novice", plain_layers),
    "quantum-measures": ("quantum-2x2-2", plain_measures),
}


ALL_TABLES = {"histograms", "spread"}


def test_every_query_is_listed_and_tested() -> None:
    """Tools may give more."""
    shown = {listed["query"]: listed["shows"] for listed in listed_queries()}
    ours = {path.stem for path in Path(statements_file).parent.glob("queries/*.sql")}
    assert {*ONE_TABLE, *ALL_TABLES} == ours <= set(shown)
    assert all(text.endswith(".") and text[0].isupper() for text in shown.values())


@pytest.mark.parametrize("name", ONE_TABLE)
def test_queries_of_one_table(session: Session, folder: Path, name: str) -> None:
    assert_plain_python_agrees(session, folder, name, *ONE_TABLE[name])


def assert_plain_python_agrees(
    session: Session, folder: Path, name: str, puzzle: str, plain: PlainQuery
) -> None:
    """A stored query of one table gives the rows that plain Python finds;
    it may give more columns.
    """
    session.set_puzzle(puzzle)
    found = ask(session, statements(session, name, puzzle))
    expected = plain(Plain(folder, puzzle))
    assert len(found) == len(expected) > 0
    for row, wanted in zip(found, expected, strict=True):
        assert row[: len(wanted)] == pytest.approx(wanted, nan_ok=True)


@pytest.mark.slow
def test_distances_of_a_large_puzzle_are_taken_together(tmp_path: Path) -> None:
    """Magnetic Hanoi of five disks: 161 is God's number, so steps of four distances."""
    build_table(tmp_path, "hanoi-nnn-5")
    plain = Plain(tmp_path, "hanoi-nnn-5")
    nearer = defaultdict(list)
    for index, distance in enumerate(plain.distances):
        nearer[distance - distance % 4].append(sum(to < distance for to in plain.successors[index]))
    with session_over_tables(tmp_path) as alone:
        found = ask(alone, statements(alone, "choices", None))
        assert [row[0] for row in found] == sorted(nearer)
        assert [row[1] for row in found] == pytest.approx(
            [sum(some) / len(some) for _, some in sorted(nearer.items())]
        )
        assert {row[0] for row in ask(alone, statements(alone, "greedy", None))} <= set(nearer)


@pytest.mark.slow
def test_queries_of_all_tables(session: Session, folder: Path) -> None:
    tables = SessionTables(folder, 1 << 30)
    spread = {row[0]: row[1:] for row in ask(session, statements(session, "spread", None))}
    columns, side_by_side = one(session, statements(session, "histograms", None)).rows()
    shares = list(side_by_side)
    assert columns == ["distance", *sorted(tables.names)]
    for name, (puzzle, goal) in tables.names.items():
        layers = np.array(tables._sources.table(puzzle, goal).table.info.layers)
        distances = np.arange(len(layers))
        mean = np.average(distances, weights=layers)
        deviation = np.sqrt(np.average((distances - mean) ** 2, weights=layers))
        expected = (layers.sum(), mean, deviation, layers.argmax(), len(layers) - 1)
        assert spread[name][:5] == pytest.approx(expected, rel=1e-6)
        column = columns.index(name)
        shown = [row[column] for row in shares[: len(layers)]]
        assert shown == pytest.approx((1000 * layers / layers.sum()).tolist(), abs=6e-4)
