"""What happens between choke points, derived from the rules: words, the pieces of level 2, the step between levels.

A word is what a piece asks of the big tiles. There are finitely many, as useless ones are left out.

The pieces of level 2 are found by breadth-first search on the moves themselves. The search sees the small tiles, 4 to 7
for a, A, b, B, and the big tiles 0 to 3 of a word, in layers 0 to 2 of three tracks. A big tile that goes below layer 2
leaves the tracks, and one from below enters them, with a letter.

Let N be a level and M = N + 1. A piece of level M is a path through partial states; each of its steps is a piece of
level N. In a partial state layer M of each track holds one of the two tiles of size M, a big tile that rests there for
a while, or nothing. The big tiles of a piece of level N are the top tiles there, in layer M or below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from puzzlebase.puzzles.families.panex.board import CENTRE

BigPiles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The big tiles that a piece may touch, of each track from the top."""

SHAPES = 5
TOWERS = ((0, 2), (1, 2), (1, 2), (0, 1), (0, 1))
"""The two tracks with towers in each shape, the left one first."""

CORNERS = {2: 2, 4: 0}
"""The shapes with both tiles of size 1 on one tower, and that tower's track."""

LIFT, DROP = 0, 12
"""A letter below DROP is a lift, any other a drop."""

_BEFORE: BigPiles = ((0,), (1, 2), (3,))

