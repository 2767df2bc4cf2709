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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from puzzlebase.plugins.definitions.definition import (
    Definition,
    Flags,
    Numbers,
    Pieces,
    Transformation,
)
from puzzlebase.plugins.definitions.factors import Factor, Product
from puzzlebase.plugins.definitions.place_blocks import PlaceBlock, cycles_of
from puzzlebase.plugins.definitions.stabilizer_chain import Chain
from puzzlebase.plugins.definitions.symmetry_classes import Acting, Image
from puzzlebase.plugins.definitions.work import LINE, SYMMETRIES, TooMuchWork, Work
from puzzlebase.puzzles.contract.errors import TooManyStates

# moves times places with orientations of a definition whose symmetries are looked for
_MOST_POINTS = 1 << 14
_MOST_GOALS = 1 << 6  # that symmetries lead to one another

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
        """The image of a move, or of stacked moves; or of a state, as the move that makes it."""
        source, turned = np.empty_like(turn.source), np.empty_like(turn.turned)
        source[..., self.places] = self.places[turn.source]
        turned[..., self.places] = self.signs * turn.turned + self.shifts - self.shifts[turn.source]
        return Transformation(source, turned % orientations)


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
    stacked = Transformation.stack([turns[number] for number in own])
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
        for base in range(len(to)):
            if to[base] >= 0:
                continue
            others = np.setdiff1d(np.arange(len(to)), [*to, base]).tolist()
            orbits = (self._orbit(base, each, generators, images) for each in (base, *others))
            orbit = next(filter(None, orbits), {})
            if not orbit or np.isin([*orbit.values()], to).any():
                return None
            to[[*orbit]] = [*orbit.values()]
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
        found, queue = {base: image}, [base]
        for point in queue:  # which grows meanwhile
            self._work.spend(LINE * len(generators))
            after = generators[:, point].tolist(), images[:, found[point]].tolist()
            for to, its in zip(*after, strict=True):
                if to not in found:
                    queue.append(to)
                if found.setdefault(to, its) != its:
                    return {}
        return found if len({*found.values()}) == len(found) else {}


