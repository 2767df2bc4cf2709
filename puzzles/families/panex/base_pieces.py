"""The shortest pieces of level 2, by breadth-first search on the moves themselves.

The search sees the small tiles, 4 to 7 for a, A, b, B, and the big tiles 0 to 3 of a word, in layers 0 to 2 of three
tracks. A big tile that goes below layer 2 leaves the tracks, and one from below enters them, with a letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from puzzlebase.puzzles.families.panex.board import CENTRE
from puzzlebase.puzzles.families.panex.words import SHAPES, Words

_Tracks = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The tiles of each track, from the top."""

_End = tuple[int, int, int]
"""The shape in which a piece ends, its word, and the order of the small tiles there."""

_MAX_LAYER = (2, 2, 2, 2, 1, 1, 2, 2)
"""How deep each tile lies at most."""

_SHOWN_SIZE = (0, 0, 0, 0, 1, 1, 2, 2)
"""The size of each tile, 0 for a big one."""

_SHAPES: tuple[_Tracks, ...] = (
    ((4, 6), (), (5, 7)),
    ((), (4, 6), (5, 7)),
    ((), (6,), (4, 5, 7)),
    ((4, 6), (5, 7), ()),
    ((4, 5, 6), (7,), ()),
)


@dataclass(frozen=True)
class BasePiece:
    """A shortest piece of level 2 of one type with these flips: its moves, numbered as in MOVES."""

    start: int
    end: int
    word: int
    flips: int
    moves: bytes


def base_pieces(words: Words) -> Iterator[BasePiece]:
    """A shortest piece of level 2 of every type and flips; each has at least one move."""
    moments = _Moments(words)
    for start in range(SHAPES):
        yield from _pieces_from(start, moments)


def _pieces_from(start: int, moments: _Moments) -> Iterator[BasePiece]:
    """Breadth-first search; `reached` holds, for each moment, the one before it and the move between them."""
    order = _order(_SHAPES[start])
    first = moments.number(_SHAPES[start], 0)
    reached = {first: (first, 0)}
    found: set[_End] = set()
    queue = [first]
    for moment in queue:
        for after, move in moments.moves(moment):
            if after in reached:
                continue
            reached[after] = moment, move
            end = moments.ends[after]
            if end is None:
                queue.append(after)
            elif end not in found:
                found.add(end)
                yield BasePiece(start, *end[:2], end[2] ^ order, _path(after, first, reached))


def _path(moment: int, first: int, reached: dict[int, tuple[int, int]]) -> bytes:
    """The moves that lead to a moment."""
    moves = []
    while moment != first:
        moment, move = reached[moment]
        moves.append(move)
    return bytes(reversed(moves))


class _Moments:
    """The moments of all pieces (the tracks and the word so far) by number, and the moves between them.

    Each is found once. `ends` has, for each moment, how a piece ends there, None where none does.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._tops = _Tops()
        self._numbers: dict[tuple[_Tracks, int], int] = {}
        self._moments: list[tuple[_Tracks, int]] = []
        self._moves: list[list[tuple[int, int]]] = []
        self._shapes = {_sizes(tracks): shape for shape, tracks in enumerate(_SHAPES)}
        self.ends: list[_End | None] = []

    def number(self, tracks: _Tracks, word: int) -> int:
        """The number of a moment."""
        moment = self._numbers.setdefault((tracks, word), len(self._moments))
        if moment == len(self._moments):
            self._moments.append((tracks, word))
            self._moves.append([])
            shape = self._shapes.get(_sizes(tracks))
            self.ends.append(None if shape is None else (shape, word, _order(tracks)))
        return moment

    def moves(self, moment: int) -> list[tuple[int, int]]:
        """Every move: the moment after it and its number in MOVES."""
        found = self._moves[moment]
        if not found:
            found.extend(self._find_moves(*self._moments[moment]))
        return found

    def _find_moves(self, tracks: _Tracks, word: int) -> Iterator[tuple[int, int]]:
        for source in range(3):
            lifted = word
            if tracks[source]:
                tile, rest = tracks[source][0], tracks[source][1:]
            else:
                below = self._words.piles[word][source]
                if not below or (lifted := self._words.lift(word, below[0], source)) < 0:
                    continue
                tile, rest = below[0], ()
            for target in range(3):
                if target == source:
                    continue
                move = 2 * source + target - (target > source)
                put = self._tops[tile, tracks[target], target == CENTRE]
                if put is not None:
                    yield self.number(_after(tracks, source, rest, target, put), lifted), move
                if not tracks[target] and _SHOWN_SIZE[tile] == 0:
                    dropped = self._words.drop(lifted, tile, target)
                    if dropped >= 0:
                        yield self.number(_after(tracks, source, rest, target, ()), dropped), move


class _Tops(dict[tuple[int, tuple[int, ...], bool], "tuple[int, ...] | None"]):
    """A track with a tile put on top, by tile, track and whether it is the centre; None where the tile does not fit.

    A side track has layers 0 to 2, the centre 1 and 2.
    """

    def __missing__(self, key: tuple[int, tuple[int, ...], bool]) -> tuple[int, ...] | None:
        tile, track, centre = key
        put: tuple[int, ...] | None = (tile, *track)
        layer = 3
        for below in (*reversed(track), tile):
            layer = min(_MAX_LAYER[below], layer - 1)
        if layer < centre:
            put = None
        self[key] = put
        return put


def _after(tracks: _Tracks, source: int, rest: tuple[int, ...], target: int, put: tuple[int, ...]) -> _Tracks:
    after = [*tracks]
    after[source] = rest
    after[target] = put
    return after[0], after[1], after[2]


def _sizes(tracks: _Tracks) -> tuple[tuple[int, ...], ...]:
    left, centre, right = tracks
    size = _SHOWN_SIZE.__getitem__
    return tuple(map(size, left)), tuple(map(size, centre)), tuple(map(size, right))


def _order(tracks: _Tracks) -> int:
    """The order of the small tiles: bit 0 for size 1, bit 1 for size 2, set where the capital comes first."""
    line = tracks[0] + tracks[1] + tracks[2]
    return (line.index(5) < line.index(4)) | (line.index(7) < line.index(6)) << 1
