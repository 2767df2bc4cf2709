"""Patterns of a definition that is too large for a table:
pieces look alike, and their orientations stay.

In each block all orientations count, and at most one class of pieces is told from the others.
Within the class, pieces look alike, or all differ. Where blocks have too many classes together,
only one block has a class. Larger patterns have better bounds, so the largest one that fits into
memory is taken, with rows stored up to symmetry. Of several, the one with the fewest views has the
smallest table. This rule chooses the class, and the frame from which orientations count.

One table serves several views:
a view renames the state by a symmetry of the definition that gives another pattern.

Glossary
    frame       the orientation of each place from which its piece's orientation counts.
    class       places whose pieces are told from the others.
    view        a symmetry, with the frame.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import chain, combinations, islice, product
from math import comb, perm, prod
from threading import RLock

import numpy as np
from cachetools import LRUCache, cached

from puzzlebase.plugins.definitions.definition import (
    PATTERN,
    Definition,
    Flags,
    Numbers,
    Transformation,
)
from puzzlebase.plugins.definitions.factors import factors_of, product_of
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.place_blocks import PlaceBlock
from puzzlebase.plugins.definitions.rows import Rows
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.symmetries import Symmetry, symmetries
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.work import LINE, NUMBERING, PATTERNS, TooMuchWork, Work
from puzzlebase.plugins.patterns.pieces import WithPieces, inverses_of_pieces
from puzzlebase.plugins.patterns.random_states import RandomStates
from puzzlebase.puzzles import Pattern, PatternDatabases, Patterns
from puzzlebase.puzzles.files import FormatError, InvalidDefinition

MEMORY = "PUZZLEBASE_PATTERN_MEMORY"  # of the distances of all patterns of a puzzle, bytes
DEFAULT_MEMORY = 1 << 31
VERTICES_IN_A_BYTE = 2
MOST_VIEWS = 6
# moves times places with orientations; symmetries of larger definitions are not looked for
MOST_POINTS = 1 << 14
_MOST_FRAMES = 64
# of a class for each block; the helicopter cube of twsearch has 495,726,145
_MOST_CHOICES = 1 << 15
_KINDS_THAT_ADD = 1 << 8  # as many for all patterns that a search adds up
_CACHED = 64  # definitions whose patterns are cached
_NUMBER = "p"  # and the number of the pattern, in its name

NamedPlaces = tuple[Numbers, bool]  # a class, and True if its pieces differ


@dataclass(frozen=True, eq=False)
class Chosen:
    """A pattern of a definition: a definition of its own, and its views of the whole."""

    definition: Definition
    views: tuple[Symmetry, ...]
    states: int
    symmetries: int  # up to which its rows are stored, if all of them act on rows and columns
    adds: bool = False  # True if the search can add it to others

    @property
    def stored(self) -> int:
        """About the number of vertices stored."""
        return self.states // self.symmetries


def _pattern_memory() -> int:
    """The bytes that the distances of a puzzle's patterns may take."""
    given = os.environ.get(MEMORY, str(DEFAULT_MEMORY))
    if not given.isdecimal():
        raise InvalidDefinition(f"{MEMORY} is {given!r}", "give it a number of bytes")
    return int(given)


@cached(
    LRUCache(_CACHED),
    key=lambda definition: (
        definition.digest,
        definition.single,
        *map(bytes, definition.patterns),
        _pattern_memory(),
    ),
    lock=RLock(),
)
def patterns_of(definition: Definition) -> list[Chosen]:
    """The patterns that a definition names, or else the largest one;
    none for equal pieces, pieces turned when solved, or too much work.

    Raises FormatError if the definition names one that cannot be used, or too many states.
    """
    most, named = _pattern_memory() * VERTICES_IN_A_BYTE, len(definition.patterns)
    whole, found = Numbered(Texts(definition), all_moves(definition)), list[Chosen | None]()
    few = len(whole.turns) * int(definition.orientations.sum()) <= MOST_POINTS
    work = Work(NUMBERING if named else PATTERNS)
    with suppress(TooMuchWork):
        if few and not definition.turned.any() and all(block.told_apart for block in whole.blocks):
            found = [_named(whole, apart, work) for apart in definition.patterns]
            found = found or [_largest(whole, most, work)]
    chosen = [each for each in found if each]
    stored = sum(each.stored for each in chosen)
    if named and (stored > most or len(chosen) < named):
        raise FormatError(
            f"the patterns store {stored:,} states, or one has no rows and columns",
            f"at most {most:,}, with pieces that all differ and are not turned when solved",
        )
    return chosen


