"""The index side of a definition: numbers for its states, without gaps wherever that can be.

Four ways are tried, the first that fits is taken:

    product     factors small enough to list, as rows and columns: all states that parities and sums allow.
    group       where every element of the group of moves makes another state: numbers from a chain of stabilizers.
    list        where pieces are equal and more is linked than parities and sums: the states themselves.
    numerals    a digit for each block, for what is too large for all this: with gaps, and for searches alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod
from typing import Literal

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles._arrangements import Arrangements
from puzzlebase.puzzles._chain import Chain
from puzzlebase.puzzles._listed import TooManyStates, bytes_of_a_state, listed_space
from puzzlebase.puzzles._space import Boards, Indices, Space
from puzzlebase.puzzles.definitions.blocks import Block, Charges, blocks_of, states_at_most
from puzzlebase.puzzles.definitions.counting import Count, count, points_of
from puzzlebase.puzzles.definitions.definition import Definition, Numbers
from puzzlebase.puzzles.definitions.factors import Factor, Product, factors_of, product_of
from puzzlebase.puzzles.definitions.sequences import NamedTurn
from puzzlebase.puzzles.definitions.text import Texts

Way = Literal["product", "group", "list", "numerals", "none"]

MOST_ELEMENTS = 1 << 30
MOST_IN_CHAIN = 1 << 14
"""Points times moves of a group whose chain is found."""
LISTED_BYTES = 1 << 29
_FEW_GAPS = 4
"""So many times as many numbers as can be listed are taken with gaps at once: to list states first takes a minute."""
MOST_INDICES = 1 << 62
_MOST_NODES = 1 << 17
"""Of the automaton that numbers the arrangements of a block."""


class Numbered:
    """The states of a definition with some moves, numbered in the way that suits them."""

    def __init__(self, definition: Definition, moves: Sequence[NamedTurn], texts: Texts) -> None:
        self.definition, self.texts = definition, texts
        self._player = texts.player([*moves])
        self._moves = moves

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The places that exchange pieces."""
        return blocks_of(self.definition, [move.turn for move in self._moves])

    @cached_property
    def charges(self) -> Charges | None:
        """What moves keep, and how they change the rest."""
        return Charges.of(self.blocks) if self.blocks else Charges((), frozenset({()}))

    @cached_property
    def at_most(self) -> int:
        """States that parities and sums allow."""
        return states_at_most(self.blocks, self.charges)

    @cached_property
    def count(self) -> Count:
        """How many states moves lead to."""
        return count(self.blocks, self.charges)

    @cached_property
    def chosen(self) -> tuple[Way, Callable[[], Space] | None]:
        """The way that is taken, and what makes the space."""
        dense = self.count == (self.at_most, True)
        if dense and (product := self._product):
            return "product", lambda: self._by_product(product, connected=True)
        if chain := self._chain:
            return "group", lambda: self._by_chain(chain)
        product = self._product
        if (not product or self.at_most <= _FEW_GAPS * self._most_listed) and (listed := self._listed):
            return "list", lambda: listed
        if product:
            return "product", lambda: self._by_product(product, connected=False)
        if self._numerals is not None:
            return "numerals", self._by_numerals
        return "none", None

    def space(self) -> Space:
        """The space; raises TooManyStates."""
        make = self.chosen[1]
        if make is None:
            raise TooManyStates(MOST_INDICES)
        return make()

    # The product of listed factors.

    @cached_property
    def _factors(self) -> list[Factor] | None:
        return factors_of(self.blocks)

    @cached_property
    def _product(self) -> Product | None:
        if self._factors is None or self.charges is None:
            return None
        return product_of(self._factors, self.charges, len(self._moves))

    def _by_product(self, product: Product, *, connected: bool) -> Space:
        form = product.form

        def rank(boards: Boards) -> Indices:
            labels, turns = self.texts.pieces(boards)
            return np.where(self._in_place(boards, labels, turns), product.rank(labels, turns), -1)

        def unrank(indices: Indices) -> Boards:
            labels, turns = self._solved(len(indices))
            product.unrank(indices, labels, turns)
            return self.texts.boards(labels, turns)

        return Space(
            size=form.rows * form.width,
            expand=form.expand,
            goal_states=np.array([product.solved]),
            product=lambda: form,
            rank=rank,
            unrank=unrank,
            connected=connected,
        )

    def _in_place(self, boards: Boards, labels: Numbers, turns: Numbers) -> npt.NDArray[np.bool_]:
        """Whether all characters have a meaning, and the dashes and the pieces that never change are in place."""
        moved, turned = np.zeros((2, len(self.definition.labels)), bool)
        for block in self.blocks:
            turned[block.places] = True
            moved[block.places] = block.rearranged
        in_place = self.texts.divided(boards) & (labels >= 0).all(axis=1) & (turns >= 0).all(axis=1)
        in_place &= (labels[:, ~moved] == self.definition.labels[~moved]).all(axis=1)
        in_place &= (turns[:, ~turned] == self.definition.turned[~turned]).all(axis=1)
        return in_place

    def _solved(self, count: int) -> tuple[Numbers, Numbers]:
        """Arrays of solved states, to write in."""
        return np.tile(self.definition.labels, (count, 1)), np.tile(self.definition.turned, (count, 1))

    # The elements of the group of moves.

    @cached_property
    def _chain(self) -> Chain | None:
        apart = all(block.distinct and block.orientations for block in self.blocks)
        if not (apart and self.count.exact and self.count.states <= MOST_ELEMENTS and self.blocks):
            return None
        turns, _ = points_of(self.blocks)
        if len(turns[0]) * len(turns) > MOST_IN_CHAIN:
            return None
        return Chain.of([tuple(turn.tolist()) for turn in turns], MOST_ELEMENTS)

    def _by_chain(self, chain: Chain) -> Space:
        moves, starts = points_of(self.blocks)
        product = chain.product_form([tuple(move.tolist()) for move in moves])

        def unrank(indices: Indices) -> Boards:
            labels, turns = self._solved(len(indices))
            for block, start in zip(self.blocks, starts, strict=True):
                ways = block.orientations
                homes = start + ways * np.arange(len(block.labels))
                to = chain.images(indices, homes).astype(np.int64) - start
                places, turned = block.places[to // ways], to % ways
                np.put_along_axis(labels, places, self.definition.labels[block.places][None, :], 1)
                np.put_along_axis(turns, places, (turned + block.turned) % ways, 1)
            return self.texts.boards(labels, turns)

        def rank(boards: Boards) -> Indices:
            labels, turns = self.texts.pieces(boards)
            fits = self._in_place(boards, labels, turns)
            images = np.zeros((len(boards), len(chain.base)), np.uint16)
            for block, start in zip(self.blocks, starts, strict=True):
                ways = block.orientations
                inside = np.full(len(self.definition.labels) + 1, -1)
                inside[block.names] = np.arange(len(block.names))
                of = inside[labels[:, block.places]]
                fits &= (np.sort(of, axis=1) == np.arange(len(block.labels))).all(axis=1)
                to = np.argsort(of, axis=1)  # the place of each label, where the board fits
                for level, base in enumerate(chain.base.tolist()):
                    home, way = divmod(base - start, ways)
                    if 0 <= home < len(block.labels):
                        place = to[:, block.labels[home]]
                        by = turns[np.arange(len(boards)), block.places[place]] - block.turned[home] + way
                        images[:, level] = start + place * ways + by % ways
            indices = np.full(len(boards), -1, np.int64)
            found = chain.indices(images[fits])  # any number where there is no such element
            found[(unrank(np.maximum(found, 0)) != boards[fits]).any(axis=1)] = -1
            indices[fits] = found
            return indices

        return Space(
            size=chain.size,
            expand=product.expand,
            goal_states=np.zeros(1, np.int64),
            product=lambda: product,
            rank=rank,
            unrank=unrank,
            connected=True,
        )

    # The states themselves.

    @property
    def _most_listed(self) -> int:
        return LISTED_BYTES // bytes_of_a_state(self.texts.length, len(self._moves))

    @cached_property
    def _listed(self) -> Space | None:
        most = self._most_listed
        if self.count.exact and self.count.states > most:
            return None
        try:
            return listed_space(self.texts.boards(*self._solved(1))[0], self._player.all, most)
        except TooManyStates:
            return None

    # A digit for each block.

    @cached_property
    def _numerals(self) -> list[_Digit] | None:
        if prod(block.largest for block in self.blocks) >= MOST_INDICES:
            return None
        if any(prod(count + 1 for count in block.counts) > _MOST_NODES for block in self.blocks):
            return None
        digits = [_Digit(block) for block in self.blocks]
        return digits if prod(digit.size for digit in digits) < MOST_INDICES else None

    def _by_numerals(self) -> Space:
        digits = self._numerals
        assert digits is not None

        def rank_pieces(labels: Numbers, turns: Numbers) -> Indices:
            indices = np.zeros(len(labels), np.int64)
            for digit in digits:
                one = digit.rank(labels, turns)
                indices = np.where((indices >= 0) & (one >= 0), indices * digit.size + one, -1)
            return indices

        def unrank_pieces(indices: Indices) -> tuple[Numbers, Numbers]:
            labels, turns = self._solved(len(indices))
            for digit in reversed(digits):
                indices, one = np.divmod(indices, digit.size)
                digit.unrank(one, labels, turns)
            return labels, turns

        def rank(boards: Boards) -> Indices:
            labels, turns = self.texts.pieces(boards)
            return np.where(self._in_place(boards, labels, turns), rank_pieces(labels, turns), -1)

        source = [move.turn.source for move in self._moves]
        turned = [move.turn.turned for move in self._moves]

        def expand(indices: Indices) -> Indices:
            labels, turns = unrank_pieces(np.maximum(indices, 0))
            successors = np.empty((len(indices), len(source)), np.int64)
            for move in range(len(source)):
                after = labels[:, source[move]]
                by = self.texts.turned_on(after, turns[:, source[move]], turned[move])
                successors[:, move] = np.where(indices >= 0, rank_pieces(after, by), -1)
            return successors

        solved = rank_pieces(*self._solved(1))
        return Space(
            size=prod(digit.size for digit in digits),
            expand=expand,
            goal_states=solved,
            rank=rank,
            unrank=lambda indices: self.texts.boards(*unrank_pieces(indices)),
        )


class _Digit:
    """All arrangements of a block's pieces with all their turns, whether moves lead there or not."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._arrangements = Arrangements(block.counts)
        self._ways = int(block.moduli.max())
        places = len(block.labels)
        self._rearranged = block.rearranged
        self.size = (self._arrangements.size if self._rearranged else 1) * self._ways**places

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """The digits of states; -1 for what cannot be."""
        block = self._block
        inside = np.full(int(block.names.max()) + 2, 255, np.uint8)
        inside[block.names] = np.arange(len(block.names))
        there = labels[:, block.places]
        of = inside[np.where(there <= block.names.max(), there, -1)]
        digit = self._arrangements.rank(of) if self._rearranged else np.zeros(len(labels), np.int64)
        for place in block.places.tolist() if self._ways > 1 else ():
            digit = np.where(digit >= 0, digit * self._ways + turns[:, place], -1)
        return digit

    def unrank(self, digits: Indices, labels: Numbers, turns: Numbers) -> None:
        """Write the states of digits."""
        block = self._block
        for place in block.places.tolist()[::-1] if self._ways > 1 else ():
            digits, turns[:, place] = np.divmod(digits, self._ways)
        if self._rearranged:
            labels[:, block.places] = block.names[self._arrangements.automaton.unrank(digits)]
