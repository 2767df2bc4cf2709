"""Definitions of puzzles: sets of pieces, the solved state and the moves, from any format.

Glossary
    set         pieces that moves exchange, and as many places for them.
    place       of a piece. Places are counted through all sets, those of the first set first.
    label       number of a piece, from 0 within its set. Pieces with one label look alike.
    turned      orientation of a piece in its place, from 0 below the set's orientations.
    modulus     of a label: turned by it, a piece looks as before. It divides the set's
                orientations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial, prod
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.comments import Remarks

Numbers = npt.NDArray[np.int64]
SmallNumbers = npt.NDArray[np.int32]
AnyNumbers = npt.NDArray[np.integer[Any]]  # of any width
Flags = npt.NDArray[np.bool_]
Pieces = tuple[Numbers, Numbers]
"""The labels and turns of states, int64[states, places] each."""

MOST_STATES = 1 << 33  # of a puzzle without patterns: a search in it takes a second or so
PATTERN = "~"  # between a puzzle's name and the number of one of its patterns
MOST_ORIENTATIONS = 127  # as in twsearch
MOST_MOVES = 1000  # with all powers
MOST_NUMBERS = 1 << 22  # places times moves, and places times names
MOST_DIFFERENT = 62 * 62  # pieces of a set, so that two letters or digits tell them apart


class PieceSet(NamedTuple):
    """A set: its name, its number of places, and the number of orientations of a piece."""

    name: str
    places: int
    orientations: int


@dataclass(frozen=True, eq=False)
class Transformation:
    """A move: each place gets the piece from the place `source`,
    int64[places], turned on by `turned`.

    Moves may be stacked, int64[moves, places] each.
    """

    source: Numbers
    turned: Numbers

    def then(self, other: Transformation, orientations: Numbers) -> Transformation:
        """Do this move and then the other one; either may be stacked."""
        turned = (self.turned[..., other.source] + other.turned) % orientations
        return Transformation(self.source[..., other.source], turned)

    @classmethod
    def none(cls, places: int) -> Transformation:
        """The move that changes nothing."""
        return cls(np.arange(places), np.zeros(places, np.int64))

    @classmethod
    def stack(cls, turns: Sequence[Transformation]) -> Transformation:
        """Stack moves."""
        return cls(
            np.stack([turn.source for turn in turns]), np.stack([turn.turned for turn in turns])
        )

    def inverse(self, orientations: Numbers) -> Transformation:
        """The move that takes this one back."""
        to = np.empty_like(self.source)
        to[self.source] = np.arange(len(to))
        return Transformation(to, -self.turned[to] % orientations)

    def power(self, count: int, orientations: Numbers) -> Transformation:
        """Repeat this move by repeated squaring; a negative count repeats its inverse."""
        square = self if count >= 0 else self.inverse(orientations)
        whole = square if count % 2 else Transformation.none(len(self.source))
        count = abs(count)
        while count := count // 2:
            square = square.then(square, orientations)
            if count % 2:
                whole = whole.then(square, orientations)
        return whole

    def points(self, ways: Numbers) -> Numbers:
        """The point to which each point goes.
        A place with `ways` orientations, int64[places], has as many points.
        """
        place, first = np.repeat(np.arange(len(ways)), ways), np.cumsum(ways) - ways
        orientation = np.arange(len(place)) - first[place]
        to = np.empty_like(place)
        to[first[self.source[place]] + orientation] = (
            first[place] + (orientation + self.turned[place]) % ways[place]
        )
        return to

    @property
    def key(self) -> bytes:
        """Bytes that are equal for moves with equal effects."""
        return self.source.tobytes() + self.turned.tobytes()

    @property
    def keys(self) -> list[bytes]:
        """The key of each of stacked moves."""
        every = zip(self.source, self.turned, strict=True)
        return [Transformation(source, turned).key for source, turned in every]

    @property
    def changed(self) -> Flags:
        """The places that get another piece, or their own one turned: bool[places]."""
        changed: Flags = (self.source != np.arange(len(self.source))) | (self.turned != 0)
        return changed

    @property
    def does_nothing(self) -> bool:
        """True if it changes nothing."""
        return not self.changed.any()


@dataclass(frozen=True, eq=False)
class Definition:
    """A puzzle as its file defines it; arrays are int64[places] and describe the solved state."""

    title: str  # the name inside the file, or empty
    sets: tuple[PieceSet, ...]
    labels: Numbers
    turned: Numbers
    moduli: Numbers
    generators: dict[str, Transformation]  # the moves by name, without powers and inverses
    notes: tuple[str, ...] = ()  # tell readers of the file how it was understood
    unused: tuple[str, ...] = ()  # what the file says that has no effect, a sentence each
    remarks: Remarks = field(default_factory=Remarks)
    # the generators whose inverse is their only other power that is a move
    single: frozenset[str] = frozenset()
    patterns: tuple[Flags, ...] = ()  # the places of the pieces that each tells apart, bool[places]
    symmetric: bool = True  # False if a table of its states stores all of them
    forward: bool = False  # True if generators alone are moves, without powers and inverses
    # all that the file names, rotations too
    named: Mapping[str, Transformation] = field(default_factory=dict)
    goals: Mapping[str, Sequence[str | Pieces]] = field(default_factory=dict)
    """Sets of states by name: texts of moves as <U,D>,
    and masks, with -1 where any piece or orientation will do.
    """

    @property
    def quarter(self) -> Self:
        """The definition with no powers of generators but themselves and their inverses."""
        return replace(self, single=frozenset(self.generators))

    @cached_property
    def orientations(self) -> Numbers:
        """The number of orientations of a piece in each place, int64[places]."""
        return np.repeat(
            [each.orientations for each in self.sets], [each.places for each in self.sets]
        )

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first place of each set, and last the number of all places."""
        return (0, *np.cumsum([each.places for each in self.sets]).tolist())

    def places_of(self, number: int) -> slice:
        """The places of a set."""
        return slice(self.starts[number], self.starts[number + 1])

    @cached_property
    def pressed(self) -> dict[str, int]:
        """The place that each generator presses,
        if pieces are lamps: all alike, and as many as generators.
        """
        lamps = len(self.sets) == 1 and self.sets[0].orientations > 1 and not self.labels.any()
        lamps = lamps and len(self.generators) == len(self.labels)
        lamps = lamps and all(
            turn.changed[place] for place, turn in enumerate(self.generators.values())
        )
        return {name: place for place, name in enumerate(self.generators)} if lamps else {}

    @cached_property
    def set_of(self) -> Numbers:
        """The set of each place, int64[places]."""
        return np.repeat(np.arange(len(self.sets)), [each.places for each in self.sets])

    @cached_property
    def modulus_of(self) -> Numbers:
        """The modulus of each label of each set,
        int64[sets, labels]; 0 for a label that the set lacks.
        """
        moduli = np.zeros((len(self.sets), int(self.labels.max()) + 2), np.int64)  # last for -1
        moduli[self.set_of, self.labels] = self.moduli
        return moduli

    def solved(self, count: int) -> Pieces:
        """The labels and turns of `count` solved states, to write in."""
        return np.tile(self.labels, (count, 1)), np.tile(self.turned, (count, 1))

    @property
    def is_large(self) -> bool:
        """True if it has more than MOST_STATES states, with any piece in any place."""
        states = 1
        for number in range(len(self.sets)):
            places = self.places_of(number)
            alike = prod(map(factorial, np.bincount(self.labels[places]).tolist()))
            states *= (
                factorial(places.stop - places.start) // alike * prod(self.moduli[places].tolist())
            )
        return states > MOST_STATES

    @cached_property
    def digest(self) -> str:
        """12 hexadecimal digits, equal for equal puzzles:
        comments and line breaks do not matter.
        """
        hashed = hashlib.blake2b(digest_size=6)
        hashed.update(repr(self.sets).encode())
        for numbers in (self.labels, self.turned, self.moduli):
            hashed.update(numbers.astype("<i8").tobytes())
        for name, turn in self.generators.items():
            hashed.update(name.encode() + turn.key)
        return hashed.hexdigest()
