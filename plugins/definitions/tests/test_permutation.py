"""Definitions whose moves only permute pieces,
against a reference implementation, which follows cycles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from puzzlebase.plugins.definitions.definition import Definition, PieceSet, Transformation
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.puzzle import puzzle_of
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.testing.puzzles import OF_SPACES
from tests import naive
from tests.fixtures import Held, enumerated
from tests.naive.permutation import Cycles, permutation_neighbours


class Case(NamedTuple):
    """A permutation puzzle: letters in places, generators,
    and the number of its states and their numbering.
    """

    solved: str
    generators: dict[str, Cycles]
    powers: bool
    states: int
    kind: str

    @property
    def definition(self) -> Definition:
        """One set, whose pieces have these letters."""
        places = len(self.solved)
        labels = np.array([ord(letter) - ord("A") for letter in self.solved])
        none = np.zeros(places, np.int64)
        turns = {}
        for name, cycles in self.generators.items():
            turns[name] = Transformation.none(places)
            for cycle in cycles:
                turns[name].source[[*cycle]] = [*cycle[-1:], *cycle[:-1]]
        whole = Definition("", (PieceSet("P", places, 1),), labels, none, none + 1, turns)
        return whole if self.powers else whole.quarter


RINGS: dict[str, Cycles] = {"A": [range(6)], "B": [(0, 2, 6, 7, 8, 9)]}
SMALL = {
    "different letters": Case(
        "ABCDEF", {"R": [range(6)], "T": [(0, 3), (1, 2)]}, True, 720, "product"
    ),
    "even permutations": Case(
        "ABCDEF", {"A": [(0, 1, 2, 3, 4)], "B": [(3, 4, 5)]}, False, 360, "product"
    ),
    "a small group": Case(
        "ABCDEF", {"R": [(0, 2, 4), (1, 3, 5)], "F": [(0, 1), (2, 3)]}, True, 12, "group"
    ),
    "rings of two colours": Case("AAAAABBBBB", RINGS, False, 252, "product"),
    "places that do not move": Case("BABCB", {"R": [(1, 2, 3)]}, False, 3, "group"),
    "pairs in step": Case("AABB", {"R": [(0, 1), (2, 3)], "F": [(0, 2), (1, 3)]}, True, 2, "list"),
    "orbits that move together": Case(
        "ABCDEFGH", {"R": [range(4), range(4, 8)]}, False, 4, "group"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_distances_agree_with_the_twin_on_all_states(name: str) -> None:
    case = SMALL[name]
    definition = case.definition
    puzzle = puzzle_of("case", definition)
    space = puzzle.space(puzzle.goal())
    assert (
        Numbered(Texts(definition), all_moves(definition)).numbering.kind,
        space.size,
    ) == case[:2:-1]
    distances = space.distances(np.arange(space.size), Held(enumerated(space.stored())).probe)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    known = naive.distances(
        case.solved, permutation_neighbours(case.generators, powers=case.powers)
    )
    assert dict(zip(texts, distances.tolist(), strict=True)) == known
    for law in OF_SPACES:
        law(puzzle, puzzle.goal())


def test_permutations_that_are_no_elements_have_no_number() -> None:
    definition = SMALL["a small group"].definition
    texts = Texts(definition)
    space = Numbered(texts, all_moves(definition)).space()
    boards = np.stack([texts.parse(text) for text in ("ABCDEF", "BACDEF", "FEDCBA")])
    assert space.rank(boards)[1:].tolist() == [-1, -1]


def test_moves_are_named_by_generator_and_power() -> None:
    moves: dict[str, Cycles] = {"A": [range(5)], "B": [range(4)], "C": [(0, 1)]}
    case = Case("ABCDE", moves, True, 120, "product")
    puzzle = puzzle_of("names", case.definition)
    assert [move.name for move in puzzle.moves] == ["A", "A2", "A2'", "A'", "B", "B2", "B'", "C"]
    assert [move.group for move in puzzle.moves] == ["pieces of A"] * 4 + ["pieces of B or C"] * 4
    plain = puzzle_of("names", case.definition.quarter)
    assert [move.name for move in plain.moves] == ["A", "A'", "B", "B'", "C"]
    assert plain.play("ABCDE", "A") == "EABCD"
    assert puzzle.play("ABCDE", "A2") == "DEABC"
