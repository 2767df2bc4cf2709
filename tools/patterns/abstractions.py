"""Abstractions of a definition that is too large: some pieces keep their looks, and all others look alike.

Moves are the same, so no solution is shorter than one of the abstraction (decision 13, patterns are puzzles). Small
blocks are taken whole, as many together as the number of states allows. Two abstractions share a larger block: one
takes its first pieces, the other its last ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import factorial, prod

import numpy as np

from puzzlebase.puzzles.contract.engines import Edges, Pattern
from puzzlebase.puzzles.definitions.blocks import PlaceBlock, blocks_of
from puzzlebase.puzzles.definitions.definition import (
    MOST_STATES,
    PATTERN,
    Definition,
    Numbers,
    PieceSet,
    Transformation,
)
from puzzlebase.puzzles.definitions.sequences import NamedMove, all_moves
from puzzlebase.puzzles.definitions.text import Texts

MOST_PATTERNS = 6  # less than ten: their numbers have one digit

Pick = frozenset[tuple[int, int]]
"""The pieces that keep their looks: set and label of each."""


@dataclass(frozen=True, eq=False)
class Abstraction:
    """A definition that forgets something of each state."""

    words: str  # the pieces that keep their looks, for people
    definition: Definition  # the sets of these pieces, with their labels; all others of a set have one label
    places: Numbers  # the whole definition's places of these sets, int64[places]
    labels: Numbers  # the label in each of these places for each label of the whole, int64[places, labels]

    def pattern(self, name: str, moves: Sequence[NamedMove], texts: Texts, *, powers: bool) -> Pattern:
        """Make the pattern for searches: `name` is the abstraction's, `moves` and `texts` the whole definition's."""
        coarse = Texts(self.definition)
        keys = [_inside(move.turn, self.places, self.definition.orientations).key for move in moves]

        def state(text: str) -> str:
            labels, turns = (of[:, self.places] for of in texts.read(text))
            labels = self.labels[np.arange(len(self.places)), labels]
            return coarse.format(coarse.boards(*coarse.after(labels, turns, Transformation.none(len(self.places))))[0])

        return Pattern(puzzle=name, state=state, edges=edges_of(self.definition, keys, powers=powers))

    @property
    def largest(self) -> int:
        """A number of states that it has at most."""
        turns = [move.turn for move in all_moves(self.definition, powers=False)]
        return prod(block.largest for block in blocks_of(self.definition, turns))


def edges_of(definition: Definition, keys: Iterable[bytes], *, powers: bool) -> Edges:
    """The number of the definition's move with each of these keys, [1, keys]; -1 without one."""
    numbers = {move.turn.key: number for number, move in enumerate(all_moves(definition, powers=powers))}
    return np.array([[numbers.get(key, -1) for key in keys]], np.int16)


def abstractions(name: str, definition: Definition, blocks: Sequence[PlaceBlock]) -> dict[str, Abstraction]:
    """Make the abstractions of a puzzle, by name; none if the definition is no larger than they are."""
    if not definition.is_large:
        return {}
    small = sorted((block for block in blocks if block.largest <= MOST_STATES), key=lambda block: block.largest)
    large = [block for block in blocks if block.largest > MOST_STATES]

    def pick(block: PlaceBlock, labels: Iterable[int]) -> Pick:
        number = int(np.searchsorted(definition.starts, block.places[0], side="right")) - 1
        return frozenset((number, int(block.names[label])) for label in labels)

    found = [Pick().union(*(pick(block, range(len(block.names))) for block in group)) for group in _grouped(small)]
    found.reverse()
    for step in (1, -1):
        found += [pick(block, _first(block, range(len(block.names))[::step])) for block in large]
    picks = [looked_at for looked_at in dict.fromkeys(found) if looked_at]
    made = enumerate((_abstraction(definition, looked_at) for looked_at in picks[:MOST_PATTERNS]), 1)
    return {f"{name}{PATTERN}{number}": each for number, each in made}


def _grouped(blocks: Iterable[PlaceBlock]) -> list[list[PlaceBlock]]:
    """Group blocks in their order, as many together as MOST_STATES allows."""
    groups: list[list[PlaceBlock]] = []
    for block in blocks:
        if groups and prod(each.largest for each in groups[-1]) * block.largest <= MOST_STATES:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _first(block: PlaceBlock, order: Sequence[int]) -> list[int]:
    """The first labels in an order, as many as MOST_STATES allows."""
    labels: list[int] = []
    for label in order:
        counts = [block.counts[each] for each in [*labels, label]]
        others = len(block.labels) - sum(counts)
        turned = prod(int(block.moduli[each]) ** block.counts[each] for each in [*labels, label])
        arranged = factorial(len(block.labels)) // prod(map(factorial, [*counts, others]))
        if arranged * turned > MOST_STATES:
            break
        labels.append(label)
    return labels


def _abstraction(definition: Definition, looked_at: Pick) -> Abstraction:
    numbers = sorted({number for number, _ in looked_at})
    every = np.arange(int(definition.labels.max()) + 1)
    places, tables, moduli, sets, words = [], [], [], [], []
    for number in numbers:
        each, inside = definition.sets[number], definition.places_of(number)
        labels = definition.labels[inside]
        seen = np.array([(number, label) in looked_at for label in every.tolist()])
        others = [label for label in np.unique(labels).tolist() if not seen[label]]
        places += [*range(inside.start, inside.stop)]
        tables += [np.where(seen, every, others[0] if others else 0)] * each.places
        moduli.append(np.where(seen[labels], definition.moduli[inside], 1))
        sets.append(PieceSet(each.name, each.places, each.orientations if moduli[-1].max() > 1 else 1))
        words.append(f"{int(seen[labels].sum())} of {each.name}" if others else each.name)
    table, modulus, title = np.stack(tables), np.concatenate(moduli), ", ".join(words)
    coarse = Definition(
        title=f"{definition.title}: {title}" if definition.title else title,
        sets=tuple(sets),
        labels=table[np.arange(len(places)), definition.labels[places]],
        turned=definition.turned[places] % modulus,
        moduli=modulus,
        generators={},
    )
    for name, turn in definition.generators.items():
        inside_turn = _inside(turn, np.array(places), coarse.orientations)
        if not inside_turn.does_nothing:
            coarse.generators[name] = inside_turn
    return Abstraction(title, coarse, np.array(places), table)


def _inside(turn: Transformation, places: Numbers, orientations: Numbers) -> Transformation:
    """Restrict a move to places that exchange pieces only among themselves."""
    inside = np.full(len(turn.source), -1)
    inside[places] = np.arange(len(places))
    return Transformation(inside[turn.source[places]], turn.turned[places] % orientations)