def _named(whole: Numbered, apart: Flags, work: Work) -> Chosen | None:
    """The pattern of pieces that differ as in the whole, with all orientations of their blocks."""
    none = np.zeros_like(whole.definition.labels)
    same, labels = Symmetry(np.arange(len(none)), none, none + 1), none - 1
    for block in whole.blocks:
        if apart[block.places].any():
            differ = np.where(apart, whole.definition.labels + 1, 0)
            labels[block.places] = differ[block.places]
    coarse = replace(_coarse(whole.definition, labels, same), symmetric=False)
    return _chosen(coarse, (same,), 1, work) if coarse.generators else None


def _largest(whole: Numbered, most_stored: int, work: Work) -> Chosen | None:
    """The largest pattern that fits; None if none does. Raises TooMuchWork."""
    definition, blocks, turns = whole.definition, whole.blocks, whole.turns
    every = symmetries(definition, turns)
    size = prod(int(block.orientations) ** (len(block.places) - 1) for block in blocks)
    if size > most_stored * len(every):
        return None
    alike = np.full(len(definition.labels), -1)
    alike[np.concatenate([block.places for block in blocks])] = 0
    frames = [*islice(_frames(definition, blocks, every), _MOST_FRAMES)]
    to = np.argsort([each.places for each in every], axis=1)
    candidates: dict[int, dict[bytes, Numbers]] = {}
    # to compare the places that two moves leave alone
    work.spend(len(turns) ** 2 * int((alike == 0).sum()) * LINE)
    for classes in _classified(whole):
        work.spend(to.size, 10 + 5 * len(blocks))
        states, labels = size, alike.copy()
        for block, (places, apart) in zip(blocks, classes, strict=True):
            states *= (perm if apart else comb)(len(block.places), len(places))
            labels[places] = np.arange(len(places)) + 1 if apart else 1
        images = (labels > 0)[to]  # symmetric choices have the same smallest image
        candidates.setdefault(states, {}).setdefault(
            min(image.tobytes() for image in images), labels
        )
    for states, choices in sorted(candidates.items(), reverse=True):
        most_views = most_stored * len(every) // states  # views share the symmetries
        if not most_views:
            continue
        count = len(choices) * len(frames)
        work.spend(4 * to.size * count, 20 * len(every) * len(definition.sets) * count)
        options = [
            (_views(definition, every, labels, frame), labels, frame)
            for labels in choices.values()
            for frame in frames
        ]
        views, labels, frame = min(options, key=lambda option: len(option[0]))
        if len(views) <= most_views:
            coarse = _coarse(definition, labels, frame)
            symmetries_left = len(every) // len(views)
            chosen = _chosen(coarse, views[:MOST_VIEWS], symmetries_left, work)
            if chosen and chosen.stored <= most_stored:
                return chosen
    return None


def _chosen(
    coarse: Definition, views: tuple[Symmetry, ...], symmetries: int, work: Work
) -> Chosen | None:
    """The pattern of a coarse definition; None if its states have no rows and columns."""
    moves, group = all_moves(coarse), range(symmetries)
    numbered = Numbered(Texts(coarse), moves)
    numbered.work = work
    factors, charges = factors_of(numbered.blocks, work), numbered.charges
    found = (
        product_of(factors, charges, len(moves), lambda _product: group)
        if factors and charges
        else None
    )
    if not numbered.dense:
        return None
    if not found:
        coarse = replace(coarse, symmetric=False)
        placed = Numbered(Texts(coarse), moves).placings is not None
        return Chosen(coarse, views, numbered.at_most, 1) if placed else None
    adds = symmetries == 1 and len(found.column_maps[1]) <= _KINDS_THAT_ADD
    return Chosen(coarse, views, found.size, symmetries, adds)


def _views(
    definition: Definition,
    every: Sequence[Symmetry],
    labels: Numbers,
    frame: Symmetry,
) -> tuple[Symmetry, ...]:
    """The symmetries that see a pattern in different ways, the identity first."""
    inside = [each.then(frame, definition.orientations) for each in every]
    views = {_seen(each, labels, definition): each for each in reversed(inside)}
    return tuple(reversed(views.values()))


