"""A permutation group as a chain of stabilizers:
the number of its elements, and a number for each of them.

Glossary
    element     a permutation of the points 0 .. degree-1, as the array of their images.
    level       level 0 has the whole group. The group of level i fixes the base points of all
                levels before it. Each level has a base point, and behind the last level only the
                identity is left.
    orbit       of a level: the points to which its group takes its base point, and that point
                first.
    coset       of a level: for each point of the orbit, one element of its group that takes the
                base point there.
    images      the points to which an element takes the base points. They tell elements apart.

Every element is a product of one coset of each level, the first level's applied last, in one way
only. The places of these cosets in their orbits are the digits of the element's index, the first
level's counting most.

The method of Schreier and Sims finds the chain with random elements. All of these are in the group,
so the product of the orbits never exceeds the order. It equals the order if it equals a known upper
bound, or if every Schreier generator of every level is a product of cosets. Sources: Knuth,
Efficient representation of perm groups, 1991; Holt, Eick and O'Brien, Handbook of Computational
Group Theory, chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import Flags, Numbers, SmallNumbers
from puzzlebase.plugins.definitions.work import LINE, TooMuchWork, Work
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import Indices, ProductForm
from puzzlebase.sentinels import NO_STATE

_SURE = 30  # random elements in a row that bring nothing new
_POOL = 12  # elements whose products are random

Element = npt.NDArray[np.int16]
Points = npt.NDArray[np.uint16]

_WIDTH = 1024  # the most columns of the product form: its column maps take at most 4 MB


@dataclass
class Stabilizer:
    """One level while a chain is found."""

    base: int
    inverses: dict[int, Element]  # by point of the orbit, the inverse of its coset
    generators: list[Element] = field(default_factory=list)

    @classmethod
    def moved_by(cls, element: Element) -> Stabilizer:
        """Begin a level with the first point that an element moves."""
        base = int(np.argmax(_moved_points(element)))
        return cls(base, {base: np.arange(len(element), dtype=np.int16)})

    def extend(self, new: Element) -> list[tuple[int, Element]]:
        """Add an element,
        and return the points with the generators that lead from them to known points.
        """
        known = []
        self.generators.append(new)
        queue = [(point, new) for point in self.inverses]
        for point, generator in queue:
            image = int(generator[point])
            if image in self.inverses:
                known.append((point, generator))
            else:
                self.inverses[image] = self.inverses[point][_inverse_of(generator)]
                queue.extend((image, one) for one in self.generators)
        return known

    def around(self, point: int, generator: Element) -> Element:
        """The Schreier generator that goes from the base point to a point,
        on by a generator, and back.
        """
        return self.inverses[int(generator[point])][generator[_inverse_of(self.inverses[point])]]


def _sift(levels: Sequence[Stabilizer], element: Element) -> tuple[int, Element]:
    """Divide an element by cosets: the level that has none for it, and the rest."""
    for number, level in enumerate(levels):
        back = level.inverses.get(int(element[level.base]))
        if back is None:
            return number, element
        element = back[element]
    return len(levels), element


def order_of_chain(levels: Sequence[Stabilizer]) -> int:
    """The order of the group of a chain: the products of a coset of each level."""
    return prod(len(level.inverses) for level in levels)


def _moved_points(element: Element) -> Flags:
    """True for the points that an element moves."""
    differ: Flags = element != np.arange(len(element))
    return differ


def _inverse_of(element: Element) -> Element:
    """The inverse of an element."""
    inverse = np.empty_like(element)
    inverse[element] = np.arange(len(element), dtype=element.dtype)
    return inverse


@dataclass(frozen=True)
class Chain:
    """The chain of a group, as tables."""

    base: Indices  # the base points, [levels]
    orbits: Indices  # the length of each orbit, [levels]
    digits: SmallNumbers  # the place of each point in each orbit, [levels, degree]; -1 outside
    cosets: Points  # by that place, [levels, longest orbit, degree]
    inverses: Points  # of the cosets, likewise

    @classmethod
    def of(cls, generators: Sequence[Element], most: int) -> Chain:
        """Find the chain of the group that permutations generate;
        raise TooManyStates above `most` elements.
        """
        levels: list[Stabilizer] = []
        for generator in generators:
            _add(levels, 0, generator, most)
        orbits, degree = [level.inverses for level in levels], len(generators[0])
        digits = np.full((len(levels), degree), -1, np.int32)
        inverses = np.zeros((len(levels), max(map(len, orbits), default=0), degree), np.uint16)
        for i, orbit in enumerate(orbits):
            digits[i, [*orbit]] = np.arange(len(orbit))
            inverses[i, : len(orbit)] = [*orbit.values()]
        return cls(
            np.array([level.base for level in levels], np.int64),
            np.array([*map(len, orbits)], np.int64),
            digits,
            np.argsort(inverses, axis=2).astype(np.uint16),
            inverses,
        )

    @property
    def size(self) -> int:
        """The number of elements of the group."""
        return prod(self.orbits.tolist())

    def indices(self, images: Points) -> Indices:
        """The indices of elements by their images, uint16[n, levels] -> int64[n]."""
        indices: Indices = np.zeros(len(images), np.int64)
        for level, orbit in enumerate(self.orbits.tolist()):
            digit = self.digits[level, images[:, 0]]
            indices = indices * orbit + digit
            images = self.inverses[level, digit[:, None], images[:, 1:]]
        return indices

    def images(self, indices: Indices, points: Indices | None = None) -> Points:
        """The images of the base points, or of other points: int64[n] -> uint16[n, points]."""
        images = np.tile(self.base if points is None else points, (len(indices), 1)).astype(
            np.uint16
        )
        for orbit, cosets in zip(self.orbits[::-1], self.cosets[::-1], strict=True):
            indices, digit = np.divmod(indices, orbit)
            images = cosets[digit[:, None], images]
        return images

    def product_form(self, moves: Sequence[Element]) -> ProductForm:
        """The moves, elements of the group that multiply from the left, as tables of indices.

        An element is the product of its row, a first part, and its column, an element of the last
        levels' group. A move takes the first part to another row's times some column. So it takes
        the whole row to that row, and multiplies each column by this one.
        """
        width, split = 1, len(self.orbits)
        while split and width * self.orbits[split - 1] <= _WIDTH:
            split -= 1
            width *= int(self.orbits[split])
        rows = self.size // width
        firsts = self.images(np.arange(rows) * width)
        to = np.stack([self.indices(move.astype(np.uint16)[firsts]) for move in moves])
        used = np.bincount((to % width).reshape(-1)) > 0  # in a tenth of the time of np.unique
        used[0] = True  # the identity is kind 0
        kinds, numbers = np.flatnonzero(used), np.cumsum(used, dtype=np.int32) - np.int32(1)
        factors = self.images(kinds, np.arange(len(moves[0])))
        columns = self.images(np.arange(width))
        column_map = np.stack([self.indices(factor[columns]) for factor in factors])
        return ProductForm(
            (to // width).astype(np.int32), numbers[to % width], column_map.astype(np.uint32)
        )

    def find(self, elements: Numbers) -> Indices:
        """The indices of permutations, int64[n, degree] -> int64[n];
        -1 for one that is no element.
        """
        indices = self.indices(elements[:, self.base].astype(np.uint16))
        same = (self.images(indices, np.arange(elements.shape[1])) == elements).all(axis=1)
        return np.where(same, indices, NO_STATE)


def _add(levels: list[Stabilizer], i: int, element: Element, most: int) -> None:
    """Add an element that fixes the base points before level i to the group of level i."""
    if not _moved_points(_sift(levels[i:], element)[1]).any():
        return
    if i == len(levels):
        levels.append(Stabilizer.moved_by(element))
    known = levels[i].extend(element)
    if order_of_chain(levels) > most:
        raise TooManyStates(most)
    for point, generator in known:
        _add(levels, i + 1, levels[i].around(point, generator), most)


def stabilizer_chain_of(
    generators: list[Element], at_most: int, work: Work
) -> tuple[list[Stabilizer], bool]:
    """The levels of a chain for a group of permutations,
    and True if they have all elements, of a known most.
    """
    levels: list[Stabilizer] = []
    try:
        for generator in generators:
            _enter(levels, generator, work)
        random = np.random.default_rng(5)
        pool = [generators[at % len(generators)] for at in range(max(_POOL, len(generators)))]
        for _ in range(5 * len(pool)):
            _random(pool, random)
        idle = 0
        while idle < _SURE and order_of_chain(levels) < at_most:
            idle = 0 if _enter(levels, _random(pool, random), work) else idle + 1
        while order_of_chain(levels) < at_most and (found := _missing(levels, work)) is not None:
            _enter(levels, found, work)
    except TooMuchWork:
        return levels, order_of_chain(levels) == at_most
    return levels, True


def _random(pool: list[Element], random: np.random.Generator) -> Element:
    """Draw an element by product replacement."""
    one, other = random.choice(len(pool), 2, replace=False).tolist()
    factor = _inverse_of(pool[other]) if random.integers(2) else pool[other]
    product: Element = factor[pool[one]] if random.integers(2) else pool[one][factor]
    pool[one] = product
    return product


def _enter(levels: list[Stabilizer], element: Element, work: Work) -> bool:
    """Add an element to the group; False if it was there. Raises TooMuchWork."""
    work.spend(len(levels) * len(element), 2 * len(levels) + 4)
    number, rest = _sift(levels, element)
    if not _moved_points(rest).any():
        return False
    if number == len(levels):
        levels.append(Stabilizer.moved_by(rest))
    for level in levels[: number + 1]:
        known = len(level.inverses)
        level.extend(rest)
        new = len(level.inverses) - known
        work.spend(new * len(rest) + LINE * (known + new * len(level.generators)), 3 * new)
    return True


def _missing(levels: list[Stabilizer], work: Work) -> Element | None:
    """Find a Schreier generator that is no product of cosets;
    None if there is none. Raises TooMuchWork.
    """
    for number in range(len(levels) - 1, -1, -1):
        level, below = levels[number], levels[number + 1 :]
        for point, generator in product(level.inverses, level.generators):
            work.spend(len(below) * len(generator), 2 * len(below) + 4)
            around = level.around(point, generator)
            if _moved_points(_sift(below, around)[1]).any():
                return around
    return None
