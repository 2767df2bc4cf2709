"""service/answers/random_states.py:
draws are uniform and reproducible, and scrambles lead to them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.puzzles import find
from puzzlebase.service.answers import random_states
from puzzlebase.service.answers.random_states import random_state
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import COMMON, TABLES, opened, searching
from tests.http.asking import assert_problem


@pytest.mark.parametrize("name", ["novice", "novice-sixths"])
def test_ranks_and_states_are_one_to_one(tables: Sources, name: str) -> None:
    """Each rank at a distance is that of another state,
    by index; all of a small layer, and some of a large one.
    """
    table = opened(tables, name)
    everything = table.distances(np.arange(table.space.size))
    farthest = len(table.table.info.layers) - 1
    for low, high in [*((distance, distance) for distance in range(farthest + 1)), (3, 5)]:
        expected = np.flatnonzero((everything >= low) & (everything <= high))
        ranks = np.unique(np.linspace(0, len(expected) - 1, 12).astype(int)).tolist()
        assert [table.locate(low, high, rank) for rank in ranks] == expected[ranks].tolist()


def chi_squared_bound(freedom: int) -> float:
    """The value that chi-squared exceeds once in a million (Wilson and Hilferty)."""
    z = 4.753
    return float(freedom * (1 - 2 / (9 * freedom) + z * (2 / (9 * freedom)) ** 0.5) ** 3)


def test_draws_are_uniform_over_every_distance(tables: Sources) -> None:
    """Chi-squared of draws by seed,
    over states where they are few and over 200 equal groups of them else.
    """
    novice = opened(tables, "novice")
    for distance, count in enumerate(novice.table.info.layers):
        if count == 1:
            continue
        groups = min(count, 200)
        draws = [
            random_states.draw(count, f"{distance} {number}") for number in range(100 * groups)
        ]
        assert 0 <= min(draws) <= max(draws) < count
        observed = Counter(draw * groups // count for draw in draws)
        sizes = Counter(rank * groups // count for rank in range(count))
        expected = {group: len(draws) * size / count for group, size in sizes.items()}
        chi = sum((observed[group] - expected[group]) ** 2 / expected[group] for group in expected)
        assert chi < chi_squared_bound(groups - 1)


@pytest.mark.parametrize("name", TABLES)
def test_the_scramble_leads_to_the_state(tables: Sources, name: str) -> None:
    table = opened(tables, name)
    for distance in range(len(table.table.info.layers)):
        answer = random_state(table, min=distance, max=distance)
        assert set(answer) == COMMON | {"drawn", "percentile", "difficulty", "scramble"}
        assert answer["scramble"] is not None
        assert answer["distance"] == len(answer["scramble"]) == distance
        assert naive.play(table.goal.start, answer["scramble"]) == answer["state"]
        assert table.distances(np.array([table.index(answer["state"])])).tolist() == [distance]


def test_the_same_seed_gives_the_same_state_for_good(
    tables: Sources, known: dict[str, int]
) -> None:
    """Drawn once more by hand, so that no release moves a published daily puzzle."""
    novice = opened(tables, "novice")
    farthest = sorted(
        (state for state, distance in known.items() if distance == 13),
        key=lambda state: (state[::2], state[1::2]),
    )
    day = date(2026, 11, 21)
    drawn = {
        "seed x": random_state(novice, min=13, max=13, seed="x"),
        "day 2026-11-21": random_state(novice, distance=13, daily=day),
    }
    for text, answer in drawn.items():
        digest = hashlib.blake2b(f"novice solved 13 13 {text}".encode(), digest_size=32).digest()
        assert answer["state"] == farthest[int.from_bytes(digest, "big") % 21]


@pytest.mark.slow
def test_all_states_are_drawn_from_without_a_distance(tables: Sources) -> None:
    novice = opened(tables, "novice")
    draws = Counter(random_state(novice, seed=str(number))["distance"] for number in range(600))
    layers = novice.table.info.layers
    groups = [range(8), *([distance] for distance in (8, 9, 10)), range(11, 14)]
    expected = [600 * sum(layers[d] for d in group) / sum(layers) for group in groups]
    observed = [sum(draws[d] for d in group) for group in groups]
    assert sum(
        (o - e) ** 2 / e for o, e in zip(observed, expected, strict=True)
    ) < chi_squared_bound(4)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("novice", 12), ("challenger", 3), ("avenger", 3)])
def test_an_equal_key_gives_an_equal_state_with_and_without_a_table(
    tables: Sources, name: str, seeds: int
) -> None:
    """A daily puzzle stays when a table is built."""
    table = opened(tables, name)
    for number in range(seeds):
        seed, day = (str(number), None) if number % 2 else (None, date(2026, 11, 1 + number))
        one, other = (
            random_state(source, seed=seed, daily=day)
            for source in (table, searching(table.puzzle))
        )
        of_a_table = {"source": "", "percentile": 0, "difficulty": ""}
        assert {**one, **of_a_table} == {**other, **of_a_table}


@pytest.mark.needs("hanoi")
def test_only_states_that_can_reach_the_goal_are_drawn() -> None:
    """In some variants of Hanoi most states cannot."""
    search = searching(find("hanoi-rrn-3"), "red")
    assert all(random_state(search, seed=str(seed))["solvable"] for seed in range(30))


@pytest.mark.parametrize("name", TABLES)
def test_a_percentile_of_many_digits_is_not_rounded_to_the_next_distance(
    tables: Sources, name: str
) -> None:
    """The largest number of 17 or of 30 digits that is no more than the exact percentile;
    and the one in answers.
    """
    table = opened(tables, name)
    layers = table.table.info.layers
    for distance in range(len(layers)):
        exact = Fraction(100 * sum(layers[: distance + 1]), sum(layers))
        for digits in (17, 30):
            places = digits - len(str(int(exact)))
            below = str(exact.numerator * 10**places // exact.denominator).rjust(places + 1, "0")
            percentile = float(f"{below[:-places]}.{below[-places:]}")
            assert random_state(table, percentile=percentile, seed="x")["distance"] == distance
        told = random_state(table, min=distance, max=distance, seed="x")["percentile"]
        assert random_state(table, percentile=told, seed="x")["distance"] == distance


def test_random_turns(client: FlaskClient, tables: Sources) -> None:
    """None leads to where the turn before could have led:
    no wheel is turned twice, and no sixth taken back.
    """
    for name, table in ((name, opened(tables, name)) for name in ("avenger", "novice-sixths")):
        found = random_states.random_state_by_turns(table, 60, "seed x")
        scramble = found["scramble"] or []
        assert (found["drawn"], len(scramble)) == ("turns", 60)
        assert naive.play(table.goal.start, scramble) == found["state"]
        for move, after in pairwise(scramble):
            assert naive.undo(move) != [after] if name == "novice-sixths" else move[0] != after[0]
        assert random_states.random_state_by_turns(table, 60, "seed x") == found
        assert random_states.random_state_by_turns(table, 60, "seed y") != found
        assert random_states.random_state_by_turns(table, 0)["distance"] == 0
    for fields in ("turns=9&distance=3", "turns=1001"):
        assert_problem(client.get(f"/v1/puzzles/avenger/random?{fields}"), 400, "invalid-parameter")
