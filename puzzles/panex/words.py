"""What happens between two choke points of Panex, derived from the rules: words, types, partial states.

Glossary
    small       the tiles of levels 1 to N, the top pairs; the others are big.
    useful      an N-useful position shows the small tiles in one of five shapes, and every big one below layer N.
    shape       0: towers left and right, the centre clear of small tiles; 1: towers in centre and right, left
                clear; 2: the same with both 1-tiles on the right; 3, 4: mirror images of 1, 2, right clear.
    piece       a way between two useful positions with none in between. A big tile enters or leaves a side
                track's part below layer N only in the shapes 1 to 4, so that a piece touches no more than four:
                the top one of the left track (0), the first and second of the centre (1, 2), the top right (3).
    word        the lifts and drops of those four from and to below layer N, in order: all that a piece asks of them.
    letter      a byte: 3 x + c lifts tile x from track c, 12 + 3 x + c drops it there.
    type        start shape, end shape and word of pieces. Which small tiles of a level changed their order (reading
                left, centre, right, each from the top) is one bit a level; lengths depend on type and bits alone.
    partial     a state of a piece of level M = N + 1 where it is N-useful: the shape, what lies in layer M of each
                track, and the word so far. Pieces of level M are ways through partial states, by types of level N.

The types and partial states do not depend on N. Method: Kisman's program of 2010, told anew in docs/panex.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

Piles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
Tracks = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

CENTRE = 1
DROP = 12
PILES: Piles = ((0,), (1, 2), (3,))
"""The four tiles a piece may touch, before it begins."""

TOWERS = ((0, 2), (1, 2), (1, 2), (0, 1), (0, 1))
"""Of each shape the two tracks with towers, left one first."""

CORNERS = {2: 2, 4: 0}
"""Shapes with both 1-tiles on one tower, and its track."""

SHAPES = 5
MOVES = ("LC", "LR", "CL", "CR", "RL", "RC")


@dataclass
class Words:
    """Words by number, each extended once; 0 is the empty word.

    A word stays finite by what is left out without loss: an order of the piles that came before when
    nothing was in hand; dropping a tile just lifted where it was; and with x in hand, lifting y from the
    centre, dropping and lifting x there, and dropping y again, which asks for nothing and is erased. To
    see what the last one matters it can be left to stand, in words that are no longer than `longest`.
    """

    erases: bool = True
    longest: int = 1 << 10
    letters: list[bytes] = field(default_factory=lambda: [b""])
    piles: list[Piles] = field(default_factory=lambda: [PILES])
    _seen: list[frozenset[Piles]] = field(default_factory=lambda: [frozenset({PILES})])
    _in_hand: list[int] = field(default_factory=lambda: [0])
    _numbers: dict[bytes, int] = field(default_factory=lambda: {b"": 0})
    _next: dict[tuple[int, int], int] = field(default_factory=dict)

    def then(self, word: int, letter: int) -> int:
        """The number of a word with one letter more, -1 where it is left out."""
        key = word, letter
        if key not in self._next:
            self._next[key] = self._extended(word, letter)
        return self._next[key]

    def _extended(self, word: int, letter: int) -> int:
        letters = self.letters[word] + bytes([letter])
        drop = letter >= DROP
        if len(letters) > self.longest or (drop and letters[-2:-1] == bytes([letter - DROP])):
            return -1
        if self.erases and _asks_nothing(letters[-4:]):
            return self._numbers[letters[:-4]]
        tile, track = divmod(letter % DROP, 3)
        piles = list(self.piles[word])
        piles[track] = (tile, *piles[track]) if drop else piles[track][1:]
        after = (piles[0], piles[1], piles[2])
        in_hand = self._in_hand[word] + (-1 if drop else 1)
        seen = self._seen[word]
        if not in_hand:
            if after in seen:
                return -1
            seen |= {after}
        self._numbers[letters] = len(self.letters)
        self.letters.append(letters)
        self.piles.append(after)
        self._seen.append(seen)
        self._in_hand.append(in_hand)
        return len(self.letters) - 1


def _asks_nothing(letters: bytes) -> bool:
    """Whether four letters lift y, drop x, lift x and drop y, all in the centre."""
    if len(letters) < 4 or any(letter % 3 != CENTRE for letter in letters):
        return False
    y, x = letters[0], letters[2]
    return x != y and x < DROP > y and letters[1] == DROP + x and letters[3] == DROP + y


# Pieces of level 2, by breadth-first search. Small tiles are 4 to 7: a, A, b, B.

_SIZES = (2, 2, 2, 2, 1, 1, 2, 2)
"""How deep each tile lies at most; a big one that goes deeper leaves the search's board with a letter."""

