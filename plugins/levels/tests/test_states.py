"""plugins/levels/states: found, numbered, with distances and a certificate, on random graphs with one-way moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from puzzlebase.builder.breadth_first import directed
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.plugins.levels.formats import pegs
from puzzlebase.plugins.levels.report import DistancesInMemory, prove
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.numbered import PackedStates, Ranking, reachable
from puzzlebase.plugins.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.plugins.levels.text import Grid, LevelText
from puzzlebase.puzzles import Distances, Space
from tests.fixtures import quiet
from tests.naive import levels as naive
from tests.naive.levels import Game


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


def found(rules: PackedRules, ranking: Ranking | DenseRanking) -> tuple[Space, Distances]:
    """The space of states with these numbers, and their distances."""
    states = PackedStates(rules, ranking)
    space = states.space(int(ranking.rank(rules.start[None, :])[0]), states.solved(2))
    return space, directed.distances_backwards(space, 2).view(np.int32)


def moves_of(space: Space, distances: Distances) -> int:
    """The number of moves, where the set and its distances are proved."""
    return prove(space, DistancesInMemory(distances), 2, quiet())


GRAPHS = [(2000, 2, 1, 1), (500, 3, 3, 3), (1, 1, 1, 5)]


@pytest.mark.parametrize("graph", GRAPHS)
def test_distances_are_those_of_the_reference(graph: tuple[int, int, int, int]) -> None:
    """Of all states; other keys have no number. The certificate refuses keys that are left out or there twice."""
    random = Random(*graph)
    after, expected = naive.distances(random.game())
    ranking = Ranking.of(reachable(random.rules))
    space, distances = found(random.rules, ranking)
    keys = ranking.keys(np.arange(ranking.size))
    vertices = [random.number[tuple(key)] for key in keys.tolist()]
    assert sorted(vertices) == sorted(after)
    assert np.array_equal(ranking.rank(keys), np.arange(ranking.size))
    assert (ranking.rank(keys ^ np.uint64(1 << 20)) == -1).all()
    assert distances.tolist() == [expected.get(vertex, -1) for vertex in vertices]
    assert moves_of(space, distances) == sum(len(random.after[vertex]) for vertex in vertices)
    if ranking.size > 7:
        for changed in (np.delete(keys, 7, 0), np.append(keys, keys[:1], 0)):
            with pytest.raises(VerificationError):
                moves_of(*found(random.rules, Ranking.of(changed)))


def test_codes_number_what_masks_span() -> None:
    """Three masks of which two make the third, and one that crosses them: eight keys."""
    masks = [0b0011, 0b0110, 0b0101, 1 << 63 | 0b0001]
    codes = Codes.of(0b1000_0010, masks)
    keys = codes.keys(np.arange(8))
    spanned = {0b1000_0010 ^ a * 0b0011 ^ b * 0b0110 ^ c * masks[3] for a in (0, 1) for b in (0, 1) for c in (0, 1)}
    assert codes.bits == 3
    assert {*keys[:, 0].tolist()} == spanned
    marks = np.zeros(8, np.uint8)
    marks[[1, 4, 5]] = 1
    ranking = DenseRanking.of(codes, marks)
    assert ranking.rank(keys).tolist() == [-1, 0, -1, -1, 1, 2, -1, -1]
    assert np.array_equal(ranking.keys(np.arange(3)), keys[[1, 4, 5]])
    assert (ranking.rank(keys ^ np.uint64(1 << 20)) == -1).all()
    assert (ranking.rank(keys ^ codes.parities[:1, 0]) == -1).all()


def test_the_certificate_refuses_bits_of_codes_that_are_wrong() -> None:
    board = Grid.of("oooo/oo.o/oooo/oooo")
    rules = pegs.game(LevelText("", {}, board)).rules
    codes = Codes.of(int(rules.start[0]), rules.masks)
    ranking = densely_reachable(rules, codes, 2)
    space, distances = found(rules, ranking)
    assert moves_of(space, distances) > ranking.size > 1000
    marks = np.unpackbits(ranking.bits.view(np.uint8), bitorder="little")[: 1 << codes.bits]
    for at in np.random.default_rng(1).integers(0, len(marks), 10).tolist():
        changed = marks.copy()
        changed[at] ^= 1
        with pytest.raises(VerificationError):
            moves_of(*found(rules, DenseRanking.of(codes, changed)))
