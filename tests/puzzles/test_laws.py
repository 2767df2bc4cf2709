"""The laws of every puzzle that discovery finds."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from puzzlebase.builder.certificate import certify
from puzzlebase.puzzles import (
    UNREACHED,
    Distances,
    Goal,
    Indices,
    Puzzle,
    PuzzleError,
    UnknownPuzzle,
    all_families,
    find,
)
from puzzlebase.puzzles.contract.errors import LacksPlugin
from puzzlebase.puzzles.contract.space import SearchGraph
from puzzlebase.puzzles.discovery import unreadable
from puzzlebase.puzzles.machinery.frontier import next_layer
from puzzlebase.sorted_arrays import is_among
from puzzlebase.testing.puzzles import OF_SPACES, OF_TEXTS, Law, looks_follow_play, sample
from tests.fixtures import Held, enumerated
from tests.matrix import FIRST, only

ALL = [name for family in all_families() for name in family.members if find(name).enumerable]
MEMBERS = only(FIRST.__contains__, ALL)
QUICK = {"challenger", *FIRST} - {"avenger", "panguru"}
"""Those whose products are made at once."""
EACH = [(name, goal.name) for name in ALL for goal in find(name).goals]
CASES = only(lambda case: case[0] in FIRST, EACH)
LETTERED = only(FIRST.__contains__, [name for name in ALL if find(name).board.letters])

LAWS = [*OF_SPACES, *(law for law in OF_TEXTS if law is not looks_follow_play)]
"""Those of looks are stronger in test_boards.py, which moves the pieces."""

SMALL = 100_000
"""The most states of a puzzle whose every distance is found;
larger ones have layers near the goal.
"""
NEAR = 2_000
"""The most vertices of a layer near the goal."""


def case(name: str, goal: str) -> tuple[Puzzle, Goal]:
    puzzle = find(name)
    return puzzle, puzzle.goal(goal)


def test_there_are_puzzles() -> None:
    assert not unreadable()
    assert {"novice", "challenger", "avenger", "avenger-sixths"} <= set(ALL)
    for family in all_families():
        assert all(family.pattern.fullmatch(name) for name in family.members)


@pytest.mark.parametrize("name", MEMBERS)
def test_a_name_finds_its_puzzle(name: str) -> None:
    puzzle = find(name)
    assert puzzle.name == name
    assert find(name) is puzzle
    assert puzzle.goal() is puzzle.goals[0]


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("name", "goal_name"), CASES)
def test_puzzles_obey_the_laws(law: Law, name: str, goal_name: str) -> None:
    law(*case(name, goal_name))


@pytest.mark.parametrize(
    "name",
    [
        "", "AVENGER", "avenger-sixths-sixths", "novice\n", "é" * 10_000, "../x",
        "sliding-1x3", "sliding-4x5", "sliding-03x3", "sliding-" + "9" * 4000 + "x2", "sliding-3x٣",
        "quantum-2x2-0", "quantum-2x2-10001", "quantum-2x2-08", "quantum-5x2-2",
        "quantum-3x3-1", "quantum-2x2-9-bulk", "quantum-2x2-2-bulk-bulk",
        "hanoi-nnn-0", "hanoi-nnn-65", "hanoi-nnn-05", "hanoi-nnx-5", "hanoi-nnn-5-bulk",
        "panex-0", "panex-07", "panex-27",
        "panguru-3", "panguru-54321", "panguru-2345", "panguru-4-45", "panguru-plain-5432",
        "tiles-3x3-21", "tiles-3x3-11", "tiles-2x2-12", "tiles-3x3-a", "tiles-4x4-123456789",
    ],
)  # fmt: skip
def test_other_names_are_unknown(name: str) -> None:
    with pytest.raises(UnknownPuzzle) as caught:
        find(name)
    assert len(str(caught.value)) < 200
    assert isinstance(caught.value, LacksPlugin) or "avenger" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("name", only(QUICK.__contains__, ALL))
def test_product_form_is_sound(name: str) -> None:
    """Each space once, where several goals share it: a large one takes a while to make."""
    puzzle = find(name)
    spaces = [puzzle.space(goal) for goal in puzzle.goals]
    for make, graph in {
        graph.product: graph for space in spaces for graph in (space, space.stored())
    }.items():
        if make:
            product = make()
            assert (
                graph.size
                == (int(product.row_move.max()) + 1) * product.width
                == product.rows * product.width
            )
            every = np.arange(product.width)
            assert np.array_equal(product.column_map[0], every)
            assert all(np.array_equal(np.sort(columns), every) for columns in product.column_map)
            vertices = np.random.default_rng(3).integers(0, graph.size, 2000)
            assert np.array_equal(product.expand(vertices), graph.expand(vertices))


@pytest.mark.slow
@pytest.mark.parametrize("name", LETTERED)
def test_a_text_that_ranks_also_parses(name: str) -> None:
    """Random texts are tried, from states with a few characters changed or swapped to noise.

    One that parses and has no index is a state that cannot be reached:
    no move leads from it into the space.
    """
    puzzle, goal = case(name, find(name).goal().name)
    assert puzzle.board.letters
    noise = np.random.default_rng(4)
    boards = puzzle.space(goal).unrank(sample(puzzle, goal, 2000)).copy()
    known = np.unique(boards)
    for board, changes in zip(boards, noise.integers(0, 4, len(boards)).tolist(), strict=True):
        for _ in range(changes):
            one, other = noise.integers(0, puzzle.board.letters.length, 2)
            board[one], board[other] = board[other], board[one]
            board[noise.integers(0, puzzle.board.letters.length)] = noise.choice(
                [*known, noise.integers(0, 128)]
            )
    accepted, moves = 0, [move.name for move in puzzle.moves]
    for board, index in zip(boards, puzzle.space(goal).rank(boards).tolist(), strict=True):
        text = board.tobytes().decode("ascii")
        try:
            puzzle.parse(text)
        except PuzzleError:
            assert index < 0, text
        else:
            accepted += 1
            led = puzzle.played(text, moves).values()
            assert index >= 0 or not any(puzzle.index(after, goal) >= 0 for after in led), text
    assert 300 < accepted < 1900


class Near(NamedTuple):
    """The first layers around the goal of a large puzzle, with distances read as from a table."""

    searched: SearchGraph
    layers: list[Indices]

    @classmethod
    def of(cls, searched: SearchGraph) -> Near:
        """All layers up to the first with more than NEAR vertices."""
        layers = [np.empty(0, np.int64), searched.graph.goal_states]
        while len(layers) < 3 or 0 < len(layers[-1]) <= NEAR:
            layers.append(next_layer(searched.graph, layers[-1], layers[-2], lambda *_: None))
        return cls(searched, layers[1:])

    def probe(self, vertices: Indices) -> Distances:
        """The distances of vertices in the layers, UNREACHED for all others."""
        distances = np.full(len(vertices), UNREACHED, np.int32)
        for distance, layer in enumerate(self.layers):
            distances[is_among(self.searched.representatives(vertices), layer)] = distance
        return distances


@cache
def distances(name: str, goal_name: str) -> Held | Near:
    puzzle, goal = case(name, goal_name)
    space = puzzle.space(goal)
    return Held(enumerated(space.stored())) if space.size <= SMALL else Near.of(space.searched())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "goal_name"), CASES)
def test_distances_are_proved(name: str, goal_name: str) -> None:
    """Prove a small puzzle by its certificate,
    and a large one near the goal by the certificate's rule.
    """
    puzzle, goal = case(name, goal_name)
    known = distances(name, goal_name)
    if isinstance(known, Held):
        graph = puzzle.space(goal).stored()
        proved, _ = certify("states", graph, known, 2)
        assert proved.vertices == graph.size
        if puzzle.space(goal).connected:
            assert (known.distances >= 0).all()
        return
    assert np.array_equal(known.layers[0], known.searched.graph.goal_states)
    for distance, layer in enumerate(known.layers[1:-1], 1):
        successors = known.searched.graph.expand(layer)
        found = known.probe(successors.reshape(-1)).reshape(successors.shape)
        legal = successors >= 0
        assert np.array_equal(known.probe(layer), np.full(len(layer), distance))
        assert (abs(found - distance) <= 1)[legal].all()
        assert ((found == distance - 1) & legal).any(axis=1).all()
