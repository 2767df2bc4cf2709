"""plugins/levels/states: keys of pegs numbered by codes, and the certificate of their set."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.builder.breadth_first.directed import distances_backwards
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.plugins.levels.formats import pegs
from puzzlebase.plugins.levels.report import DistancesInMemory, prove_level
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.packed import PackedRules, boards_of
from puzzlebase.plugins.levels.states.reachable import PackedStates
from puzzlebase.plugins.levels.text import Grid, LevelText, Words
from tests.fixtures import quiet


def proved(rules: PackedRules, ranking: DenseRanking) -> None:
    """Prove that a set has all states, and their distances."""
    states = PackedStates(rules, ranking)
    [start] = ranking.number(boards_of(rules.start[None])).tolist()
    space = states.space(states.all_solved(), start)
    prove_level(space, DistancesInMemory(distances_backwards(space, 2).view(np.int32)), 2, quiet())


def test_codes_number_what_masks_span() -> None:
    """Three masks of which two make the third, and one that crosses them: eight keys."""
    masks = [0b0011, 0b0110, 0b0101, 1 << 63 | 0b0001]
    codes = Codes.of(0b1000_0010, masks)
    keys = codes.keys(np.arange(8))
    spanned = {
        0b1000_0010 ^ a * 0b0011 ^ b * 0b0110 ^ c * masks[3]
        for a in (0, 1)
        for b in (0, 1)
        for c in (0, 1)
    }
    assert codes.bits == 3
    assert {*keys[:, 0].tolist()} == spanned
    marks = np.zeros(8, np.uint8)
    marks[[1, 4, 5]] = 1
    ranking = DenseRanking.of(codes, marks)
    assert ranking.number(boards_of(keys)).tolist() == [-1, 0, -1, -1, 1, 2, -1, -1]
    assert np.array_equal(ranking.boards(np.arange(3)), boards_of(keys[[1, 4, 5]]))
    assert (ranking.number(boards_of(keys ^ np.uint64(1 << 20))) == -1).all()
    assert (ranking.number(boards_of(keys ^ codes.parities[:1, 0])) == -1).all()


def test_the_certificate_refuses_bits_of_codes_that_are_wrong() -> None:
    board = Grid.of("oooo/oo.o/oooo/oooo")
    rules = pegs.Pegs(LevelText(Words(), board)).rules
    codes = Codes.of(int(rules.start[0]), rules.masks)
    ranking = densely_reachable(rules, codes, 2, 1 << 20, lambda *_: None)
    assert ranking.count > 1000
    proved(rules, ranking)
    marks = np.unpackbits(ranking.bits.view(np.uint8), bitorder="little")[: 1 << codes.bits]
    for at in np.random.default_rng(1).integers(0, len(marks), 10).tolist():
        changed = marks.copy()
        changed[at] ^= 1
        with pytest.raises(VerificationError):
            proved(rules, DenseRanking.of(codes, changed))
