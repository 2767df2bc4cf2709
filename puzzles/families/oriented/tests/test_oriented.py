"""families/oriented: the color wheels with oriented corners, against marks that point somewhere."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import TableJob
from puzzlebase.puzzles import ImpossibleState, InvalidState, PatternDatabases, find
from puzzlebase.puzzles.families.oriented import orientation_maps, patterns_of
from puzzlebase.puzzles.machinery.frontier import next_layer
from puzzlebase.service.answers.solutions import solve
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import quiet_job
from tests.naive import oriented as reference
from tests.proofs import subgroup
from tests.puzzles.enumerating import distances_of
from tests.puzzles.patterns import assert_patterns_follow

NAMES = ("puzzler", "puzzler-edges", "novice-oriented")
LAYERS = [1, 10, 50, 250, 1238, 5948, 29270]
"""Known numbers of states at each distance from the solved Puzzler."""


def walked(name: str, count: int, seed: int) -> list[tuple[str, str, str]]:
    """States of a walk, the move after each,
    and the state after that by the reference implementation.
    """
    puzzle, chosen = find(name), random.Random(seed)
    state, steps = puzzle.goal().start, []
    for _ in range(count):
        move = chosen.choice(naive.FULL_TURNS)
        steps.append((state, move, reference.play(state, move)))
        state = steps[-1][2]
    return steps


@pytest.mark.parametrize("name", NAMES)
def test_both_sides_move_as_the_marks_do(name: str) -> None:
    puzzle = find(name)
    goal = puzzle.goal()
    space = puzzle.space(goal)
    for state, move, after in walked(name, 60, seed=1):
        assert puzzle.play(state, move) == after
        index, to = puzzle.index(state, goal), puzzle.index(after, goal)
        number = naive.FULL_TURNS.index(move)
        assert space.expand(np.array([index, -1]))[:, number].tolist() == [to, -1]
        assert puzzle.board.canonical(puzzle.text(index, goal)) == puzzle.board.canonical(state)
        if space.product:
            assert space.product().expand(np.array([index]))[0, number] == to


def test_the_layers_are_those_published() -> None:
    space = find("puzzler").space(find("puzzler").goal())
    assert space.size == 123_744_973_968_000
    sizes: list[int] = []
    before, layer = np.empty(0, np.int64), space.goal_states
    while len(sizes) < len(LAYERS):
        sizes.append(len(layer))
        before, layer = layer, next_layer(space, layer, before, lambda *_: None)
    assert sizes == LAYERS
    near = naive.distances(find("puzzler").goal().start, reference.neighbours, 3)
    assert np.bincount(list(near.values())).tolist() == LAYERS[:4]


def test_patterns_move_as_the_puzzler_does() -> None:
    """The orbit that bounds the distance after a move is that of the other wheel."""
    puzzle = find("puzzler")
    patterns = assert_patterns_follow(puzzle)
    assert patterns.tables == ("turnstile", "puzzler-edges")
    wheels = [move.name[0] for move in puzzle.moves]
    for pattern in patterns.patterns:
        assert pattern.vertices is not None
        assert {wheel + "LR"[at] for wheel, at in zip(wheels, pattern.vertices, strict=True)} == {
            "LR",
            "RL",
        }


def test_orientations_alone() -> None:
    """All orientations of the corners whose sum is a multiple of 3 can be reached."""
    distances = distances_of("orientations")
    assert (len(distances), int(distances.min())) == (3**9, 0)


def test_orientations_that_cannot_be() -> None:
    with pytest.raises(InvalidState, match="does not end in a colon"):
        find("puzzler").parse(".AAA.BBB.CCC.DDD.EEE.:000000000")
    for name, text in (
        ("puzzler", ".AAA.BBB.CCC.DDD.EEE.:0000000001"),
        ("orientations", "1000000000"),
    ):
        with pytest.raises(ImpossibleState, match="add up to 1"):
            find(name).parse(text)


def test_a_search_with_patterns_says_what_one_without_says(data: Path, tmp_path: Path) -> None:
    """The Novice has a table as a small pattern: the orbits of its states, and the orientations."""
    alone = find("orientations")
    quiet_job(TableJob, alone, tmp_path).build()
    puzzle = replace(
        find("novice-oriented"),
        engines=(PatternDatabases(patterns=partial(patterns_of, find("novice"))),),
    )
    tables = {
        "novice": Sources(data).table("novice"),
        "orientations": Sources(tmp_path).table("orientations"),
    }
    known = Searchable.of(puzzle, puzzle.goal(), None, patterns=tables)
    plain = Searchable.of(puzzle, puzzle.goal(), None)
    for seed, moves in enumerate((0, 1, 3, 6)):
        state = ([*walked(puzzle.name, moves, seed)] or [("", "", puzzle.goal().start)])[-1][2]
        one, other = (solve(OpenSearch(each, Budget()), state, all=20) for each in (known, plain))
        assert one == other


def test_a_subgroup_of_the_novice_has_its_true_distances(known: dict[str, int]) -> None:
    """Of all ways to place the corners, and of the edges where the corners are at home."""
    parts, solved, states = subgroup.parts_of("novice", "", np.zeros((1, 10), np.int64))
    found = subgroup.distances(parts, solved, states, threads=2)
    home = find("novice").goal().start[1::2]
    inside = [distance for state, distance in known.items() if state[1::2] == home]
    assert found.states == np.bincount(inside).tolist()
    nearest: dict[str, int] = {}
    for state, distance in known.items():
        nearest[state[1::2]] = min(distance, nearest.get(state[1::2], distance))
    assert found.cosets == np.bincount([*nearest.values()]).tolist()
    assert len(found.cosets) + len(found.states) - 2 >= 13, "God's number"


def test_the_parts_of_the_puzzler_move_as_it_does() -> None:
    """Along a walk each part has one value for what is seen of it,
    and another for anything else.
    """
    parts, now, states = subgroup.parts_of("turnstile", "AB", orientation_maps()[1:].T)
    assert [len(part) for part in parts] == [110, 113_400, 990, 3**9]
    assert states * 110 * 113_400 == find("puzzler").space(find("puzzler").goal()).size
    values: list[dict[object, int]] = [{}, {}, {}, {}]
    for state, move, _ in walked("puzzler", 2_000, seed=8):
        edges, corners, digits = state[:21:2], state[1:21:2], state[22:]
        seen = [*map(edges.find, "AB")], corners, [*map(edges.find, "CDE")], digits
        for of_part, text, value in zip(values, map(str, seen), now, strict=True):
            assert of_part.setdefault(text, value) == value
        number = naive.FULL_TURNS.index(move)
        now = tuple(int(part[value, number]) for part, value in zip(parts, now, strict=True))  # type: ignore[assignment]
    assert all(len({*of_part.values()}) == len(of_part) for of_part in values)
    assert len(values[0]) == 110