def _classified(whole: Numbered) -> Iterator[tuple[NamedPlaces, ...]]:
    """The classes of each block, or of one block alone where that makes too many choices.

    If the moves of one block make all permutations, or all even ones, any places are alike.
    """
    part, none = whole.blocks, (np.zeros(0, np.int64), False)
    options = [[none, *_classes(block, whole.turns)] for block in part]
    if len(part) == 1 and part[0].orientations == 1 and whole.dense:
        places = part[0].places
        options[0] += [(places[:count], True) for count in range(1, len(places))]
    if prod(map(len, options)) <= _MOST_CHOICES:
        return product(*options)
    alone = (
        product(*([none],) * at, some, *([none],) * (len(part) - at - 1))
        for at, some in enumerate(options)
    )
    return chain.from_iterable(alone)


def _classes(block: PlaceBlock, turns: Sequence[Transformation]) -> Iterator[NamedPlaces]:
    """Sets of places in a block that some move, or two together,
    leave alone; and True if their pieces differ.
    """
    still = {tuple(np.flatnonzero(~turn.changed[block.places]).tolist()) for turn in turns}
    both = {tuple(sorted({*some} & {*others})) for some, others in combinations(sorted(still), 2)}
    for inside in sorted(still | both):
        if 0 < len(inside) < len(block.places):
            yield from ((block.places[list(inside)], apart) for apart in (False, True))


def _frames(
    definition: Definition, part: Sequence[PlaceBlock], every: Sequence[Symmetry]
) -> Iterator[Symmetry]:
    """The frames of the blocks: symmetries make them from the file's,
    as renamings of orientations alone.
    """
    none = np.arange(len(definition.labels))
    shifts: list[dict[bytes, Numbers]] = []
    for block in part:
        found: dict[bytes, Numbers] = {}
        for each in every:
            shift = np.zeros(len(none), np.int64)
            shift[each.places] = -each.shifts
            shift = shift[block.places]
            found.setdefault(((shift - shift[0]) % block.orientations).tobytes(), shift)
        shifts.append(found)
    for some in product(*(found.values() for found in shifts)):
        frame = np.zeros(len(none), np.int64)
        for block, shift in zip(part, some, strict=True):
            frame[block.places] = shift
        yield Symmetry(none, frame % definition.orientations, np.ones_like(none))


def _coarse(definition: Definition, labels: Numbers, frame: Symmetry) -> Definition:
    """The definition of a pattern by labels, -1 where nothing counts;
    pieces of a set with one label have one modulus.
    """
    counted, labels = labels >= 0, np.maximum(labels, 0)
    moduli, sets = np.where(counted, definition.moduli, 1), range(len(definition.sets))
    most = np.concatenate(
        [np.full_like(of, of.max()) for of in (moduli[definition.places_of(each)] for each in sets)]
    )
    images = {
        name: frame.image(turn, definition.orientations)
        for name, turn in definition.generators.items()
    }
    turns = {name: _within(each, counted, counted) for name, each in images.items()}
    return Definition(
        title=f"{definition.title}: orientations" if definition.title else "orientations",
        sets=definition.sets,
        labels=labels + (labels.max() + 1) * (most - moduli),
        turned=np.zeros_like(labels),
        moduli=moduli,
        generators={name: turn for name, turn in turns.items() if not turn.does_nothing},
        single=definition.single,
    )


def _within(turn: Transformation, places: Flags, turned: Flags) -> Transformation:
    """A move of some places alone, which turns the pieces in some."""
    still = np.arange(len(places))
    return Transformation(np.where(places, turn.source, still), np.where(turned, turn.turned, 0))


def _seen(view: Symmetry, labels: Numbers, definition: Definition) -> bytes:
    """Bytes that are equal for two views if these tell the same states apart."""
    of = labels[view.places]
    inside = of >= 0
    parts = [inside.tobytes()]
    for number in range(len(definition.sets)):
        places = definition.places_of(number)
        shifts, ways = (
            view.shifts[places] * view.signs[places],
            definition.sets[number].orientations,
        )
        for named in (False, True):
            where = np.flatnonzero(inside[places] & ((of[places] > 0) == named))
            parts.append(where.tobytes() + ((shifts[where] - shifts[where[:1]]) % ways).tobytes())
    return b"|".join(sorted(parts))


