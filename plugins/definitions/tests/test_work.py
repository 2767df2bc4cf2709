"""The work that definitions cost before they answer: counted in steps, and bounded."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from puzzlebase.builder import TableJob
from puzzlebase.db.errors import DamagedTable
from puzzlebase.plugins.definitions import symmetries as module
from puzzlebase.plugins.definitions.definition import Definition, PieceSet, Transformation
from puzzlebase.plugins.definitions.ksolve import read_ksolve
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.symmetries import symmetries
from puzzlebase.plugins.definitions.symmetry_classes import SymmetryClasses
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.work import NUMBERING, Work
from puzzlebase.plugins.patterns import definitions as patterns
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.puzzles.machinery.spaces import SPACES
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import Held, enumerated, quiet_job
from tests.puzzles.enumerating import all_distances

from .small_definitions import SMALL, definitions_from, turning, written

pytestmark = pytest.mark.needs("patterns")

QUICK = 1 << 26  # steps: a fifth of a second or so


def of_swaps(places: int, moves: list[list[tuple[int, int]]]) -> Definition:
    """A definition of moves that swap the pieces of some places."""
    turns = {}
    for number, pairs in enumerate(moves):
        source = np.arange(places)
        for one, other in pairs:
            source[[one, other]] = other, one
        turns[f"m{number}-"] = Transformation(source, np.zeros(places, np.int64))
    none = np.zeros(places, np.int64)
    return Definition("", (PieceSet("P", places, 1),), np.arange(places), none, none + 1, turns)


def switches(count: int) -> Definition:
    """A definition of switches, each with a move of its own."""
    still = np.arange(count)
    turns = {
        f"d{number}-": Transformation(still, (still == number).astype(np.int64)) for number in still
    }
    return Definition("", (PieceSet("D", count, 2),), still, still * 0, still * 0 + 2, turns)


def stars(places: int) -> Definition:
    """A definition of all swaps with the first place."""
    return of_swaps(places, [[(0, place)] for place in range(1, places)])


def alike_but_for_the_last(count: int, size: int) -> Definition:
    """Moves of `size` swaps that look alike in pairs;
    a last one meets each of them in other places.
    """
    moves = [
        [(at, at + 1) for at in range(2 * size * number, 2 * size * (number + 1), 2)]
        for number in range(count)
    ]
    met = [moves[number][which][0] for number in range(count) for which in range(number)]
    last = [*zip(met, range(2 * size * count, 2 * size * count + len(met)), strict=True)]
    return of_swaps(2 * size * count + len(met), [*moves, last])


def numbered(definition: Definition) -> Numbered:
    return Numbered(Texts(definition), all_moves(definition))


@pytest.mark.parametrize(
    ("definition", "count"),
    [
        (switches(6), 720),
        (stars(7), 720),
        (alike_but_for_the_last(14, 14), 1),
        (read_ksolve(turning(127)), 126),
        # 0 and 1
        (of_swaps(16, [[(a, b), (b + 1, 15)] for a, b in combinations(range(14), 2)]), 2),
        (switches(20), 1),  # 20! are too many
        (of_swaps(48, [[(at, at + 1)] for at in range(0, 48, 2)]), 1),
    ],
    ids=["switches", "stars", "alike", "cycle", "swaps", "too many switches", "too many swaps"],
)
def test_symmetries_are_found_in_few_steps(
    monkeypatch: pytest.MonkeyPatch, definition: Definition, count: int
) -> None:
    monkeypatch.setattr(module, "SYMMETRIES", QUICK)
    turns = [move.turn for move in all_moves(definition)]
    found = symmetries(definition, turns)
    assert len(found) == count


LAYERS = [1, 6, 30, 135, 460, 1110, 1689, 1254, 340, 15]
"""Of the star graph of seven: OEIS A007799."""


@pytest.mark.parametrize(
    ("definition", "layers"), [(switches(6), [comb(6, on) for on in range(7)]), (stars(7), LAYERS)]
)
def test_rows_up_to_many_symmetries(definition: Definition, layers: list[int]) -> None:
    states = numbered(definition)
    space = states.space()
    assert states.work.left > NUMBERING - 4 * QUICK
    assert isinstance(space.storage, SymmetryClasses)
    assert space.storage.symmetries == 720
    assert space.storage.problem(space.goal_states) is None
    assert np.bincount(all_distances(space)).tolist() == layers
    stored = Held(enumerated(space.stored()))
    assert (space.distances(np.arange(space.size), stored.probe) == all_distances(space)).all()


def test_many_pieces_that_few_moves_turn_are_listed_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """200 switches in 9 groups:
    their splits into rows and columns are far too many to look at all.
    """
    still = np.arange(200)
    groups = combinations_with_replacement(range(9), 2)
    turns = {
        f"m{a}{b}-": Transformation(still, np.isin(still % 9, (a, b)).astype(np.int64))
        for a, b in groups
    }
    states = numbered(replace(switches(200), generators=turns))
    play = Mock(wraps=states.texts.player([*turns.values()]))
    monkeypatch.setattr(Texts, "player", lambda *_given: play)
    assert states.numbering[:2] == ("list", 1 << 9)
    assert max(len(call.args[0]) for call in play.mock_calls) * len(turns) * 400 <= 1 << 22


def test_without_symmetries_that_take_too_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A table with them, built before, is refused."""
    file = written(tmp_path, "small", SMALL["corners"].text)
    with definitions_from(tmp_path):
        puzzle = file.puzzle("small")
        job = quiet_job(TableJob, puzzle, tmp_path)
        job.build()
        assert job.space.storage is not STATES
        SPACES.free()
        monkeypatch.setattr(module, "SYMMETRIES", 1000)
        assert numbered(file.definition).space().storage is STATES
        with pytest.raises(DamagedTable, match="another"):
            Sources(tmp_path).table("small")


def test_beyond_the_work_of_numbering_a_bound_is_left() -> None:
    """Groups are not proved to be whole, and parts are not listed."""
    states = numbered(stars(7))
    states.work = Work(1000)
    assert states.count == (5040, False, 1)
    assert states.numbering.kind != "product"


def test_patterns_are_chosen_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SYMMETRIES", QUICK)
    monkeypatch.setattr(patterns, "PATTERNS", QUICK)
    assert not patterns.patterns_of(alike_but_for_the_last(14, 14))
