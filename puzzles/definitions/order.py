"""How many elements a permutation group has, by the method of Schreier and Sims with random elements.

Every element that is found lies in the group, so the product of the orbits never exceeds the order. It is the order
for certain where it equals a known upper bound, or where every Schreier generator of every level is a product of
cosets. See Holt, Eick and O'Brien, Handbook of Computational Group Theory, chapter 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from time import monotonic

import numpy as np
import numpy.typing as npt

Images = npt.NDArray[np.int16]

_SURE = 30  # random elements in a row that bring nothing new
_POOL = 12  # elements whose products are random


@dataclass
class _Level:
    base: int
    generators: list[Images] = field(default_factory=list)
    inverses: dict[int, Images] = field(default_factory=dict)  # by point: what takes the point back to the base

    def extend(self, new: Images) -> None:
        """Make an element one of the level's group, whose orbit may grow."""
        self.generators.append(new)
        queue = [(point, new) for point in [*self.inverses]]
        for point, generator in queue:
            image = int(generator[point])
            if image not in self.inverses:
                self.inverses[image] = self.inverses[point][_inverse(generator)]
                queue.extend((image, one) for one in self.generators)


def order_of(generators: list[Images], at_most: int, seconds: float) -> tuple[int, bool]:
    """The order of the group of permutations int16[points], and whether it is proved; else the order is at least that.

    `at_most` is a bound that is known, and `seconds` how long it may take.
    """
    end = monotonic() + seconds
    identity = np.arange(len(generators[0]), dtype=np.int16)
    levels: list[_Level] = []
    for generator in generators:
        _enter(levels, generator, identity)
    random = np.random.default_rng(5)
    pool = [generators[at % len(generators)] for at in range(max(_POOL, len(generators)))]
    for _ in range(5 * len(pool)):
        _random(pool, random)
    idle = 0
    while idle < _SURE and _order(levels) < at_most:
        if monotonic() > end:
            return _order(levels), False
        idle = 0 if _enter(levels, _random(pool, random), identity) else idle + 1
    while _order(levels) < at_most:
        found = _missing(levels, identity, end)
        if found is None:
            return _order(levels), monotonic() <= end
        _enter(levels, found, identity)
    return _order(levels), True


def _order(levels: list[_Level]) -> int:
    return prod(len(level.inverses) for level in levels)


def _random(pool: list[Images], random: np.random.Generator) -> Images:
    """An element, by product replacement."""
    one, other = random.choice(len(pool), 2, replace=False).tolist()
    factor = _inverse(pool[other]) if random.integers(2) else pool[other]
    product: Images = factor[pool[one]] if random.integers(2) else pool[one][factor]
    pool[one] = product
    return product


def _sifted(levels: list[_Level], element: Images) -> tuple[int, Images]:
    """What is left of an element when cosets are divided off, and the level at which there is none."""
    for number, level in enumerate(levels):
        back = level.inverses.get(int(element[level.base]))
        if back is None:
            return number, element
        element = back[element]
    return len(levels), element


def _enter(levels: list[_Level], element: Images, identity: Images) -> bool:
    """Make an element one of the group; whether it was new."""
    number, rest = _sifted(levels, element)
    moved = np.flatnonzero(rest != identity)
    if not len(moved):
        return False
    if number == len(levels):
        base = int(moved[0])
        levels.append(_Level(base, inverses={base: identity}))
    for level in levels[: number + 1]:
        level.extend(rest)
    return True


def _missing(levels: list[_Level], identity: Images, end: float) -> Images | None:
    """A Schreier generator that is no product of cosets; None where there is none, or when the time is over."""
    for number in range(len(levels) - 1, -1, -1):
        level = levels[number]
        for point, back in [*level.inverses.items()]:
            coset = _inverse(back)
            for generator in level.generators:
                if monotonic() > end:
                    return None
                around = level.inverses[int(generator[point])][generator[coset]]
                if _sifted(levels[number + 1 :], around)[1].tobytes() != identity.tobytes():
                    return around
    return None


def _inverse(element: Images) -> Images:
    inverse = np.empty_like(element)
    inverse[element] = np.arange(len(element), dtype=element.dtype)
    return inverse
