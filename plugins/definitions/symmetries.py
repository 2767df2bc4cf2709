"""Symmetries of a definition: renamings of its places,
with their orientations, that turn every move into a move.

Glossary
    point       a place with an orientation of the piece in it.
    symmetry    of points: place p with orientation o becomes place `places[p]` with
                `signs[p] * o + shifts[p]`.
    image       of a move m under a symmetry s: the move s m s', which has the effect of m between
                renamed points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from puzzlebase.plugins.definitions.blocks import cycles_of
from puzzlebase.plugins.definitions.definition import (
    Definition,
    Flags,
    Numbers,
    Transformation,
    stack_moves,
)
from puzzlebase.plugins.definitions.work import LINE, SYMMETRIES, TooMuchWork, Work
from puzzlebase.plugins.small_graphs import breadth_first

# choices of images for generators; a definition with more has too many symmetries to use them
_MOST = 1 << 12


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A renaming of points; arrays are int64[places]."""

    places: Numbers
    shifts: Numbers
    signs: Numbers

    def then(self, other: Symmetry, orientations: Numbers) -> Symmetry:
        """Compose two symmetries: this one acts first."""
        signs, shifts = other.signs[self.places], other.shifts[self.places]
        return Symmetry(
            other.places[self.places],
            (signs * self.shifts + shifts) % orientations,
            signs * self.signs,
        )

    def image(self, turn: Transformation, orientations: Numbers) -> Transformation:
        """The image of a move, or of stacked moves."""
        source, turned = np.empty_like(turn.source), np.empty_like(turn.turned)
        source[..., self.places] = self.places[turn.source]
        turned[..., self.places] = self.signs * turn.turned + self.shifts - self.shifts[turn.source]
        return Transformation(source, turned % orientations)

    def pieces(
        self, homes: Numbers, turns: Numbers, orientations: Numbers
    ) -> tuple[Numbers, Numbers]:
        """The renamed state: the home of the piece in each place,
        and its orientation; int64[places] each.
        """
        after, turned = np.empty_like(homes), np.empty_like(turns)
        after[self.places] = self.places[homes]
        turned[self.places] = self.signs * turns + self.shifts - self.shifts[homes]
        return after, turned % orientations


def symmetries(definition: Definition, turns: Sequence[Transformation]) -> list[Symmetry]:
    """The symmetries of a definition and its moves,
    the identity first: one for each map of generators.

    If there are too many, or if it takes too much work to find them, the identity is the only one.
    """
    try:
        return _found(definition, turns, Work(SYMMETRIES))
    except TooMuchWork:
        none = np.zeros_like(definition.labels)
        return [Symmetry(np.arange(len(none)), none, none + 1)]


def _found(definition: Definition, turns: Sequence[Transformation], work: Work) -> list[Symmetry]:
    points = _Points(definition, work)
    turns = [*{turn.key: turn for turn in turns}.values()]  # for some goals several do the same
    moves = np.stack([turn.points(definition.orientations) for turn in turns])
    numbers = {turn.key: number for number, turn in enumerate(turns)}
    own = [*dict.fromkeys(numbers[turn.key] for turn in definition.generators.values())]
    stacked = stack_moves([turns[number] for number in own])
    found = []
    for chosen in sorted(_choices(moves, own, work)):
        if symmetry := points.symmetry(moves[own], moves[[*chosen]]):
            work.spend(stacked.source.size, 8)
            if symmetry.image(stacked, definition.orientations).keys == [
                turns[number].key for number in chosen
            ]:
                found.append(symmetry)
    return sorted(found, key=lambda each: not (each.places == np.arange(len(each.places))).all())


