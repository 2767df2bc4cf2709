"""Rows of a product up to symmetry: one of each class is stored, with all its columns.

A symmetry of the definition acts on the rows and, in rows of one family, on the columns by one map.
Some symmetry leads a state's row to the least of its class; the state renamed by it is its
*vertex*, which has the same distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.blocks import PlaceBlock
from puzzlebase.plugins.definitions.classes import Acting, Image, SymmetryClasses
from puzzlebase.plugins.definitions.definition import (
    Definition,
    Numbers,
    Pieces,
    SmallNumbers,
    Transformation,
    stack_moves,
)
from puzzlebase.plugins.definitions.factors import Factor, Product, maps_of
from puzzlebase.plugins.definitions.symmetries import Symmetry, symmetries
from puzzlebase.plugins.definitions.work import Work
from puzzlebase.plugins.small_graphs import breadth_first
from puzzlebase.puzzles.contract.space import Indices, ProductForm, Space

_ROWS_AT_ONCE = 1 << 13
# moves times places with orientations of a definition whose symmetries are looked for
_MOST_POINTS = 1 << 14
_MOST_GOALS = 1 << 6  # that symmetries lead to one another


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
    stacked = stack_moves(turns)
    every, places = [*zip(*goals, strict=True)], np.concatenate([block.places for block in blocks])
    numbers = {state: number for number, state in enumerate(states_as_bytes(goals, places))}
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
            goals_after = states_as_bytes(renaming(*goals, places), places)
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


def states_as_bytes(states: Pieces, places: Numbers) -> list[bytes]:
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
        if (images := images_of(blocks, each, product)) is not None:
            found.setdefault(each.effect.tobytes(), (each, Acting(each.moves, images)))
    return [*found.values()] if is_group([*found], work) else []


def is_group(effects: Sequence[bytes], work: Work) -> bool:
    """True if products of generators,
    drawn from permutations until they give all, are these and no others.
    """
    drawn = np.random.default_rng(0).permutation(len(effects))
    every, reached = {*effects}, {*effects[:1]}
    generators: list[Numbers] = []

    def after(known: bytes) -> Iterator[bytes]:
        for generator in generators:
            work.spend(len(generator))
            yield generator[np.frombuffer(known, np.int64)].tobytes()

    for effect in (effects[at] for at in drawn.tolist()):
        if effect in reached:
            continue
        generators.append(np.frombuffer(effect, np.int64))
        reached = set()
        for each, _ in breadth_first(effects[:1], after):
            if each not in every:
                return False
            reached.add(each)
    return True


def images_of(
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
    _, turns = solved_but_for(rename.definition, factor)
    arranged, _ = solved_but_for(rename.definition, factors[given])
    by = rename.by[places, arranged[:, places]]
    _, first_of, kind = np.unique(by, axis=0, return_index=True, return_inverse=True)
    tables = [target.rank(*rename(arranged[[at]], turns, places)) for at in first_of.tolist()]
    return Image(
        given, source, kind.reshape(-1), np.stack(tables, dtype=np.int32, casting="unsafe")
    )


def solved_but_for(definition: Definition, factor: Factor) -> tuple[Numbers, Numbers]:
    """The labels and turns of states that are solved except for one factor,
    which has each of its indices.
    """
    labels, turns = definition.solved(factor.size)
    factor.unrank(np.arange(factor.size), labels, turns)
    return labels, turns


@dataclass(frozen=True, eq=False)
class SymmetricRows(SymmetryClasses):
    """The rows of a product by their classes under a group of symmetries."""

    # the symmetry that leads each row to the least one of its class, int16[rows]
    by: npt.NDArray[np.int16]
    row: SmallNumbers  # the number of the class of each row, int32[rows]
    least: Indices  # the least row of each class, int64[classes]

    @classmethod
    def of(cls, product: Product, group: Sequence[Acting]) -> SymmetricRows:
        """Find the classes.
        Only symmetries that lead the first part to the least one lead rows with it there.
        """
        digits_of = [level.digits.astype(np.int32) for level in product.rows]
        terms = [
            [digits[image.table] for digits, image in zip(digits_of, each.images, strict=False)]
            for each in group
        ]
        to = np.stack([first[0] for first, *_ in terms])
        leads = (
            to == to.min(axis=0) if all(each.images[0][:2] == (0, 0) for each in group) else to >= 0
        )
        by, least = np.zeros(product.count, np.int16), np.arange(product.count, dtype=np.int32)
        for first in range(0, product.count, _ROWS_AT_ONCE):
            parts = product.row_parts(np.arange(first, min(first + _ROWS_AT_ONCE, product.count)))
            for number, each in enumerate(group):
                here = np.flatnonzero(leads[number][parts[0]])
                images = np.zeros(len(here), np.int32)
                for image, digits in zip(each.images, terms[number], strict=False):
                    source = parts[image.source][here]
                    images += (
                        digits[0, source]
                        if len(digits) == 1
                        else digits[image.kind[parts[image.given][here]], source]
                    )
                rows = first + here
                better = images < least[rows]
                least[rows[better]], by[rows[better]] = images[better], number
        own = least == np.arange(len(least))
        return cls(
            product, group, by, (np.cumsum(own, dtype=np.int32) - 1)[least], np.flatnonzero(own)
        )

    @cached_property
    def vertices(self) -> ProductForm:
        """An edge from each state to its vertex."""
        families = len(self.product.starts)
        kind = self.by * np.int32(families)
        if families > 1:
            kind += self.product.family_of(np.arange(len(kind))).astype(np.int32)
        return ProductForm(self.row[None, :], kind[None, :], self.columns)

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of classes with all their columns."""
        return len(self.least) * self.product.width

    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """The rows of all classes, and before them where each class begins."""
        return np.append(0, np.cumsum(np.bincount(self.row))), np.argsort(self.row, kind="stable")

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between vertices: a move,
        and the symmetry that leads the new row to its class.
        """
        kinds, maps = self.product.column_maps
        to = self.product.rows_after(self.least)
        kind = self.vertices.kind[0][to]
        kind *= len(maps)
        kind += kinds[:, self.product.family_of(self.least)]
        return edges_of(self.row[to], kind, self.columns, maps)

    def _problems(self, goal_states: Indices) -> Iterator[str]:
        """Moves can be taken back, and a symmetry keeps the goal."""
        product = self.product
        moves = range(len(self.images[0]))
        for move in moves:
            if not any(move_takes_back(product, move, back) for back in moves):
                yield f"no move takes back move {move}"
        goals = product.parts(goal_states)
        for number, each in enumerate(self.group):
            if (np.sort(product.index(each.of(goals))) != goal_states).any():
                yield f"symmetry {number} moves the goal"
        yield from self._problems_of_rows()

    def _problems_of_rows(self) -> Iterator[str]:
        """Each row becomes the least of its class, and its columns those of one family."""
        product, columns = self.product, self.product.column_parts
        families = np.full((len(self.group), len(columns)), -1)
        for number, each in enumerate(self.group):
            for family, parts in enumerate(columns):
                images = self.columns_after(each, parts)
                to = product.column(images)
                for other, those in enumerate(columns):
                    if all(
                        (image == part[to]).all() for image, part in zip(images, those, strict=True)
                    ):
                        families[number, family] = other
        if (families < 0).any():
            yield "a symmetry does not map columns of a row to those of one"
        if (self.row[self.least] != np.arange(len(self.least))).any() or self.by[self.least].any():
            yield "a row that stands for a class is not its own vertex"
        for first in range(0, product.count, _ROWS_AT_ONCE):
            rows = np.arange(first, min(first + _ROWS_AT_ONCE, product.count))
            for number in np.unique(self.by[rows]).tolist():
                here = rows[self.by[rows] == number]
                least = self.least[self.row[here]]
                parts = product.row_parts(here)
                led = zip(self.group[number].images, product.row_parts(least), strict=False)
                fits = (families[number, product.family_of(here)] == product.family_of(least)).all()
                if not fits or any((image.of(parts) != at_least).any() for image, at_least in led):
                    yield f"symmetry {number} does not lead its rows to their class"


def edges_of(
    to: SmallNumbers,
    pairs: SmallNumbers,
    columns: npt.NDArray[np.uint32],
    maps: npt.NDArray[np.uint32],
) -> ProductForm:
    """The edges to some rows, int32[edges, rows].
    Each is a pair, a map of `maps` and then one of `columns`.

    The number of a pair is that of the second one times the number of the first ones,
    plus that of the first one.
    """
    width = maps.shape[1]
    numbers = {np.arange(width, dtype=np.uint32).tobytes(): 0}
    number = np.zeros(len(columns) * len(maps), np.int32)
    for pair in np.flatnonzero(np.bincount(pairs.reshape(-1))).tolist():
        second, first = divmod(pair, len(maps))
        number[pair] = numbers.setdefault(columns[second][maps[first]].tobytes(), len(numbers))
    return ProductForm(to, number[pairs], maps_of(numbers))


def move_takes_back(product: Product, move: int, back: int) -> bool:
    """True if a move takes back another one in all factors."""
    return all(
        (each.moves[back][each.moves[move]] == np.arange(each.size)).all()
        for each in product.factors
    )