@dataclass(frozen=True, eq=False)
class Patterned:
    """The patterns of a puzzle by its definition."""

    name: str
    definition: Definition

    @property
    def chosen(self) -> dict[str, Chosen]:
        """The patterns by their names."""
        every = enumerate(patterns_of(self.definition), 1)
        return {f"{self.name}{PATTERN}{_NUMBER}{number}": each for number, each in every}

    def numbered(self, number: str) -> Definition | None:
        """The definition of a pattern,
        by the part of its name after PATTERN; None if there is none.
        """
        found = self.chosen.get(f"{self.name}{PATTERN}{number}")
        return found.definition if found else None

    @cached_property
    def _whole(self) -> Numbered:
        return Numbered(Texts(self.definition), all_moves(self.definition))

    @property
    def engine(self) -> PatternDatabases:
        """The engine of the puzzle, which draws states also if there is no pattern."""
        texts = self._whole.texts
        made = cache(lambda: self._made() if self.chosen else None)
        return PatternDatabases(
            patterns=lambda goal: (
                made() if goal.states == (texts.solved,) and not goal.coarse else None
            ),
            draw=RandomStates(self._whole.blocks, texts).draw,
        )

    def _made(self) -> Patterns:
        blocks, texts, turns = self._whole.blocks, self._whole.texts, self._whole.turns
        rows, chosen = Rows(blocks, None), self.chosen
        first = next(iter(chosen.values()))
        adds = all(each.adds for each in chosen.values())
        patterns: list[Pattern] = []
        for name, each in chosen.items():
            for view in each.views:
                pattern = self._pattern(name, view, each.definition)
                moved = pattern.edges >= 0
                others = {
                    other.group
                    for other in patterns
                    if not adds or (moved & (other.edges >= 0)).any()
                }
                group = min({*range(len(patterns) + 1)} - others)
                patterns.append(replace(pattern, group=group))
        return WithPieces(
            rows=rows,
            codes=lambda text: rows.codes(*texts.read(text))[0],
            inverses=partial(inverses_of_pieces, first.definition, blocks, rows, first.views),
            patterns=tuple(sorted(patterns, key=lambda pattern: pattern.group)),
            position=lambda _text: 0,
            positions=np.zeros((1, len(turns)), np.int16),
            follows=_follows(self.definition),
        )

    def _pattern(self, name: str, view: Symmetry, coarse: Definition) -> Pattern:
        """One view as a pattern."""
        own, orientations, turned = Texts(coarse), self.definition.orientations, coarse.moduli > 1
        moved = np.any([turn.changed for turn in coarse.generators.values()], axis=0)

        def state(text: str) -> str:
            labels, turns = self._whole.texts.read(text)
            homes = np.arange(len(orientations))
            for block in self._whole.blocks:
                homes[block.places] = block.places[
                    np.argsort(block.labels)[block.within(labels)[0]]
                ]
            renamed = view.image(Transformation(homes, turns[0]), orientations)
            seen = coarse.labels[renamed.source], renamed.turned % coarse.moduli
            return own.format(own.boards(*(part[None, :] for part in seen))[0])

        images = [view.image(turn, orientations) for turn in self._whole.turns]
        keys = [_within(image, moved, turned).key for image in images]
        numbers = {move.turn.key: number for number, move in enumerate(all_moves(coarse))}
        edges = np.array([[numbers.get(key, -1) for key in keys]], np.int16)
        return Pattern(puzzle=name, state=state, edges=edges)


def _follows(definition: Definition) -> Flags:
    """True if a move may follow another:
    not if both equal one move or none; in one order if they commute.
    """
    moves, orientations = all_moves(definition), definition.orientations
    first = np.array([[*definition.generators].index(move.generator) for move in moves])
    every = Transformation.stack([move.turn for move in moves])
    shorter = {Transformation.none(len(orientations)).key, *every.keys}
    follows = np.zeros((len(moves), len(moves)), np.bool_)
    for number, (_, _, turn) in enumerate(moves):
        after, before = turn.then(every, orientations), every.then(turn, orientations)
        alike = (after.source == before.source) & (after.turned == before.turned)
        longer = np.array([key not in shorter for key in after.keys])
        follows[number] = longer & ~(alike.all(axis=1) & (first[number] > first))
    return follows
