"""families/panex/levels.py: words, pieces of level 2, types and partial states, derived from the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from puzzlebase.puzzles.families.panex.board import MOVES
from puzzlebase.puzzles.families.panex.levels import DROP, PanexWords, derive
from tests.naive import panex as naive_panex

pytestmark = pytest.mark.plain


def test_words_types_and_partial_states_are_as_many_as_known() -> None:
    levels = derive()
    assert len(levels.words) == 48
    assert len(levels.types) == 330
    assert Counter(start for start, _, _ in levels.types) == {0: 26, 1: 76, 2: 76, 3: 76, 4: 76}
    by_length = Counter(len(levels.words[word]) for _, _, word in levels.types)
    assert by_length == {0: 25, 2: 48, 4: 89, 6: 72, 8: 64, 10: 16, 12: 16}
    assert len(levels.partials) == len(set(levels.partials)) == 1172
    assert len(levels.steps) == len(set(levels.steps)) == 11_185
    assert len({(source, target) for source, _, target in levels.steps}) == 10_745


def test_words_leave_out_what_is_useless() -> None:
    known = PanexWords()

    def word(letters: str) -> bytes | None:
        """A word, None where it is left out; 1^1 lifts tile 1 from the centre, 1v0 drops it on the left."""
        found: bytes | None = b""
        for letter in letters.split():
            assert found is not None
            found = known.then(found, DROP * (letter[1] == "v") + 3 * int(letter[0]) + int(letter[2]))
        return found

    longest = "0^0 1^1 0v1 1v1 1^1 0^1 1v1 0v1 0^1 1^1 0v1 1v0"
    assert known.after[word(longest) or b""].piles == ("1", "02", "3")
    assert word("1^1 1v1") is None
    assert word("1^1 2^1 2v1") == word("1^1")
    assert word("1^1 1v0 1^0 1v1") is None
    assert word("0^0 1^1 0v1 0^1 1v1") == word("0^0")


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
