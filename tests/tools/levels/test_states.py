"""tools/levels/states: found, numbered, with distances and a certificate, on random graphs with one-way moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from puzzlebase.builder.breadth_first import directed
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.puzzles import Distances, Space
from puzzlebase.tools.levels.formats import pegs
from puzzlebase.tools.levels.report import DistancesInMemory, prove
from puzzlebase.tools.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.tools.levels.states.numbered import PackedStates
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.tools.levels.states.ranking import Ranking, reachable
from puzzlebase.tools.levels.text import Grid, LevelText
from tests.conftest import quiet
from tests.naive.levels import Game, explore


class Random:
    """A random graph whose vertices have random keys; vertex 0 is the start."""

    def __init__(self, size: int, slots: int, words: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        after = np.sort(random.integers(-1, size, (size, slots)), axis=1)[:, ::-1].tolist()
        self.keys: Keys = random.integers(0, 1 << 62, (size, words), np.uint64)
        self.after = [[to for to in row if to >= 0] for row in after]
        self.solved = {*random.integers(0, size, 3).tolist()}
        self.number = {tuple(key): number for number, key in enumerate(self.keys.tolist())}
        self.slots = slots
        self.rules = PackedRules(self.keys[0], self._successors, self._solved)

    def _successors(self, keys: Keys) -> Keys:
        after = np.full((len(keys), self.slots, keys.shape[1]), NO_STATE)
        for row, key in enumerate(keys.tolist()):
            there = self.after[self.number[tuple(key)]]
            after[row, : len(there)] = self.keys[there]
        return after

    def _solved(self, keys: Keys) -> npt.NDArray[np.bool_]:
        return np.array([self.number[tuple(key)] in self.solved for key in keys.tolist()], np.bool_)

    def game(self) -> Game:
        """The same for the reference search."""
        return Game(0, lambda state: self.after[state], lambda state: state in self.solved)

    def numbered(self, threads: int = 2) -> PackedStates:
        """Its states, found and numbered."""
        return PackedStates(self.rules, Ranking.of(reachable(self.rules, threads)))


def space_of(states: PackedStates) -> Space:
    """The space of states."""
    return states.space(int(states.ranking.rank(states.rules.start[None, :])[0]), states.solved(2))


def distances_of(states: PackedStates) -> Distances:
    """The distances of all states, -1 where there is none."""
    return directed.distances_backwards(space_of(states), 2).view(np.int32)


def moves_of(states: PackedStates, distances: Distances) -> int:
    """The number of moves, where the set and its distances are proved."""
    return prove(space_of(states), DistancesInMemory(distances), 2, quiet())


GRAPHS = [(2000, 2, 1, 1), (3000, 1, 1, 2), (500, 3, 3, 3), (5000, 2, 2, 4), (400, 2, 4, 6), (1, 1, 1, 5)]


@pytest.mark.parametrize("graph", GRAPHS)
def test_distances_are_those_of_the_reference(graph: tuple[int, int, int, int]) -> None:
    random = Random(*graph)
    known = explore(random.game())
    states = random.numbered()
    assert states.ranking.size == known.states
    distances = distances_of(states)
    assert (distances < 0).sum() == known.lost
    start = distances[states.ranking.rank(random.keys[:1])[0]]
    assert start == (-1 if known.par is None else known.par)
    inside = {random.number[tuple(key)] for key in states.ranking.keys(np.arange(known.states)).tolist()}
    assert moves_of(states, distances) == sum(len(random.after[vertex]) for vertex in inside)


def refused(states: PackedStates, distances: Distances) -> None:
    """The certificate refuses states or their distances."""
    with pytest.raises(VerificationError):
        moves_of(states, distances)


def test_the_certificate_refuses_a_key_that_is_left_out_or_there_twice() -> None:
    random = Random(2000, 2, 1, 1)
    states = random.numbered()
    distances = distances_of(states)
    keys = states.ranking.keys(np.arange(states.ranking.size))
    for changed, known in ((np.delete(keys, 7, 0), np.delete(keys, 7, 0)), (np.append(keys, keys[:1], 0), keys)):
        others = PackedStates(random.rules, Ranking.of(changed))
        moved = np.full(len(changed), -1, np.int32)
        moved[others.ranking.rank(known)] = distances[states.ranking.rank(known)]
        refused(others, moved)


def test_keys_are_numbered_and_found_again() -> None:
    random = np.random.default_rng(3)
    for keys in (
        random.integers(0, 1 << 63, (20_000, 1), np.uint64),
        np.arange(20_000, dtype=np.uint64)[:, None] + np.uint64(1 << 40),
        np.arange(20_000, dtype=np.uint64)[:, None],
        random.integers(0, 9, (20_000, 4), np.uint64),
        np.zeros((1, 1), np.uint64),
    ):
        distinct = np.unique(keys, axis=0)
        ranking = Ranking.of(random.permutation(distinct))
        numbers = ranking.rank(distinct)
        assert np.array_equal(np.sort(numbers), np.arange(len(distinct)))
        assert np.array_equal(ranking.keys(numbers), distinct)
        have = {*map(tuple, distinct.tolist())}
        for bit in (0, 3, 20, 62):
            others = distinct ^ np.uint64(1 << bit)
            there = np.array([tuple(key) in have for key in others.tolist()])
            assert np.array_equal(ranking.rank(others) >= 0, there)


def test_codes_number_what_masks_span() -> None:
    """Three masks of which two make the third, and one that crosses them: eight keys."""
    masks = [0b0011, 0b0110, 0b0101, 1 << 63 | 0b0001]
    codes = Codes.of(0b1000_0010, masks)
    keys = codes.keys(np.arange(8))
    spanned = {0b1000_0010 ^ a * 0b0011 ^ b * 0b0110 ^ c * masks[3] for a in (0, 1) for b in (0, 1) for c in (0, 1)}
    assert codes.bits == 3
    assert {*keys[:, 0].tolist()} == spanned
    found = np.zeros(8, np.uint8)
    found[[1, 4, 5]] = 1
    ranking = DenseRanking.of(codes, found)
    assert ranking.rank(keys).tolist() == [-1, 0, -1, -1, 1, 2, -1, -1]
    assert np.array_equal(ranking.keys(np.arange(3)), keys[[1, 4, 5]])
    assert (ranking.rank(keys ^ np.uint64(1 << 20)) == -1).all()
    assert (ranking.rank(keys ^ codes.parities[:1, 0]) == -1).all()


def test_the_certificate_refuses_bits_of_codes_that_are_wrong() -> None:
    board = Grid.of("oooo/oo.o/oooo/oooo")
    rules = pegs.game(LevelText("", {}, board)).rules
    codes = Codes.of(int(rules.start[0]), rules.masks)
    ranking = densely_reachable(rules, codes, 2)
    assert ranking.size > 1000
    states = PackedStates(rules, ranking)
    distances = distances_of(states)
    assert moves_of(states, distances) > ranking.size
    found = np.unpackbits(ranking.bits.view(np.uint8), bitorder="little")[: 1 << codes.bits]
    for at in np.random.default_rng(1).integers(0, len(found), 10).tolist():
        changed = found.copy()
        changed[at] ^= 1
        others = PackedStates(rules, DenseRanking.of(codes, changed))
        number = int(found[:at].sum())
        moved = np.insert(distances, number, -1) if changed[at] else np.delete(distances, number)
        refused(others, moved)