def _choices(moves: Numbers, own: Sequence[int], work: Work) -> set[tuple[int, ...]]:
    """The images that generators, moves with the numbers `own`,
    may have by the cycles of moves and of their products.

    The generator with the fewest candidates gets its image first.
    Raises TooMuchWork, also for too many choices.
    """

    @cache
    def after(move: int) -> Numbers:
        """The kinds of all moves, each made after one move."""
        return _kinds(moves[:, moves[move]], work)

    kinds = _kinds(moves, work)
    found = set()
    # The candidates of each generator, bool[generators, moves], and a generator whose image comes
    # next: a stack.
    left: list[tuple[Flags, int, int]] = []

    def enter(fits: Flags) -> None:
        candidates = fits.sum(axis=1)
        if (candidates == 1).all():
            chosen = tuple(fits.argmax(axis=1).tolist())
            if len({*chosen}) == len(chosen):
                found.add(chosen)
            if len(found) > _MOST:
                raise TooMuchWork
        elif candidates.all():
            at = int(np.where(candidates > 1, candidates, len(moves) + 1).argmin())
            left.extend((fits, at, image) for image in np.flatnonzero(fits[at]).tolist())

    enter(kinds == kinds[own][:, None])
    while left:
        before, at, image = left.pop()
        work.spend(before.size, 8)
        fits = before & (after(image) == after(own[at])[own][:, None])
        fits[:, image] = False
        fits[at] = np.arange(len(moves)) == image
        enter(fits)
    return found


def _kinds(moves: Numbers, work: Work) -> Numbers:
    """A number for the lengths of each permutation's cycles, int64[n, points] -> int64[n]."""
    work.spend(moves.size * 2 * moves.shape[1].bit_length(), 8)
    cycles = cycles_of(moves) + np.arange(len(moves))[:, None] * moves.shape[1]
    lengths = np.bincount(cycles.reshape(-1), minlength=moves.size).reshape(moves.shape)
    of_length = np.random.default_rng(0).integers(1 << 62, size=moves.shape[1] + 1)
    kinds: Numbers = of_length[lengths].sum(axis=1)
    return kinds


class _Points:
    """The points of a definition: those of a place side by side."""

    def __init__(self, definition: Definition, work: Work) -> None:
        self._work, self._ways = work, definition.orientations
        self._first = np.concatenate([[0], np.cumsum(self._ways)])
        self._place = np.repeat(np.arange(len(self._ways)), self._ways)

    def symmetry(self, generators: Numbers, images: Numbers) -> Symmetry | None:
        """The symmetry with these images of generators,
        int64[generators, points] each; None if there is none.
        """
        to = np.full(len(self._place), -1)
        taken = np.zeros(len(self._place), bool)
        for base in range(len(to)):
            if to[base] >= 0:
                continue
            candidates = [
                base,
                *(point for point in range(len(to)) if not taken[point] and point != base),
            ]
            orbit = next(
                (
                    found
                    for each in candidates
                    if (found := self._orbit(base, each, generators, images))
                ),
                None,
            )
            if orbit is None or taken[[*orbit.values()]].any():
                return None
            to[[*orbit]], taken[[*orbit.values()]] = [*orbit.values()], True
        first, second = (
            to[self._first[:-1]],
            to[np.minimum(self._first[:-1] + 1, self._first[1:] - 1)],
        )
        places = self._place[first]
        if len({*places.tolist()}) < len(places) or (self._ways[places] != self._ways).any():
            return None
        signs = np.where((second - first) % self._ways == self._ways - 1, -1, 1)
        return Symmetry(places, first - self._first[places], np.where(self._ways > 2, signs, 1))

    def _orbit(self, base: int, image: int, generators: Numbers, images: Numbers) -> dict[int, int]:
        """The images of all points that generators lead to from one with a known image;
        none for a contradiction.
        """

        def after(pair: tuple[int, int]) -> Iterable[tuple[int, int]]:
            self._work.spend(LINE * len(generators))
            return zip(generators[:, pair[0]].tolist(), images[:, pair[1]].tolist(), strict=True)

        found: dict[int, int] = {}
        taken: dict[int, int] = {}
        for (point, its), _ in breadth_first([(base, image)], after):
            if found.setdefault(point, its) != its or taken.setdefault(its, point) != point:
                return {}
        return found
