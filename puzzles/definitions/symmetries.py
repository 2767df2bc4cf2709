"""Symmetries of a definition: renamings of its places, with their orientations, that turn every move into a move.

Glossary
    point       a place with an orientation of the piece in it.
    symmetry    of points: place p with orientation o becomes place `places[p]` with `signs[p] * o + shifts[p]`.
    image       of a move m under a symmetry s: the move s m s', which has the effect of m between renamed points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlebase.puzzles.definitions.definition import Definition, Numbers, Transformation

_MOST = 1 << 12  # choices of images for generators that are tried


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A renaming of points; arrays are int64[places]."""

    places: Numbers
    shifts: Numbers
    signs: Numbers

    def then(self, other: Symmetry, orientations: Numbers) -> Symmetry:
        """Compose two symmetries: this one acts first."""
        signs, shifts = other.signs[self.places], other.shifts[self.places]
        return Symmetry(other.places[self.places], (signs * self.shifts + shifts) % orientations, signs * self.signs)

    def image(self, turn: Transformation, orientations: Numbers) -> Transformation:
        """The image of a move."""
        source, turned = np.empty_like(turn.source), np.empty_like(turn.turned)
        source[self.places] = self.places[turn.source]
        turned[self.places] = self.signs * turn.turned + self.shifts - self.shifts[turn.source]
        return Transformation(source, turned % orientations)

    def pieces(self, homes: Numbers, turns: Numbers, orientations: Numbers) -> tuple[Numbers, Numbers]:
        """The renamed state: the home of the piece in each place, and its orientation; int64[places] each."""
        after, turned = np.empty_like(homes), np.empty_like(turns)
        after[self.places] = self.places[homes]
        turned[self.places] = self.signs * turns + self.shifts - self.shifts[homes]
        return after, turned % orientations


def symmetries(definition: Definition, turns: Sequence[Transformation]) -> list[Symmetry]:
    """The symmetries of a definition and its moves, the identity first: one for each map of generators."""
    points = _Points(definition)
    generators = [points.of(turn) for turn in definition.generators.values()]
    moves = [points.of(turn) for turn in turns]
    kinds = [_kind(move) for move in moves]
    pairs = {(a, b): _kind(moves[b][moves[a]]) for a in range(len(moves)) for b in range(len(moves))}
    own = [next(number for number, move in enumerate(moves) if (move == each).all()) for each in generators]

    def images(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        at = len(chosen)
        if at == len(own):
            yield chosen
            return
        for move in range(len(moves)):
            fits = kinds[move] == kinds[own[at]] and move not in chosen
            if fits and all(pairs[chosen[i], move] == pairs[own[i], own[at]] for i in range(at)):
                yield from images((*chosen, move))

    found = []
    for tried, chosen in enumerate(images(())):
        if tried == _MOST:
            break
        if symmetry := points.symmetry(generators, [moves[number] for number in chosen]):
            images_of = (symmetry.image(turn, definition.orientations).key for turn in definition.generators.values())
            if [*images_of] == [turns[number].key for number in chosen]:
                found.append(symmetry)
    return sorted(found, key=lambda each: not (each.places == np.arange(len(each.places))).all())


def _kind(move: Numbers) -> tuple[int, ...]:
    """The lengths of a permutation's cycles, sorted, each as often as it is long."""
    lengths, to, every = np.zeros_like(move), move, np.arange(len(move))
    for length in every + 1:
        lengths[(lengths == 0) & (to == every)] = length
        if lengths.all():
            break
        to = move[to]
    return tuple(np.sort(lengths).tolist())


class _Points:
    """The points of a definition: those of a place side by side."""

    def __init__(self, definition: Definition) -> None:
        self._ways = definition.orientations
        self._first = np.concatenate([[0], np.cumsum(self._ways)])
        self._place = np.repeat(np.arange(len(self._ways)), self._ways)

    def of(self, turn: Transformation) -> Numbers:
        """The point that a move takes each point to."""
        to = np.empty(len(self._place), np.int64)
        for place, (source, by) in enumerate(zip(turn.source.tolist(), turn.turned.tolist(), strict=True)):
            ways = int(self._ways[place])
            to[self._first[source] + np.arange(ways)] = self._first[place] + (np.arange(ways) + by) % ways
        return to

    def symmetry(self, generators: Sequence[Numbers], images: Sequence[Numbers]) -> Symmetry | None:
        """The symmetry with these images of generators; None if there is none."""
        to = np.full(len(self._place), -1)
        taken = np.zeros(len(self._place), bool)
        for base in range(len(to)):
            if to[base] >= 0:
                continue
            candidates = [base, *(point for point in range(len(to)) if not taken[point] and point != base)]
            orbit = next((found for each in candidates if (found := _orbit(base, each, generators, images))), None)
            if orbit is None or taken[[*orbit.values()]].any():
                return None
            to[[*orbit]], taken[[*orbit.values()]] = [*orbit.values()], True
        first, second = to[self._first[:-1]], to[np.minimum(self._first[:-1] + 1, self._first[1:] - 1)]
        places = self._place[first]
        if len({*places.tolist()}) < len(places) or (self._ways[places] != self._ways).any():
            return None
        signs = np.where((second - first) % self._ways == self._ways - 1, -1, 1)
        return Symmetry(places, first - self._first[places], np.where(self._ways > 2, signs, 1))


def _orbit(base: int, image: int, generators: Sequence[Numbers], images: Sequence[Numbers]) -> dict[int, int] | None:
    """The images of all points that generators lead to from a point with a known image; None for a contradiction."""
    found, left = {base: image}, [base]
    while left:
        point = left.pop()
        for generator, other in zip(generators, images, strict=True):
            to, of = int(generator[point]), int(other[found[point]])
            if to not in found:
                found[to] = of
                left.append(to)
            elif found[to] != of:
                return None
    return found if len({*found.values()}) == len(found) else None