_Tracks = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The tiles of each track, from the top."""

_End = tuple[int, int, int]
"""The shape in which a piece ends, its word, and the order of the small tiles there."""

_MAX_LAYER = (2, 2, 2, 2, 1, 1, 2, 2)  # how deep each tile lies at most
_SHOWN_SIZE = (0, 0, 0, 0, 1, 1, 2, 2)  # the size of each tile, 0 for a big one

_SHAPES: tuple[_Tracks, ...] = (
    ((4, 6), (), (5, 7)),
    ((), (4, 6), (5, 7)),
    ((), (6,), (4, 5, 7)),
    ((4, 6), (5, 7), ()),
    ((4, 5, 6), (7,), ()),
)

_FIRST, _SECOND = 4, 5
"""The two tiles of size M, in the order they have at the start of a piece."""

_NO_TILE = -1
Layer = tuple[int, int, int]
"""What lies in layer M of each track: a tile of a word, one of size M (4 is the first at the start), or -1."""


class BasePiece(NamedTuple):
    """A shortest piece of level 2 of one type with these flips: its moves, numbered as in MOVES."""

    start: int
    end: int
    word: bytes
    flips: int
    moves: bytes


@dataclass(frozen=True)
class Levels:
    """All that the step from any level to the next needs.

    `words` are the letters of each word, the empty word first. `types` are (start, end, word), the word by number,
    sorted by their start. `base_pieces` are those of level 2. `partials` are the partial states (shape, layer N + 1,
    letters of the word); those in which pieces start come first, numbered like their shapes. `steps` lead from one
    partial state by a piece of a type to another: (source, type, target). `ends[type]` are the two partial states where
    a piece of that type can end: the pair of its level in the order it had at the start, and exchanged.
    """

    words: tuple[bytes, ...]
    types: tuple[tuple[int, int, int], ...]
    base_pieces: tuple[BasePiece, ...]
    partials: tuple[tuple[int, Layer, bytes], ...]
    steps: tuple[tuple[int, int, int], ...]
    ends: tuple[tuple[int, int], ...]


@cache
def derive() -> Levels:
    """The types, partial states and steps, derived from the rules in about a second, once."""
    known = PanexWords()
    moments = _Moments(known)
    base_pieces = tuple(piece for start in range(SHAPES) for piece in _pieces_from(start, moments))
    words = sorted({piece.word for piece in base_pieces}, key=lambda word: (len(word), word))
    types = sorted({(piece.start, piece.end, words.index(piece.word)) for piece in base_pieces})
    partials = [(shape, _under_towers(shape, _FIRST, _SECOND), 0) for shape in range(SHAPES)]
    number = {partial: at for at, partial in enumerate(partials)}
    steps = []
    for source, (shape, layer, word) in enumerate(partials):  # which grow meanwhile
        ends = _under_towers(shape, _FIRST, _SECOND), _under_towers(shape, _SECOND, _FIRST)
        if source >= SHAPES and layer in ends:
            continue
        outcomes: dict[int, list[tuple[Layer, int]]] = {}
        for type_, (start, end, asked) in enumerate(types):
            if start != shape:
                continue
            if asked not in outcomes:
                outcomes[asked] = sorted(_carry_out(known, words[asked], layer, word))
            for outcome in outcomes[asked]:
                target = number.setdefault((end, *outcome), len(partials))
                if target == len(partials):
                    partials.append((end, *outcome))
                steps.append((source, type_, target))
    return Levels(
        words=tuple(words),
        types=tuple(types),
        base_pieces=base_pieces,
        partials=tuple((shape, layer, known.letters[word]) for shape, layer, word in partials),
        steps=tuple(steps),
        ends=tuple(
            (
                number[end, _under_towers(end, _FIRST, _SECOND), known.number[words[word]]],
                number[end, _under_towers(end, _SECOND, _FIRST), known.number[words[word]]],
            )
            for _, end, word in types
        ),
    )


@dataclass
class PanexWords:
    """All words so far, by number; word 0 is the empty word.

    A word is left out where an arrangement of the piles comes back, both times with no tile in hand: no shortest path
    has that. Two things are erased, since they leave all as it was: a tile dropped where it was just lifted; and,
    with x in hand, lifting y from the centre, dropping x there, lifting x, and dropping y there. So there are finitely
    many words, and every piece of a shortest path has one of them (docs/panex-theorem.md).
    """

    letters: list[bytes] = field(default_factory=lambda: [b""])
    piles: list[BigPiles] = field(default_factory=lambda: [_BEFORE])
    _seen: list[frozenset[BigPiles]] = field(default_factory=lambda: [frozenset({_BEFORE})])
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
        in_hand = 2 * sum(each < DROP for each in letters) - len(letters)
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
        return len(self.letters) - 1


def _asks_nothing(letters: bytes) -> bool:
    """Whether four letters lift y, drop x, lift x and drop y, all in the centre."""
    y, x = letters[0], letters[-2:][0]
    central = x % 3 == y % 3 == CENTRE and x != y and x < DROP > y
    return central and letters == bytes([y, DROP + x, x, DROP + y])


# The pieces of level 2.


def _pieces_from(start: int, moments: _Moments) -> Iterator[BasePiece]:
    """Breadth-first search; `reached` holds the moves that lead to each moment."""
    order = _order(_SHAPES[start])
    first = moments.number(_SHAPES[start], 0)
    reached = {first: b""}
    found: set[_End] = set()
    queue = [first]
    for moment in queue:
        for after, move in moments.moves(moment):
            if after in reached:
                continue
            reached[after] = reached[moment] + bytes((move,))
            end = moments.ends[after]
            if end is None:
                queue.append(after)
            elif end not in found:
                found.add(end)
                shape, word, ended = end
                yield BasePiece(start, shape, moments.words.letters[word], ended ^ order, reached[after])


class _Moments:
    """The moments of all pieces (the tracks and the word so far) by number, and the moves between them.

    Each is found once. `ends` has, for each moment, how a piece ends there, None where none does.
    """

    def __init__(self, words: PanexWords) -> None:
        self.words = words
        self._numbers: dict[tuple[_Tracks, int], int] = {}
        self._moments: list[tuple[_Tracks, int]] = []
        self._moves: list[list[tuple[int, int]]] = []
        self._shapes = {_sizes(tracks): shape for shape, tracks in enumerate(_SHAPES)}
        self.ends: list[_End | None] = []

    def number(self, tracks: _Tracks, word: int) -> int:
        moment = self._numbers.setdefault((tracks, word), len(self._moments))
        if moment == len(self._moments):
            self._moments.append((tracks, word))
            self._moves.append([])
            shape = self._shapes.get(_sizes(tracks))
            self.ends.append(None if shape is None else (shape, word, _order(tracks)))
        return moment

    def moves(self, moment: int) -> list[tuple[int, int]]:
        """Every move: the moment after it and its number in MOVES."""
        if not self._moves[moment]:
            self._moves[moment] = list(self._find_moves(*self._moments[moment]))
        return self._moves[moment]

    def _find_moves(self, tracks: _Tracks, word: int) -> Iterator[tuple[int, int]]:
        for source in range(3):
            lifted = word
            if tracks[source]:
                tile, rest = tracks[source][0], tracks[source][1:]
            else:
                below = self.words.piles[word][source]
                if not below or (lifted := self.words.then(word, LIFT, below[0], source)) < 0:
                    continue
                tile, rest = below[0], ()
            for target in range(3):
                if target == source:
                    continue
                move = 2 * source + target - (target > source)
                put = _put(tile, tracks[target], target == CENTRE)
                if put is not None:
                    yield self.number(_after(tracks, source, rest, target, put), lifted), move
                if not tracks[target] and _SHOWN_SIZE[tile] == 0:
                    dropped = self.words.then(lifted, DROP, tile, target)
                    if dropped >= 0:
                        yield self.number(_after(tracks, source, rest, target, ()), dropped), move


@cache
def _put(tile: int, track: tuple[int, ...], centre: bool) -> tuple[int, ...] | None:
    """A track, of layers 0 to 2, the centre 1 and 2, with a tile put on top; None where it does not fit."""
    layer = 3
    for below in (*reversed(track), tile):
        layer = min(_MAX_LAYER[below], layer - 1)
    return None if layer < centre else (tile, *track)


def _after(tracks: _Tracks, source: int, rest: tuple[int, ...], target: int, put: tuple[int, ...]) -> _Tracks:
    after = [*tracks]
    after[source] = rest
    after[target] = put
    return after[0], after[1], after[2]


def _sizes(tracks: _Tracks) -> tuple[tuple[int, ...], ...]:
    size = _SHOWN_SIZE.__getitem__
    return tuple(tuple(map(size, track)) for track in tracks)


def _order(tracks: _Tracks) -> int:
    """The order of the small tiles: bit 0 for size 1, bit 1 for size 2, set where the capital comes first."""
    line = tracks[0] + tracks[1] + tracks[2]
    return (line.index(5) < line.index(4)) | (line.index(7) < line.index(6)) << 1


# The step.


def _carry_out(words: PanexWords, letters: bytes, layer: Layer, word: int) -> set[tuple[Layer, int]]:
    """Layer M and the longer word after a word of level N is carried out, with every choice there is.

    A tile of size M is dropped into layer M. A big tile may rest there or fall below it; falling there, or being
    lifted from there, is one more letter of the longer word.
    """
    left, centre, right = (
        (() if top == _NO_TILE else (top,)) + pile for top, pile in zip(layer, words.piles[word], strict=True)
    )
    tiles = [*left[:1], *[_NO_TILE] * (not left), *(*centre, _NO_TILE, _NO_TILE)[:2], *(*right, _NO_TILE)[:1]]
    reached = {(layer, word)}
    for letter in letters:
        name, track = divmod(letter % DROP, 3)
        tile = tiles[name]
        if tile == _NO_TILE:
            return set()
        act = _dropped if letter >= DROP else _lifted
        reached = {after for before in reached for after in act(words, *before, tile, track)}
    return reached


def _lifted(words: PanexWords, layer: Layer, word: int, tile: int, track: int) -> Iterator[tuple[Layer, int]]:
    if layer[track] != _NO_TILE:
        yield _with(layer, track, _NO_TILE), word
    elif (longer := words.then(word, LIFT, tile, track)) >= 0:
        yield layer, longer


def _dropped(words: PanexWords, layer: Layer, word: int, tile: int, track: int) -> Iterator[tuple[Layer, int]]:
    if layer[track] == _NO_TILE:
        yield _with(layer, track, tile), word
        if tile < _FIRST and (longer := words.then(word, DROP, tile, track)) >= 0:
            yield layer, longer


def _under_towers(shape: int, first: int, second: int) -> Layer:
    """Layer M with its own two tiles under the towers of a shape, `first` under the left one."""
    left, right = TOWERS[shape]
    return _with(_with((_NO_TILE,) * 3, left, first), right, second)


def _with(layer: Layer, track: int, tile: int) -> Layer:
    changed = [*layer]
    changed[track] = tile
    return changed[0], changed[1], changed[2]
