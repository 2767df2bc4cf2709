"""research/panex_lengths: words and pieces of level 2, derived from the rules, and the oracle's file of lengths."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles.families.panex.board import MOVES
from puzzlebase.puzzles.families.panex.lengths import all_lengths
from research.panex_lengths.__main__ import find_lengths
from research.panex_lengths.levels import derive
from tests.naive import panex as naive_panex

pytestmark = pytest.mark.plain


SHOWN = ("ab||AB", "|ab|AB", "|b|aAB", "ab|AB|", "aAb|B|")
"""The tiles of sizes 1 and 2 in each shape, as pieces start there."""


@pytest.mark.parametrize("shape", range(5))
def test_base_pieces_do_what_they_say(shape: int) -> None:
    """Pieces without a word are played by the reference implementation, with larger tiles below."""
    under = ("c", "Cd", "D")
    pieces = [piece for piece in derive().base_pieces if piece.start == shape and not piece.word]
    assert {piece.end for piece in pieces} == set(range(5))
    for piece in pieces:
        state = "|".join(track + below for track, below in zip(SHOWN[shape].split("|"), under, strict=True))
        for move in piece.moves:
            state = dict(naive_panex.neighbours(state))[tuple(MOVES)[move]]
        ended = state.split("|")
        small = [track.removesuffix(below) for track, below in zip(ended, under, strict=True)]
        assert "|".join(small).lower() == SHOWN[piece.end].lower()
        line = "".join(small)
        exchanged = [line.index(letter.upper()) < line.index(letter) for letter in "ab"]
        assert exchanged == [bool(piece.flips >> bit & 1) for bit in range(2)]


def test_the_file_of_the_oracle_has_what_the_rules_give() -> None:
    for name, made in find_lengths(26)._asdict().items():
        assert np.array_equal(getattr(all_lengths(), name), made), name
