"""Coarse definitions, for goals that are sets of states: without what no goal state tells apart.

Glossary
    coarse      a definition with the same moves in which some pieces look alike, and some
                orientations are not seen. One of its states stands for equally many of the whole
                definition.
    mask        a state with -1 where any piece, or any orientation, will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from puzzlebase.plugins.definitions.definition import (
    MOST_ORIENTATIONS,
    Definition,
    Numbers,
    Pieces,
    Transformation,
)
from puzzlebase.plugins.definitions.moves import NamedMove
from puzzlebase.plugins.definitions.place_blocks import (
    Charge,
    Charges,
    PlaceBlock,
    blocks_of,
    charges_by_blocks,
    holds_own_pieces,
    most_states_of_blocks,
    possible_states,
)
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import Boards, Indices, Space

MOST_GOAL_STATES = 1 << 16  # a second or so to find them


@dataclass(frozen=True, eq=False)
class Coarse:
    """A coarse definition;
    arrays are int64[sets, labels + 1] by the labels of the whole, the last for -1.
    """

    texts: Texts  # of the whole
    whole_moves: Sequence[NamedMove]
    blocks: Sequence[PlaceBlock]  # of the whole, with places whose pieces never change
    charges: Charges | None  # of the whole
    alike: Numbers  # the coarse label
    moduli: Numbers

    @classmethod
    def whole(cls, texts: Texts, moves: Sequence[NamedMove]) -> Coarse:
        """The definition itself."""
        blocks = blocks_of(texts.definition, [move.turn for move in moves], still=True)
        moduli = np.maximum(texts.modulus_of, 1)
        alike = np.tile(np.arange(moduli.shape[1]), (len(moduli), 1))
        alike[:, -1], moduli[:, -1] = -1, MOST_ORIENTATIONS
        return cls(texts, moves, blocks, Charges.of(blocks), alike, moduli)

    def without(self, number: int, turns: Sequence[int], names: Sequence[int]) -> Coarse:
        """The same without turns of some labels of a set,
        and with one name for those of some that turn alike.
        """
        alike, moduli = self.alike.copy(), self.moduli.copy()
        moduli[number, turns] = 1
        for ways in {*moduli[number, names].tolist()}:
            same = alike[number, [name for name in names if moduli[number, name] == ways]]
            alike[number, np.isin(alike[number], same)] = same.min()
        return replace(self, alike=alike, moduli=moduli)

    def finer(self, other: Coarse) -> Coarse:
        """The coarse definition that tells apart what either of two does."""
        alike = np.empty_like(self.alike)
        for number, pairs in enumerate(self.alike * self.alike.shape[1] + other.alike):
            _, first, same = np.unique(pairs, return_index=True, return_inverse=True)
            alike[number] = first[same]
        alike[:, -1] = -1
        return replace(self, alike=alike, moduli=np.maximum(self.moduli, other.moduli))

    @cached_property
    def definition(self) -> Definition:
        """The definition."""
        whole = self.texts.definition
        (labels,), (turned,) = self.of(*whole.solved(1))
        moduli = self.moduli[self.texts.set_of, labels]
        generators = {name: self._turn(turn) for name, turn in whole.generators.items()}
        return replace(whole, labels=labels, turned=turned, moduli=moduli, generators=generators)

    @cached_property
    def moves(self) -> list[NamedMove]:
        """The moves."""
        return [move._replace(turn=self._turn(move.turn)) for move in self.whole_moves]

    def _turn(self, turn: Transformation) -> Transformation:
        """A move, which turns nothing where no orientation is seen."""
        seen = np.zeros_like(turn.turned)
        for block in self.blocks:
            seen[block.places] = (self._block(block)[1] > 1).any()
        return Transformation(turn.source, turn.turned * seen)

    @cached_property
    def own_texts(self) -> Texts:
        """The texts of the coarse definition."""
        return Texts(self.definition)

    @cached_property
    def own_blocks(self) -> Sequence[PlaceBlock]:
        """The blocks of the coarse definition."""
        return blocks_of(self.definition, [move.turn for move in self.moves], still=True)

    @cached_property
    def own_charges(self) -> Charges | None:
        """The charges of the coarse definition."""
        return Charges.of(self.own_blocks)

    @property
    def shows_all(self) -> bool:
        """True if it tells all states of the whole apart:
        parities and sums say what is not seen.
        """
        return most_states_of_blocks(self.own_blocks, self.own_charges) == most_states_of_blocks(
            self.blocks, self.charges
        )

    def of(self, labels: Numbers, turns: Numbers) -> Pieces:
        """The coarse states of states of the whole, or masks of masks."""
        moduli = self.moduli[self.texts.set_of, labels]
        return self.alike[self.texts.set_of, labels], np.where(turns < 0, -1, turns % moduli)

    def set_of(self, block: PlaceBlock) -> int:
        """The set of a block."""
        return int(self.texts.set_of[block.places[0]])

    def _block(self, block: PlaceBlock) -> Pieces:
        """The coarse labels, and the moduli, of a block's labels."""
        return self.alike[self.set_of(block), block.names], self.moduli[
            self.set_of(block), block.names
        ]

    # The states of masks, int64[n, places] each.

    def for_masks(self, labels: Numbers, turns: Numbers) -> Coarse:
        """The coarse definition without what no mask tells apart."""
        named, seen = np.zeros((2, *self.alike.shape), bool)
        sets = np.broadcast_to(self.texts.set_of, labels.shape)
        named[sets, labels] = True
        seen[sets[turns >= 0], labels[turns >= 0]] = True
        found = self
        for block in self.blocks:
            number, mask = self.set_of(block), labels[:, block.places]
            for row in mask[((turns[:, block.places] >= 0) & (mask < 0)).any(axis=1)]:
                seen[number, np.flatnonzero(self._left(block, row))] = True
        for block in self.blocks:  # a label may be in several
            number = self.set_of(block)
            turned, names = (
                block.names[~kept[number, block.names]].tolist() for kept in (seen, named)
            )
            found = found.without(number, turned, names)
        return found

    def _left(self, block: PlaceBlock, mask: Numbers) -> Numbers:
        """The number of pieces of each label left for open places of a block;
        negative if a mask has too many.
        """
        left = np.bincount(self._block(block)[0][block.labels], minlength=self.alike.shape[1])
        return left - np.bincount(mask[mask >= 0], minlength=len(left))

    def states(self, labels: Numbers, turns: Numbers) -> Pieces:
        """The states of masks that parities and sums allow, sorted; raises TooManyStates."""
        labels, turns = self.of(labels, turns)
        whole = (labels >= 0).all(axis=1) & (turns >= 0).all(axis=1)
        every = [(labels[whole], turns[whole])]
        for mask in np.flatnonzero(~whole).tolist():
            every.append(self._of_mask(labels[mask], turns[mask]))
            _limit(sum(len(each) for each, _ in every))
        labels, turns = (np.concatenate(part) for part in zip(*every, strict=True))
        possible = possible_states(self.own_blocks, self.own_charges, labels, turns)
        states = np.unique(np.hstack([labels, turns])[possible], axis=0)
        return states[:, : labels.shape[1]], states[:, labels.shape[1] :]

    def _of_mask(self, mask: Numbers, turned: Numbers) -> Pieces:
        """The states of a mask with any parities and sums."""
        labels, turns = mask[None, :].copy(), turned[None, :].copy()
        for block in self.blocks:
            left = np.tile(self._left(block, mask[block.places]), (len(labels), 1))
            for place in block.places[mask[block.places] < 0].tolist():
                rows, chosen = np.nonzero(left > 0)
                _limit(len(rows))
                labels, turns, left = labels[rows], turns[rows], left[rows]
                left[np.arange(len(rows)), chosen] -= 1
                labels[:, place] = chosen
            for place in block.places[turned[block.places] < 0].tolist():
                ways = self.moduli[self.set_of(block), labels[:, place]]
                _limit(int(ways.sum()))
                labels, turns = np.repeat(labels, ways, axis=0), np.repeat(turns, ways, axis=0)
                turns[:, place] = np.arange(len(turns)) - np.repeat(np.cumsum(ways) - ways, ways)
        return labels, turns

    # Boards of the whole for numbers of coarse states.

    def seen(self, space: Space) -> Space:
        """The space of the coarse definition with boards of the whole."""

        def rank(boards: Boards) -> Indices:
            labels, turns = self.texts.pieces(boards)
            fits = (turns >= 0).all(axis=1) & holds_own_pieces(self.blocks, labels)
            labels[~fits], turns[~fits] = self.texts.definition.labels, self.texts.definition.turned
            return np.where(fits, space.rank(self.own_texts.boards(*self.of(labels, turns))), -1)

        def unrank(indices: Indices) -> Boards:
            return self.texts.boards(*self.filled(*self.own_texts.pieces(space.unrank(indices))))

        return replace(space, rank=rank, unrank=unrank)

    def filled(self, labels: Numbers, turns: Numbers) -> Pieces:
        """States of the whole for coarse ones,
        with parities and sums that moves lead to where they are known.
        """
        whole, turns = np.empty_like(labels), turns.copy()
        for block in self.blocks:
            order = np.argsort(labels[:, block.places], axis=1, kind="stable")
            own = np.argsort(self._block(block)[0][block.labels], kind="stable")
            np.put_along_axis(
                whole, block.places[order], block.names[block.labels[own]][None, :], 1
            )
        if self.charges:
            self._balance(self.charges, whole, turns)
        return whole, turns

    def _balance(self, charges: Charges, labels: Numbers, turns: Numbers) -> None:
        """Exchange pieces that look alike and turn pieces whose turns are not seen,
        until charges are known.
        """
        # for each parity two labels to exchange, for each sum one to turn, or none
        free: list[list[int]] = []
        for block in self.blocks:
            alike, moduli = self._block(block)
            order = np.argsort(alike, kind="stable")
            equal = np.flatnonzero(np.diff(alike[order]) == 0)[:1]
            turned = np.flatnonzero(moduli < block.moduli)[:1]
            free += [order[[*equal, *(equal + 1)]].tolist(), turned.tolist()]

        def visible(charge: Charge) -> Charge:
            return tuple(part for part, each in zip(charge, free, strict=True) if not each)

        known = {visible(charge): charge for charge in sorted(charges.every)}
        before = [*charges_by_blocks(self.blocks, labels, turns)]
        after = [known.get(visible(charge), charge) for charge in before]
        lacks = (np.array(after) - np.array(before)).reshape(-1, len(free))
        for number, block in enumerate(self.blocks):
            pair, unseen = free[2 * number : 2 * number + 2]
            odd, short = lacks[:, 2 * number], lacks[:, 2 * number + 1]
            here = labels[:, block.places]
            if pair and odd.any():
                one, other = block.names[pair]
                swapped = np.where(here == one, other, np.where(here == other, one, here))
                labels[:, block.places] = here = np.where(odd[:, None], swapped, here)
            if unseen and short.any():
                place = block.places[(here == block.names[unseen]).argmax(axis=1)]
                turns[np.arange(len(turns)), place] += short % block.charges[1]


def _limit(states: int) -> None:
    if states > MOST_GOAL_STATES:
        raise TooManyStates(MOST_GOAL_STATES)
