"""Random turns: distributions over all states agree with random turns made one at a time,
by the rules alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import TableJob, VerificationError
from puzzlebase.builder.preflight import Shortage
from puzzlebase.paths import table_path
from puzzlebase.plugins.mixing.mixing import (
    Measurement,
    UnknownWalk,
    Walk,
    compute_mixing,
    require_mixing_memory,
    wheels_of,
)
from puzzlebase.puzzles import find
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import quiet, quiet_job
from tests.naive import mixing

SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
STATES = 97_020
EXACT = 1e-12


def walked(data: Path, name: str, walk: str, turns: int, threads: int = 2) -> list[Measurement]:
    source = Sources(data).table(name)
    return compute_mixing(source.puzzle, source.space, source.table, walk, turns, threads, quiet())


def wheels(walk: str) -> mixing.Choices:
    """The turns that a walk may choose."""

    def choices(state: str, last: str) -> Iterable[tuple[str, str]]:
        for move in naive.FULL_TURNS:
            if walk == "any" or last[:1] != move[0]:
                yield move, naive.turn(state, move)

    return choices


def agrees(
    found: list[Measurement],
    start: str,
    choices: mixing.Choices,
    known: dict[str, int],
    states: int,
) -> None:
    """Compare each turn with that of the reference implementation, to 1e-12."""
    now = {(start, ""): Fraction(1)}
    for turn in found:
        by_state = mixing.of_states(now)
        assert turn.reached == len(by_state)
        assert abs(turn.from_uniform - mixing.from_uniform(by_state, states)) < EXACT
        by_distance = [Fraction(0)] * len(turn.by_distance)
        for state, probability in by_state.items():
            by_distance[known[state]] += probability
        assert np.abs(np.array(turn.by_distance) - np.array(by_distance, float)).max() < EXACT
        now = mixing.turned(now, choices)


@pytest.mark.parametrize(("walk", "turns"), [("any", 4), ("alternate", 5)])
def test_wheels_agree_with_the_reference(
    data: Path, known: dict[str, int], walk: str, turns: int
) -> None:
    found = walked(data, "novice", walk, turns)
    agrees(found, SOLVED, wheels(walk), known, STATES)


def slides(state: str) -> Iterable[tuple[str, str]]:
    """The moves of a board of 2 rows and 3 columns,
    by the place that the tile comes from, and the boards behind.
    """
    at = state.index("0")
    for place in range(6):
        if abs(place // 3 - at // 3) + abs(place % 3 - at % 3) == 1:
            board = [*state]
            board[at], board[place] = board[place], board[at]
            yield f"{place} {at}", "".join(board)


def small(data: Path) -> tuple[str, dict[str, int]]:
    """The table of a board whose states differ in their number of moves,
    and the distances of the reference.
    """
    puzzle = find("sliding-2x3")
    quiet_job(TableJob, puzzle, data).build()
    return puzzle.goal().start, naive.distances(puzzle.goal().start.replace(" ", ""), slides)


def test_moves_that_are_not_always_legal(tmp_path: Path) -> None:
    start, known = small(tmp_path)
    agrees(
        walked(tmp_path, "sliding-2x3", "any", 10),
        start,
        lambda state, _last: slides(state),
        known,
        360,
    )


@pytest.mark.parametrize(
    ("name", "all_reached", "one_percent", "one_in_a_thousand"),
    [("novice", 13, 31, 45), pytest.param("challenger", 13, 34, 50, marks=pytest.mark.matrix)],
)
def test_the_figures_of_a_walk_on_orbits(
    data: Path,
    tmp_path: Path,
    name: str,
    all_reached: int,
    one_percent: int,
    one_in_a_thousand: int,
) -> None:
    """README.md has them, from a walk of another kind: research/turnstile_mixing/README.md."""
    shutil.copy(table_path(data, name), tmp_path)
    turns = walked(tmp_path, name, "alternate", one_in_a_thousand)
    assert next(turn.turn for turn in turns if turn.reached == turns[-1].reached) == all_reached
    assert next(turn.turn for turn in turns if turn.from_uniform < 1e-2) == one_percent
    assert next(turn.turn for turn in turns if turn.from_uniform < 1e-3) == one_in_a_thousand


def test_threads_change_nothing(data: Path) -> None:
    assert walked(data, "novice", "alternate", 12, threads=1) == walked(
        data, "novice", "alternate", 12, threads=3
    )


def test_only_wheels_alternate(tmp_path: Path) -> None:
    small(tmp_path)
    with pytest.raises(UnknownWalk, match="no wheels"):
        walked(tmp_path, "sliding-2x3", "alternate", 3)


def test_probabilities_that_do_not_sum_to_1_are_refused() -> None:
    """Here the goal is said to have no distance."""
    space = find("novice").space(find("novice").goal())
    distances = np.zeros(space.size, np.int8)
    distances[space.goal_states] = -1
    walk = Walk(space, np.zeros(10, np.int64), distances, (1,), 2)
    with pytest.raises(VerificationError, match=r"after turn 0 the probabilities sum to 0"):
        walk.measure()


def test_a_walk_that_memory_cannot_hold_is_refused() -> None:
    puzzle = find("turnstile")
    space = puzzle.space(puzzle.goal())
    with pytest.raises(Shortage, match="turnstile needs about 214 GB of memory"):
        require_mixing_memory(puzzle, space, wheels_of(puzzle, space, "alternate"), 64 << 30)