_SHAPES: tuple[Tracks, ...] = (
    ((4, 6), (), (5, 7)),
    ((), (4, 6), (5, 7)),
    ((), (6,), (4, 5, 7)),
    ((4, 6), (5, 7), ()),
    ((4, 5, 6), (7,), ()),
)


@dataclass(frozen=True)
class Piece:
    """A shortest piece of level 2 of one type and change of order: its moves, as numbers in MOVES."""

    start: int
    end: int
    word: int
    flips: int
    moves: bytes


def pieces(words: Words) -> Iterator[Piece]:
    """The shortest pieces of level 2 of every type and change of order; each has at least one move."""
    board = _Board(words)
    for start in range(SHAPES):
        yield from _pieces_from(start, board)


class _Tops(dict[tuple[int, tuple[int, ...], bool], "tuple[int, ...] | None"]):
    """Tracks with a tile put on top, in layers 0 to 2 (1 and 2 in the centre); None where it does not fit."""

    def __missing__(self, key: tuple[int, tuple[int, ...], bool]) -> tuple[int, ...] | None:
        tile, track, centre = key
        put: tuple[int, ...] | None = (tile, *track)
        layer = 3
        for below in (*reversed(track), tile):
            layer = min(_SIZES[below], layer - 1)
        if layer < centre:
            put = None
        self[key] = put
        return put


