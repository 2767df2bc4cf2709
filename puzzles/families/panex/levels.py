"""The step from one level to the next: types, partial states and the steps between them, derived from the rules.

Let N be a level and M = N + 1. A piece of level M is a path through partial states; each of its steps is a piece of
level N. In a partial state layer M of each track holds one of the two tiles of size M, a big tile that rests there for
a while, or nothing. The big tiles of a piece of level N are the top tiles there, in layer M or below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from puzzlebase.puzzles.families.panex.base_pieces import BasePiece, base_pieces
from puzzlebase.puzzles.families.panex.words import DROP, SHAPES, TOWERS, Words

_FIRST, _SECOND = 4, 5
"""The two tiles of size M, in the order they have at the start of a piece."""

_NO_TILE = -1
Layer = tuple[int, int, int]
"""What lies in layer M of each track: a tile of a word, one of size M (4 is the first at the start), or -1."""

_Partial = tuple[int, Layer, int]
"""A partial state: shape, layer M, word."""


@dataclass(frozen=True)
class Step:
    """From one partial state to another, by a piece of a type."""

    source: int
    type: int
    target: int


@dataclass(frozen=True)
class Levels:
    """All that the step from any level to the next needs.

    `words` are the letters of each word, the empty word first. `types` are (start, end, word), the word by number,
    sorted by their start. `base_pieces` are those of level 2, words by number. `partials` are the partial states
    (shape, layer N + 1, letters of the word); those in which pieces start come first, numbered like their shapes.
    `ends[type]` are the two partial states where a piece of that type can end: the pair of its level in the order it
    had at the start, and exchanged.
    """

    words: tuple[bytes, ...]
    types: tuple[tuple[int, int, int], ...]
    base_pieces: tuple[BasePiece, ...]
    partials: tuple[tuple[int, Layer, bytes], ...]
    steps: tuple[Step, ...]
    ends: tuple[tuple[int, int], ...]


@cache
def derive() -> Levels:
    """The types, partial states and steps, derived from the rules in about a second, once."""
    derivation = _Derivation(Words())
    steps = derivation.steps
    letters = derivation.words.letters
    used = sorted({word for _, _, word in derivation.types}, key=lambda word: (len(letters[word]), letters[word]))
    number = {word: at for at, word in enumerate(used)}
    return Levels(
        words=tuple(letters[word] for word in used),
        types=tuple((start, end, number[word]) for start, end, word in derivation.types),
        base_pieces=tuple(
            BasePiece(each.start, each.end, number[each.word], each.flips, each.moves)
            for each in derivation.base_pieces
        ),
        partials=tuple((shape, layer, letters[word]) for shape, layer, word in derivation.partials),
        steps=steps,
        ends=tuple(
            (
                derivation.numbers[end, _under_towers(end, _FIRST, _SECOND), word],
                derivation.numbers[end, _under_towers(end, _SECOND, _FIRST), word],
            )
            for _, end, word in derivation.types
        ),
    )


class _Derivation:
    """Partial states by number, each found once, and the steps between them."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.base_pieces = tuple(base_pieces(words))
        self.types = sorted(
            {(piece.start, piece.end, piece.word) for piece in self.base_pieces},
            key=lambda each: (each[:2], len(words.letters[each[2]]), words.letters[each[2]]),
        )
        self.numbers: dict[_Partial, int] = {}
        self.partials: list[_Partial] = []
        for shape in range(SHAPES):
            self._number((shape, _under_towers(shape, _FIRST, _SECOND), 0))

    def _number(self, partial: _Partial) -> int:
        if partial not in self.numbers:
            self.numbers[partial] = len(self.partials)
            self.partials.append(partial)
        return self.numbers[partial]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step from a start, and from every partial state that is not M-useful: there a piece ends."""
        from_shape = [[(at, each) for at, each in enumerate(self.types) if each[0] == shape] for shape in range(SHAPES)]
        steps = []
        done = 0
        while done < len(self.partials):
            shape, layer, word = self.partials[done]
            if done < SHAPES or not _is_useful(shape, layer):
                outcomes: dict[int, set[tuple[Layer, int]]] = {}
                for type_, (_, end, asked) in from_shape[shape]:
                    if asked not in outcomes:
                        outcomes[asked] = self._carry_out(self.words.letters[asked], layer, word)
                    for after, longer in sorted(outcomes[asked]):
                        steps.append(Step(done, type_, self._number((end, after, longer))))
            done += 1
        return tuple(steps)

    def _carry_out(self, letters: bytes, layer: Layer, word: int) -> set[tuple[Layer, int]]:
        """Layer M and the longer word after a word of level N is carried out, with every choice there is.

        A tile of size M is dropped into layer M. A big tile may rest there or fall below it; falling there, or being
        lifted from there, is one more letter of the longer word.
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
        elif (longer := self.words.lift(word, tile, track)) >= 0:
            yield layer, longer

    def _dropped(self, layer: Layer, word: int, tile: int, track: int) -> Iterator[tuple[Layer, int]]:
        if layer[track] == _NO_TILE:
            yield _with(layer, track, tile), word
            if tile < _FIRST and (longer := self.words.drop(word, tile, track)) >= 0:
                yield layer, longer


def _under_towers(shape: int, first: int, second: int) -> Layer:
    """Layer M with its own two tiles under the towers of a shape, `first` under the left one."""
    tiles = dict(zip(TOWERS[shape], (first, second), strict=True))
    return tiles.get(0, _NO_TILE), tiles.get(1, _NO_TILE), tiles.get(2, _NO_TILE)


def _is_useful(shape: int, layer: Layer) -> bool:
    """Whether a partial state is M-useful."""
    return layer in {_under_towers(shape, _FIRST, _SECOND), _under_towers(shape, _SECOND, _FIRST)}


def _with(layer: Layer, track: int, tile: int) -> Layer:
    changed = [*layer]
    changed[track] = tile
    return changed[0], changed[1], changed[2]