@dataclass(frozen=True)
class Renaming:
    """The effect of a symmetry on states, in which pieces get other names as well.

    A piece is known by its place and label, int64[places, labels] each.
    """

    definition: Definition
    symmetry: Symmetry
    label: Numbers
    by: Numbers  # its turn, beside what follows from its place
    moves: tuple[int, ...] = ()  # the image of each move, the first of those that do the same
    goals: tuple[int, ...] = ()  # the image of each goal state

    @classmethod
    def of(
        cls,
        definition: Definition,
        blocks: Sequence[PlaceBlock],
        symmetry: Symmetry,
        before: Sequence[Numbers],
        after: Sequence[Numbers],
    ) -> Renaming | None:
        """Find the effect that leads one state to another;
        None if it takes more than other names of equal pieces.
        """
        shape = len(definition.labels), int(definition.labels.max()) + 1
        label, by = np.zeros((2, *shape), np.int64)
        for block in blocks:
            homes, images = block.places, symmetry.places[block.places]
            (old, old_turns), (new, new_turns) = (
                (part[homes] for part in before),
                (part[images] for part in after),
            )
            signs, ways = (
                symmetry.signs[homes],
                definition.modulus_of[definition.set_of[homes], old],
            )
            turned = (new_turns - signs * old_turns - symmetry.shifts[homes]) % ways
            pairs = {*zip(old.tolist(), new.tolist(), turned.tolist(), strict=True)}
            ways_after = definition.modulus_of[definition.set_of[images], new]
            alike = len({*signs.tolist()}) == 1 and (ways == ways_after).all()
            if not alike or len(pairs) > len({*old.tolist()}):
                return None
            here = homes[:, None]
            label[here, old], by[here, old] = new, turned
        return cls(definition, symmetry, label, by)

    def __call__(self, labels: Numbers, turns: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
        """The labels and turns, int64[n, all places],
        of renamed states that are solved but for some places.
        """
        symmetry, (after, turned) = self.symmetry, self.definition.solved(len(turns))
        of, to = labels[:, places], symmetry.places[places]
        after[:, to] = self.label[places, of]
        by = (
            symmetry.signs[places] * turns[:, places]
            + symmetry.shifts[places]
            + self.by[places, of]
        )
        turned[:, to] = by % self.definition.modulus_of[self.definition.set_of[places], of]
        return after, turned

    @property
    def effect(self) -> Numbers:
        """A permutation that says what it does to all states,
        which moves lead to from goal states.
        """
        return np.array([*self.moves, *(len(self.moves) + goal for goal in self.goals)])


def renamings(
    definition: Definition,
    turns: Sequence[Transformation],
    blocks: Sequence[PlaceBlock],
    goals: Pieces,
    work: Work,
) -> list[Renaming]:
    """The symmetries of a definition that map moves onto moves and goal states to goal states,
    the identity first.

    Each symmetry of places is tried with every renaming of pieces that leads the first goal state
    to a goal state; if there are very many goal states, only with that which leads it to itself.
    Raises TooMuchWork.
    """
    if not blocks or len(turns) * int(definition.orientations.sum()) > _MOST_POINTS:
        return []
    stacked = Transformation.stack(turns)
    every, places = [*zip(*goals, strict=True)], np.concatenate([block.places for block in blocks])
    numbers = {state: number for number, state in enumerate(_states_as_bytes(goals, places))}
    keys = stacked.keys
    seen = [block.turns for block in blocks if block.rearranged or block.ways > 1]
    effects = [b"".join(turns_of[move].key for turns_of in seen) for move in range(len(keys))]
    first = {effect: move for move, effect in reversed([*enumerate(effects)])}
    known = {key: first[effect] for key, effect in zip(keys, effects, strict=True)}
    found = []
    for each in symmetries(definition, turns):
        work.spend(stacked.source.size, 10 * len(blocks))
        images = each.image(stacked, definition.orientations).keys
        if sorted(images) != sorted(keys):
            continue
        for goal in every[: len(every) if len(every) <= _MOST_GOALS else 1]:
            work.spend(goals[0].size, 10 * len(blocks))
            if not (renaming := Renaming.of(definition, blocks, each, every[0], goal)):
                continue
            goals_after = _states_as_bytes(renaming(*goals, places), places)
            if {*goals_after} == {*numbers}:
                moves_after = tuple(known[key] for key in images)
                found.append(
                    replace(
                        renaming,
                        moves=moves_after,
                        goals=tuple(numbers[goal] for goal in goals_after),
                    )
                )
    return found


def _states_as_bytes(states: Pieces, places: Numbers) -> list[bytes]:
    """States as bytes, by their pieces in some places."""
    labels, turns = states
    return [state.tobytes() for state in np.hstack([labels[:, places], turns[:, places]])]


def acting_symmetries(
    blocks: Sequence[PlaceBlock], every: Sequence[Renaming], product: Product, work: Work
) -> list[tuple[Renaming, Acting]]:
    """The symmetries that act on the factors of a product,
    the identity first; none if these are no group.

    Some may be missing: the search for them is limited.
    Of those with the same effect it takes one. Raises TooMuchWork.
    """
    numbers = sum(factor.size for factor in product.factors)
    found: dict[bytes, tuple[Renaming, Acting]] = {}
    for each in every:
        work.spend(4 * numbers, 20 * len(product.factors))
        if (images := _images_of(blocks, each, product)) is not None:
            found.setdefault(each.effect.tobytes(), (each, Acting(each.moves, images)))
    return [*found.values()] if found and _is_group([*found]) else []


def _is_group(effects: Sequence[bytes]) -> bool:
    """True if products of different effects, the identity's first, are these and no others.

    They permute the first ones of moves that do the same.
    """
    every = np.stack([np.frombuffer(effect, np.int64) for effect in effects])
    firsts = np.unique(every[0])
    elements = np.searchsorted(firsts, every[:, firsts]).astype(np.int16)
    try:
        Chain.of([*elements], len(elements))
    except TooManyStates:
        return False
    return True


def _images_of(
    blocks: Sequence[PlaceBlock], rename: Renaming, product: Product
) -> tuple[Image, ...] | None:
    """The images of all factors;
    None if one of rows follows from those of columns, or one of these from rows.
    """
    factors, rows = product.factors, len(product.rows)
    known = {factor.charges: number for number, factor in enumerate(factors)}
    block_to = {
        int(rename.symmetry.places[block.places].min()): number
        for number, block in enumerate(blocks)
    }
    images = []
    for number, target in enumerate(factors):
        to = target.charges[0] // 2
        of = block_to.get(int(blocks[to].places[0]), -1)
        given = source = known.get(tuple(each + 2 * (of - to) for each in target.charges), -1)
        places = blocks[of].places
        by = rename.by[places[0], rename.definition.labels[places]]
        if target.charges[0] % 2 and (by != by[0]).any():  # turns follow from the labels, too
            given = known.get((2 * of,), -1)
        if (
            of < 0
            or min(given, source) < 0
            or {each < rows for each in (given, source)} != {number < rows}
        ):
            return None
        images.append(_image(rename, factors, target, given, source, places))
        if (images[-1].table < 0).any():
            return None
    return tuple(images)


def _image(
    rename: Renaming,
    factors: Sequence[Factor],
    target: Factor,
    given: int,
    source: int,
    places: Numbers,
) -> Image:
    """The image of a factor, by those of pieces in some places."""
    factor = factors[source]
    if given == source:
        table, moves = np.empty(factor.size, np.int32), np.array(rename.moves)
        table[factor.solved] = target.rank(*rename(*rename.definition.solved(1), places))[0]
        for indices, move, before in factor.tree:
            table[indices] = target.moves[moves[move], table[before]]
        return Image(given, source, np.broadcast_to(0, factor.size), table[None, :])
    _, turns = factor.states(rename.definition)
    arranged, _ = factors[given].states(rename.definition)
    by = rename.by[places, arranged[:, places]]
    _, first_of, kind = np.unique(by, axis=0, return_index=True, return_inverse=True)
    tables = [target.rank(*rename(arranged[[at]], turns, places)) for at in first_of.tolist()]
    return Image(
        given, source, kind.reshape(-1), np.stack(tables, dtype=np.int32, casting="unsafe")
    )
