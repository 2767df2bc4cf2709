"""The words, the pieces of level 2 and the step from a level to the next, derived from the rules.

N is a level and M = N + 1. puzzles/families/panex/README.md has the method under "From a level to the next".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from puzzlebase.puzzles.families.panex.board import CENTRE, MOVES
from puzzlebase.puzzles.families.panex.lengths import DROP, SHAPES, TOWERS

_Tracks = tuple[str, str, str]
"""The tiles of each track, or of the pile below level N, from the top: 0 to 3 for big ones, a, A, b and B."""

_BEFORE: _Tracks = ("0", "12", "3")
"""The big tiles that a piece may touch, as they lie in the piles at its start."""

_SHAPES: tuple[_Tracks, ...] = (
    ("ab", "", "AB"),
    ("", "ab", "AB"),
    ("", "b", "aAB"),
    ("ab", "AB", ""),
    ("aAb", "B", ""),
)

_FIRST, _SECOND = "4", "5"
"""The two tiles of size M, in the order they have at the start of a piece."""

_NO_TILE = "-"
Layer = str
"""The tile in layer M of each track: one of a word, one of size M, or none; three characters."""

_Moment = tuple[_Tracks, bytes]
"""Layers 0 to 2 of the tracks, and the word so far."""


class BasePiece(NamedTuple):
    """A shortest piece of level 2 of one type with these flips: its moves, numbered as in MOVES."""

    start: int
    end: int
    word: bytes
    flips: int
    moves: bytes


@dataclass(frozen=True)
class Levels:
    """The data that the step from any level to the next needs.

    `words` are the letters of each word, the empty word first. `types` are (start, end, number of the word), sorted.
    `base_pieces` are the pieces of level 2. `partials` are the partial states (shape, layer M, word). First come those
    where pieces start, in the order of their shapes. `steps` are (source, type, target): a piece of the type leads from
    one partial state to the other. `ends[type]` are the two partial states where its pieces can end: the level's pair
    in the order that it had at the start, and exchanged.
    """

    words: tuple[bytes, ...]
    types: tuple[tuple[int, int, int], ...]
    base_pieces: tuple[BasePiece, ...]
    partials: tuple[tuple[int, Layer, bytes], ...]
    steps: tuple[tuple[int, int, int], ...]
    ends: tuple[tuple[int, ...], ...]


@cache
def derive() -> Levels:
    """Derive the types, partial states and steps from the rules, in about a second, once."""
    known = PanexWords()
    base_pieces = tuple(_base_pieces(known))
    words = sorted({piece.word for piece in base_pieces}, key=lambda word: (len(word), word))
    types = sorted({(piece.start, piece.end, words.index(piece.word)) for piece in base_pieces})
    partials = [(shape, _under_towers(shape)[0], b"") for shape in range(SHAPES)]
    number = {partial: at for at, partial in enumerate(partials)}
    steps = []
    for source, (shape, layer, word) in enumerate(partials):  # these grow meanwhile
        if source >= SHAPES and layer in _under_towers(shape):
            continue
        outcomes: dict[int, list[tuple[Layer, bytes]]] = {}
        for type_, (start, end, asked) in enumerate(types):
            if start != shape:
                continue
            if asked not in outcomes:
                found = _carry_out(known, words[asked], layer, word)
                outcomes[asked] = sorted(found, key=lambda each: (each[0], known.after[each[1]].number))
            for outcome in outcomes[asked]:
                target = number.setdefault((end, *outcome), len(partials))
                if target == len(partials):
                    partials.append((end, *outcome))
                steps.append((source, type_, target))
    ends = [[number[end, layer, words[word]] for layer in _under_towers(end)] for _, end, word in types]
    return Levels(tuple(words), tuple(types), base_pieces, tuple(partials), tuple(steps), tuple(map(tuple, ends)))


class AfterWord(NamedTuple):
    """The piles after a word, all arrangements of them so far with no tile in hand, and the number of the word."""

    number: int
    piles: _Tracks
    seen: frozenset[_Tracks]


class PanexWords:
    """All words so far, numbered in the order in which they are found.

    A word is left out if an arrangement of the piles comes back, both times with no tile in hand: no shortest path does
    that. Two things are erased, since they change nothing. One is a tile dropped where it was just lifted. The other,
    with x in hand, is lifting y from the centre, dropping x there, lifting x, and dropping y there. So there are
    finitely many words, and every piece of a shortest path has one of them (research/panex_theorem/README.md).
    """

    def __init__(self) -> None:
        self.after = {b"": AfterWord(0, _BEFORE, frozenset({_BEFORE}))}
        self.then = cache(self._then)

    def _then(self, word: bytes, letter: int) -> bytes | None:
        """Add a letter to a word and erase what changes nothing; None if no shortest path has it."""
        longer = word + bytes([letter])
        drop = letter >= DROP
        in_hand = 2 * sum(each < DROP for each in longer) - len(longer)
        if drop and longer[-2:-1] == bytes([letter - DROP]):
            return longer[:-2] if in_hand else None
        if _asks_nothing(longer[-4:]):
            return longer[:-4]
        tile, track = divmod(letter % DROP, 3)
        _, piles, seen = self.after[word]
        piles = _with(piles, track, f"{tile}{piles[track]}" if drop else piles[track][1:])
        if not in_hand:
            if piles in seen:
                return None
            seen |= {piles}
        self.after[longer] = AfterWord(len(self.after), piles, seen)
        return longer


def _asks_nothing(letters: bytes) -> bool:
    """Tell if four letters lift y, drop x, lift x and drop y, all in the centre."""
    y, x = letters[0], letters[-2:][0]
    central = x % 3 == y % 3 == CENTRE and x != y and x < DROP > y
    return central and letters == bytes([y, DROP + x, x, DROP + y])


def _with(tracks: _Tracks, track: int, tiles: str) -> _Tracks:
    changed = [*tracks]
    changed[track] = tiles
    return changed[0], changed[1], changed[2]


# The pieces of level 2.


def _base_pieces(words: PanexWords) -> Iterator[BasePiece]:
    """Search the moves breadth-first from each shape; `reached` holds the moves that lead to each moment.

    A big tile goes below layer 2 with a letter, and comes from there with one.
    """
    moves_from = cache(lambda moment: [*_moves(words, *moment)])
    for start, tracks in enumerate(_SHAPES):
        first = tracks, b""
        reached = {first: b""}
        found = set()
        queue = [first]
        for moment in queue:
            for move, after in moves_from(moment):
                if after in reached:
                    continue
                reached[after] = reached[moment] + bytes((move,))
                shape = _shape(after[0])
                if shape is None:
                    queue.append(after)
                    continue
                flips = _order(after[0]) ^ _order(tracks)
                if (shape, after[1], flips) not in found:
                    found.add((shape, after[1], flips))
                    yield BasePiece(start, shape, after[1], flips, reached[after])


def _moves(words: PanexWords, tracks: _Tracks, word: bytes) -> Iterator[tuple[int, _Moment]]:
    """Every move, numbered as in MOVES, and the moment after it."""
    for move, (source, target) in enumerate(MOVES.values()):
        tiles = tracks[source] or words.after[word].piles[source][:1]
        lifted = words.then(word, 3 * int(tiles) + source) if tiles and not tracks[source] else word
        if not tiles or lifted is None:
            continue
        tile, rest = tiles[0], _with(tracks, source, tiles[1:])
        put = _put(tile, tracks[target], target == CENTRE)
        if put is not None:
            yield move, (_with(rest, target, put), lifted)
        if not tracks[target] and tile.isdigit():
            dropped = words.then(lifted, DROP + 3 * int(tile) + target)
            if dropped is not None:
                yield move, (rest, dropped)


@cache
def _put(tile: str, track: str, centre: bool) -> str | None:
    """A track, of layers 0 to 2, the centre 1 and 2, with a tile put on top; None if it does not fit."""
    layer = 3
    for below in track[::-1] + tile:
        layer = min(1 if below in "aA" else 2, layer - 1)
    return None if layer < centre else tile + track


@cache
def _shape(tracks: _Tracks) -> int | None:
    shapes = [[track.lower() for track in each] for each in (*_SHAPES, tracks)]
    at = shapes.index(shapes[-1])
    return at if at < SHAPES else None


def _order(tracks: _Tracks) -> int:
    """The order of the small tiles: bit 0 for size 1, bit 1 for size 2, set where the capital comes first."""
    line = "".join(tracks)
    return (line.index("A") < line.index("a")) | (line.index("B") < line.index("b")) << 1


# The step.


def _carry_out(words: PanexWords, letters: bytes, layer: Layer, word: bytes) -> set[tuple[Layer, bytes]]:
    """Layer M and the longer word after a word of level N is carried out, for every possible choice.

    Its tiles are the top ones in layer M or below it. A tile of size M is dropped into layer M. A big tile may rest
    there or fall below it; falling there, or being lifted from there, is one more letter of the longer word.
    """
    left, centre, right = (
        top.strip(_NO_TILE) + pile + 2 * _NO_TILE for top, pile in zip(layer, words.after[word].piles, strict=True)
    )
    tiles = left[0], centre[0], centre[1], right[0]
    reached = {(layer, word)}
    for letter in letters:
        name, track = divmod(letter % DROP, 3)
        if tiles[name] == _NO_TILE:
            return set()
        act = _dropped if letter >= DROP else _lifted
        reached = {after for before in reached for after in act(words, *before, tiles[name], track)}
    return reached


def _lifted(words: PanexWords, layer: Layer, word: bytes, tile: str, track: int) -> Iterator[tuple[Layer, bytes]]:
    if layer[track] != _NO_TILE:
        yield _resting(layer, track, _NO_TILE), word
    elif (longer := words.then(word, 3 * int(tile) + track)) is not None:
        yield layer, longer


def _dropped(words: PanexWords, layer: Layer, word: bytes, tile: str, track: int) -> Iterator[tuple[Layer, bytes]]:
    if layer[track] == _NO_TILE:
        yield _resting(layer, track, tile), word
        if tile < _FIRST and (longer := words.then(word, DROP + 3 * int(tile) + track)) is not None:
            yield layer, longer


def _resting(layer: Layer, track: int, tile: str) -> Layer:
    return layer[:track] + tile + layer[track + 1 :]


def _under_towers(shape: int) -> tuple[Layer, Layer]:
    """Layer M with its own two tiles under the towers of a shape: in the order of the start, and exchanged."""
    left, right = TOWERS[shape]
    one, other = _resting(3 * _NO_TILE, left, _FIRST), _resting(3 * _NO_TILE, left, _SECOND)
    return _resting(one, right, _SECOND), _resting(other, right, _FIRST)
