"""Words: what a piece asks of the big tiles, finitely many as useless ones are left out; and the five shapes."""

from __future__ import annotations

from dataclasses import dataclass, field

from puzzlebase.puzzles.families.panex.board import CENTRE

Piles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The big tiles that a piece may touch, of each track from the top."""

SHAPES = 5
TOWERS = ((0, 2), (1, 2), (1, 2), (0, 1), (0, 1))
"""The two tracks with towers in each shape, the left one first."""

CORNERS = {2: 2, 4: 0}
"""The shapes with both tiles of size 1 on one tower, and that tower's track."""

LIFT, DROP = 0, 12
"""A letter below DROP is a lift, any other a drop."""

_BEFORE: Piles = ((0,), (1, 2), (3,))


@dataclass
class PanexWords:
    """All words so far, by number; word 0 is the empty word.

    A word is left out where an arrangement of the piles comes back, both times with no tile in hand: no shortest path
    has that. Two things are erased, since they leave all as it was: a tile dropped where it was just lifted; and,
    with x in hand, lifting y from the centre, dropping x there, lifting x, and dropping y there. So there are finitely
    many words, and every piece of a shortest path has one of them (docs/panex-theorem.md).
    """

    letters: list[bytes] = field(default_factory=lambda: [b""])
    piles: list[Piles] = field(default_factory=lambda: [_BEFORE])
    _seen: list[frozenset[Piles]] = field(default_factory=lambda: [frozenset({_BEFORE})])
    _in_hand: list[int] = field(default_factory=lambda: [0])
    number: dict[bytes, int] = field(default_factory=lambda: {b"": 0})
    _next: dict[tuple[int, int], int] = field(default_factory=dict)

    def then(self, word: int, letter: int, tile: int, track: int) -> int:
        """The number of a word with a letter added, LIFT or DROP of a tile; -1 where that word is left out."""
        key = word, letter + 3 * tile + track
        if key not in self._next:
            self._next[key] = self._extended(*key)
        return self._next[key]

    def _extended(self, word: int, letter: int) -> int:
        letters = self.letters[word] + bytes([letter])
        drop = letter >= DROP
        in_hand = self._in_hand[word] + (-1 if drop else 1)
        if drop and letters[-2:-1] == bytes([letter - DROP]):
            return self.number[letters[:-2]] if in_hand else -1
        if _asks_nothing(letters[-4:]):
            return self.number[letters[:-4]]
        tile, track = divmod(letter % DROP, 3)
        piles = list(self.piles[word])
        piles[track] = (tile, *piles[track]) if drop else piles[track][1:]
        after = piles[0], piles[1], piles[2]
        seen = self._seen[word]
        if not in_hand:
            if after in seen:
                return -1
            seen |= {after}
        self.number[letters] = len(self.letters)
        self.letters.append(letters)
        self.piles.append(after)
        self._seen.append(seen)
        self._in_hand.append(in_hand)
        return len(self.letters) - 1


def _asks_nothing(letters: bytes) -> bool:
    """Whether four letters lift y, drop x, lift x and drop y, all in the centre."""
    y, x = letters[0], letters[-2:][0]
    central = x % 3 == y % 3 == CENTRE and x != y and x < DROP > y
    return central and letters == bytes([y, DROP + x, x, DROP + y])