class _Board:
    """Tracks and word at any moment of a piece, by number, and the moves between them, each found once."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._tops = _Tops()
        self._numbers: dict[tuple[Tracks, int], int] = {}
        self._moments: list[tuple[Tracks, int]] = []
        self._moves: list[list[tuple[int, int]]] = []
        self._shapes = {_sizes(tracks): shape for shape, tracks in enumerate(_SHAPES)}
        self.ends: list[tuple[int, int, int] | None] = []

    def number(self, tracks: Tracks, word: int) -> int:
        """The number of a moment."""
        at = self._numbers.setdefault((tracks, word), len(self._moments))
        if at == len(self._moments):
            self._moments.append((tracks, word))
            self._moves.append([])
            shape = self._shapes.get(_sizes(tracks))
            self.ends.append(None if shape is None else (shape, word, _order(tracks)))
        return at

    def moves(self, at: int) -> list[tuple[int, int]]:
        """Every move: the moment after it and its number in MOVES."""
        found = self._moves[at]
        if not found:
            found.extend(self._moved(*self._moments[at]))
        return found

    def _moved(self, tracks: Tracks, word: int) -> Iterator[tuple[int, int]]:
        for source in range(3):
            lifted = word
            if tracks[source]:
                tile, rest = tracks[source][0], tracks[source][1:]
            else:
                below = self._words.piles[word][source]
                if not below or (lifted := self._words.then(word, 3 * below[0] + source)) < 0:
                    continue
                tile, rest = below[0], ()
            for target in range(3):
                if target == source:
                    continue
                move = 2 * source + target - (target > source)
                put = self._tops[tile, tracks[target], target == CENTRE]
                if put is not None:
                    yield self.number(_after(tracks, source, rest, target, put), lifted), move
                if not tracks[target] and tile < 4:
                    dropped = self._words.then(lifted, DROP + 3 * tile + target)
                    if dropped >= 0:
                        yield self.number(_after(tracks, source, rest, target, ()), dropped), move


def _after(tracks: Tracks, source: int, rest: tuple[int, ...], target: int, put: tuple[int, ...]) -> Tracks:
    after = [*tracks]
    after[source] = rest
    after[target] = put
    return after[0], after[1], after[2]


def _pieces_from(start: int, board: _Board) -> Iterator[Piece]:
    """Breadth-first search; `by` is, of each moment reached, the one before and the move."""
    before = _order(_SHAPES[start])
    first = board.number(_SHAPES[start], 0)
    by = {first: (first, 0)}
    found: set[tuple[int, int, int]] = set()
    ahead = [first]
    for at in ahead:
        for after, move in board.moves(at):
            if after in by:
                continue
            by[after] = at, move
            end = board.ends[after]
            if end is None:
                ahead.append(after)
            elif end not in found:
                found.add(end)
                yield Piece(start, *end[:2], end[2] ^ before, _path(after, first, by))


def _path(at: int, first: int, by: dict[int, tuple[int, int]]) -> bytes:
    """The moves that led to a moment."""
    moves = []
    while at != first:
        at, move = by[at]
        moves.append(move)
    return bytes(reversed(moves))


_ONE_OF = (0, 0, 0, 0, 1, 1, 2, 2)


def _sizes(tracks: Tracks) -> tuple[tuple[int, ...], ...]:
    left, centre, right = tracks
    of = _ONE_OF.__getitem__
    return tuple(map(of, left)), tuple(map(of, centre)), tuple(map(of, right))


def _order(tracks: Tracks) -> int:
    """Which small tiles come with the capital first: bit 0 for size 1, bit 1 for size 2."""
    line = tracks[0] + tracks[1] + tracks[2]
    return (line.index(5) < line.index(4)) | (line.index(7) < line.index(6)) << 1


# Partial states of a piece of the next level, and the steps between them.

_Z, _z = 4, 5
_NO_TILE = -1
Layer = tuple[int, int, int]
Partial = tuple[int, Layer, int]


@dataclass(frozen=True)
class Step:
    """From a partial state to another by a piece of a type."""

    source: int
    type: int
    target: int


@dataclass(frozen=True)
class Levels:
    """All that the level step needs, the same for every level.

    `types` are (start, end, word) with words numbered in `words`, 48 of them, the empty one first. A start
    is a partial state numbered like its shape. `ends[type]` are the two partial states where a piece of
    that type ends, the level's tiles in the order they had at its start, and in the other.
    """

    words: tuple[bytes, ...]
    types: tuple[tuple[int, int, int], ...]
    pieces: tuple[Piece, ...]
    partials: int
    steps: tuple[Step, ...]
    ends: tuple[tuple[int, int], ...]


class _Derivation:
    """Partial states by number, each found once."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.pieces = tuple(pieces(self.words))
        self.types = sorted(
            {(piece.start, piece.end, piece.word) for piece in self.pieces},
            key=lambda each: (each[:2], len(self.words.letters[each[2]]), self.words.letters[each[2]]),
        )
        self.numbers: dict[Partial, int] = {}
        self.partials: list[Partial] = []
        for shape in range(SHAPES):
            self.number((shape, _under_towers(shape), 0))

    def number(self, partial: Partial) -> int:
        if partial not in self.numbers:
            self.numbers[partial] = len(self.partials)
            self.partials.append(partial)
        return self.numbers[partial]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step, of the starts and of whatever is no end."""
        from_shape = [[(at, each) for at, each in enumerate(self.types) if each[0] == shape] for shape in range(SHAPES)]
        steps = []
        done = 0
        while done < len(self.partials):
            shape, layer, word = self.partials[done]
            if done < SHAPES or not _is_end(shape, layer):
                runs: dict[int, set[tuple[Layer, int]]] = {}
                for at, (_, end, asked) in from_shape[shape]:
                    if asked not in runs:
                        runs[asked] = self._run(layer, word, self.words.letters[asked])
                    for after, longer in sorted(runs[asked]):
                        steps.append(Step(done, at, self.number((end, after, longer))))
            done += 1
        return tuple(steps)

    def _run(self, layer: Layer, word: int, letters: bytes) -> set[tuple[Layer, int]]:
        """What a word of the level above can do: the layers and longer words after it, with every choice.

        Its tiles are the top ones here, in layer M or below. A tile of level M drops into layer M; another
        may rest there or fall, and what falls or is lifted from below is a letter of the longer word.
        """
        piles = self.words.piles[word]
        left, centre, right = (
            (() if top == _NO_TILE else (top,)) + pile for top, pile in zip(layer, piles, strict=True)
        )
        tiles = [*left[:1], *[_NO_TILE] * (not left), *(*centre, _NO_TILE, _NO_TILE)[:2], *(*right, _NO_TILE)[:1]]
        reached = {(layer, word)}
        for letter in letters:
            name, track = divmod(letter % DROP, 3)
            tile = tiles[name]
            if tile == _NO_TILE:
                return set()
            act = self._dropped if letter >= DROP else self._lifted
            reached = {after for before in reached for after in act(*before, tile, track)}
        return reached

    def _lifted(self, layer: Layer, word: int, tile: int, track: int) -> Iterator[tuple[Layer, int]]:
        if layer[track] != _NO_TILE:
            yield _with(layer, track, _NO_TILE), word
        elif (longer := self.words.then(word, 3 * tile + track)) >= 0:
            yield layer, longer

    def _dropped(self, layer: Layer, word: int, tile: int, track: int) -> Iterator[tuple[Layer, int]]:
        if layer[track] == _NO_TILE:
            yield _with(layer, track, tile), word
            if tile < _Z and (longer := self.words.then(word, DROP + 3 * tile + track)) >= 0:
                yield layer, longer


@cache
def derive() -> Levels:
    """Words, types, pieces of level 2, partial states and steps, from the rules; takes about a second, once."""
    return levels_of(Words())


def levels_of(words: Words) -> Levels:
    """What follows from the rules and new words, with whatever they leave out."""
    found = _Derivation(words)
    steps = found.steps
    numbers = {word: at for at, word in enumerate(_by_length(found))}
    return Levels(
        words=tuple(found.words.letters[word] for word in numbers),
        types=tuple((start, end, numbers[word]) for start, end, word in found.types),
        pieces=tuple(Piece(p.start, p.end, numbers[p.word], p.flips, p.moves) for p in found.pieces),
        partials=len(found.partials),
        steps=steps,
        ends=tuple(
            (found.numbers[end, _under_towers(end), word], found.numbers[end, _under_towers(end, _z, _Z), word])
            for _, end, word in found.types
        ),
    )


def _by_length(found: _Derivation) -> list[int]:
    letters = found.words.letters
    return sorted({word for _, _, word in found.types}, key=lambda word: (len(letters[word]), letters[word]))


def _under_towers(shape: int, first: int = _Z, second: int = _z) -> Layer:
    """Layer M with its own two tiles under the towers of a shape."""
    tiles = dict(zip(TOWERS[shape], (first, second), strict=True))
    return tiles.get(0, _NO_TILE), tiles.get(1, _NO_TILE), tiles.get(2, _NO_TILE)


def _is_end(shape: int, layer: Layer) -> bool:
    return layer in {_under_towers(shape), _under_towers(shape, _z, _Z)}


def _with(layer: Layer, track: int, tile: int) -> Layer:
    changed = [*layer]
    changed[track] = tile
    return changed[0], changed[1], changed[2]
