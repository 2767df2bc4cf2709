"""The index side of a definition: numbers for its states,
the first of these that fits, without gaps where possible.

product     factors small enough to list, as rows and columns: all states that parities and sums
            allow.
rows        of pieces that are too many to list, found by moves up to symmetry; the others are
            columns.
places      of the pieces that differ, in a pattern of one block.
group       numbers from a chain of stabilizers, if every element of the group of moves makes
            another state.
list        the states themselves, if pieces are equal and moves keep more than parities and sums.
met         none: a search numbers the states that it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import Flags, Numbers, Pieces
from puzzlebase.plugins.definitions.factors import (
    MOST_EDGES_OF_ROWS,
    Product,
    Rank,
    Unrank,
    factors_of,
    product_of,
)
from puzzlebase.plugins.definitions.found_rows import FoundRows, found_rows
from puzzlebase.plugins.definitions.moves import NamedMove
from puzzlebase.plugins.definitions.place_blocks import (
    Charges,
    PlaceBlock,
    blocks_of,
    most_states_of_blocks,
    move_block_pieces,
    moves_on_block_points,
)
from puzzlebase.plugins.definitions.placings import placings
from puzzlebase.plugins.definitions.rows import Rows
from puzzlebase.plugins.definitions.stabilizer_chain import Chain
from puzzlebase.plugins.definitions.state_counts import Count, count_states
from puzzlebase.plugins.definitions.symmetries import (
    Renaming,
    acting_symmetries,
    renamings,
)
from puzzlebase.plugins.definitions.symmetry_classes import Acting, SymmetricRows
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.work import NUMBERING, TooMuchWork, Work
from puzzlebase.plugins.hash_tables import BYTES_BESIDES, CHUNK, BoardList, most_boards
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import (
    STATES,
    Boards,
    Directed,
    Indices,
    Space,
    one_each,
)
from puzzlebase.sentinels import NO_STATE

MOST_ELEMENTS = 1 << 30
MOST_IN_CHAIN = 1 << 14  # points times moves of a group whose chain is found
MOST_EDGES = 1 << 26  # edges between the rows of such a group
_CHAIN_WIDTH = 360
_MAP_BYTES = 1 << 27  # of the column maps of moves and symmetries together
LISTED_BYTES = 1 << 29
_BYTES_AT_ONCE = 1 << 22  # of successors that are looked up together
AnySpace = TypeVar("AnySpace", bound=Space)
# above this many times the listable number, gaps are accepted at once: to list takes a minute
_FEW_GAPS = 4


class Numbering(NamedTuple):
    """A kind of numbers, the size of the space and the function that makes it;
    None if there is none.
    """

    kind: Literal["product", "rows", "group", "list", "met", "none"]
    size: int | None
    make: Callable[[], Space] | None


@dataclass(frozen=True, kw_only=True, repr=False)
class ProductSpace(Space):
    """The states that a product of factors numbers."""

    factors: Product


class Numbered:
    """The states of a definition with some moves and goal states,
    by default the solved one, and their numbers.
    """

    def __init__(
        self,
        texts: Texts,
        moves: Sequence[NamedMove],
        *,
        goals: Pieces | None = None,
    ) -> None:
        self.texts, self.definition = texts, texts.definition
        self.goals = goals or self.definition.solved(1)
        ways = self.definition.orientations
        back = [each._replace(turn=each.turn.inverse(ways)) for each in moves]
        # of moves that go forward the inverses too, which number the same states
        self._moves = [*moves, *back] if self.definition.forward else moves
        self.turns = [move.turn for move in self._moves]
        self.work = Work(NUMBERING)

    @cached_property
    def blocks(self) -> tuple[PlaceBlock, ...]:
        """The blocks of places that exchange pieces."""
        return blocks_of(self.definition, self.turns)

    @cached_property
    def charges(self) -> Charges | None:
        """The charges that moves lead to; None if they are too many to list."""
        return Charges.of(self.blocks)

    @cached_property
    def at_most(self) -> int:
        """The number of states that parities and sums allow."""
        return most_states_of_blocks(self.blocks, self.charges)

    @cached_property
    def count(self) -> Count:
        """The number of states that moves lead to."""
        return count_states(self.blocks, self.charges, self.work)

    @property
    def dense(self) -> bool:
        """True if moves are known to lead to all states that parities and sums allow."""
        return self.count.exact and self.count.states == self.at_most

    @cached_property
    def numbering(self) -> Numbering:  # noqa: PLR0911 -- one for each
        """The first numbering that fits."""
        if self.dense and (product := self._product):
            return Numbering(
                "product", product.size, partial(self._by_product, product, connected=True)
            )
        if found := self._found_rows:
            return Numbering("rows", found.states, partial(self._by_found_rows, found))
        if self.placings:
            return Numbering("product", self.at_most, self.placings)
        if chain := self._chain:
            return Numbering("group", chain.size, partial(self._by_chain, chain))
        product = self._product
        if (not product or self.at_most <= _FEW_GAPS * self._most_listed) and (
            listed := self._listed
        ):
            return Numbering("list", listed.size, lambda: listed)
        if product:
            return Numbering(
                "product", product.size, partial(self._by_product, product, connected=False)
            )
        return Numbering("met" if self._rows else "none", None, None)

    def space(self) -> Space:
        """Make the space; raise TooManyStates."""
        make = self.numbering.make
        if make is None:
            raise TooManyStates(0)
        space = make()
        goal_states = np.unique(space.rank(self.texts.boards(*self.goals)))
        return self._forwards(replace(space, goal_states=goal_states[goal_states >= 0]))

    def _forwards(self, space: AnySpace) -> AnySpace:
        """The space without the inverses of moves, if these go forward."""
        if not self.definition.forward:
            return space
        both, moves = space.expand, len(self._moves) // 2
        return replace(
            space,
            expand=lambda indices: np.ascontiguousarray(both(indices)[:, :moves]),
            directed=Directed(
                predecessors=lambda indices: np.ascontiguousarray(both(indices)[:, moves:])
            ),
            product=None,
            storage=STATES,
            symmetric=one_each,
        )

    # The product of listed factors.

    @cached_property
    def _product(self) -> Product | None:
        if self.charges is None or not (factors := factors_of(self.blocks, self.work)):
            return None
        return product_of(factors, self.charges, len(self._moves), self._group)

    @cached_property
    def _renamings(self) -> list[Renaming]:
        """The symmetries of the goal states; none beyond the work."""
        try:
            every = renamings(self.definition, self.turns, self.blocks, self.goals, self.work)
        except TooMuchWork:
            return []
        alone = self.definition.forward or not self.definition.symmetric
        return every[:1] if alone else every

    @cached_property
    def _group(self) -> Callable[[Product], list[Acting]]:
        """The function that makes the symmetries acting on rows and columns of a product;
        none beyond the work.
        """

        @cache
        def group(product: Product) -> list[Acting]:
            try:
                found = [
                    each
                    for _, each in acting_symmetries(
                        self.blocks, self._renamings, product, self.work
                    )
                ]
            except TooMuchWork:
                return []
            return (
                found
                if len(found) < 2 or len(found) * product.column_maps[1].nbytes <= _MAP_BYTES
                else []
            )

        return group

    def _by_product(self, product: Product, *, connected: bool) -> Space:
        group = self._group(product)
        classes = SymmetricRows.of(product, group) if len(group) > 1 else None
        form = (
            cache(product.form) if product.count * len(self._moves) <= MOST_EDGES_OF_ROWS else None
        )
        return ProductSpace(
            size=product.size,
            expand=(lambda indices: form().expand(indices)) if form else product.expand,
            goal_states=np.array([product.solved]),
            product=form,
            rank=self._rank_of(product.rank),
            unrank=partial(self._boards, product.unrank),
            storage=classes or STATES,
            symmetric=classes.symmetric if classes else one_each,
            connected=connected,
            factors=product,
        )

    # Rows found by moves.

    @cached_property
    def _found_rows(self) -> FoundRows | None:
        """The rows of blocks that are too large to list, if the others make columns."""
        if not self.dense or self.charges is None:
            return None
        try:
            listed = [block for block in self.blocks if factors_of([block], self.work) is not None]
            others = [block for block in self.blocks if block not in listed]
            if not listed or not others:
                return None
            parts = self.definition, others, listed
            return found_rows(*parts, self.charges, self.goals, self._renamings, self.work)
        except TooMuchWork:
            return None

    def _by_found_rows(self, found: FoundRows) -> Space:
        return Space(
            size=found.states,
            expand=found.successors,
            goal_states=np.empty(0, np.int64),
            rank=self._rank_of(found.rank),
            unrank=partial(self._boards, found.unrank),
            storage=found,
            symmetric=found.symmetric,
            connected=True,
        )

    def _rank_of(self, rank: Rank) -> Callable[[Boards], Indices]:
        """The ranks of boards, -1 where some piece is not in place."""

        def of_boards(boards: Boards) -> Indices:
            labels, turns, in_place = self._pieces(boards)
            return np.where(in_place, rank(labels, turns), NO_STATE)

        return of_boards

    def _pieces(self, boards: Boards) -> tuple[Numbers, Numbers, Flags]:
        """The labels and turns of boards, and True if all characters have a meaning,
        and dashes and pieces that never change are in place: bool[n].
        """
        labels, turns = self.texts.pieces(boards)
        moved, turned = np.zeros((2, len(self.definition.labels)), bool)
        for block in self.blocks:
            turned[block.places] = True
            moved[block.places] = block.rearranged
        in_place = (turns >= 0).all(axis=1)
        in_place &= (labels[:, ~moved] == self.definition.labels[~moved]).all(axis=1)
        in_place &= (turns[:, ~turned] == self.definition.turned[~turned]).all(axis=1)
        return labels, turns, in_place

    def _boards(self, unrank: Unrank, numbers: npt.NDArray[Any]) -> Boards:
        """The boards of states that are written into solved ones."""
        labels, turns = self.definition.solved(len(numbers))
        unrank(numbers, labels, turns)
        return self.texts.boards(labels, turns)

    # The places of some pieces.

    @cached_property
    def placings(self) -> Callable[[], Space] | None:
        """The function that makes the space of the places of the pieces that differ,
        for a pattern of one block that stores all states; None if there is none.
        """
        alone = not self.definition.symmetric and len(self.blocks) == 1 and self.dense
        numbers = placings(self.blocks[0]) if alone else None
        if numbers is None:
            return None
        form, rank, unrank = numbers
        return partial(
            Space.of_tables,
            form,
            np.zeros(1, np.int64),
            rank=self._rank_of(rank),
            unrank=partial(self._boards, unrank),
        )

    # The elements of the group of moves.

    @cached_property
    def _chain(self) -> Chain | None:
        apart = all(block.told_apart for block in self.blocks)
        if not (apart and self.count.exact and self.count.states <= MOST_ELEMENTS and self.blocks):
            return None
        turns, _ = moves_on_block_points(self.blocks)
        edges = self.count.states // _CHAIN_WIDTH * len(turns)
        if len(turns[0]) * len(turns) > MOST_IN_CHAIN or edges > MOST_EDGES:
            return None
        return Chain.of(turns, MOST_ELEMENTS)

    def _by_chain(self, chain: Chain) -> Space:
        moves, starts = moves_on_block_points(self.blocks)
        product = chain.product_form(moves)

        def write(indices: Indices, labels: Numbers, turns: Numbers) -> None:
            move_block_pieces(
                self.blocks,
                lambda homes: chain.images(indices, homes).astype(np.int64),
                labels,
                turns,
            )

        def rank(labels: Numbers, turns: Numbers) -> Indices:
            fits = np.ones(len(labels), bool)
            elements = np.zeros((len(labels), len(moves[0])), np.int64)
            for block, start in zip(self.blocks, starts, strict=True):
                ways, of = block.orientations, block.within(labels)
                fits &= (of >= 0).all(axis=1)
                home = np.argsort(block.labels)[of]
                by = turns[:, block.places] - block.turned[home]
                for turned in range(ways):
                    to = start + ways * np.arange(len(block.places)) + (by + turned) % ways
                    np.put_along_axis(elements, start + ways * home + turned, to, 1)
            return np.where(fits, chain.find(elements), NO_STATE)

        return Space.of_tables(
            product,
            np.zeros(1, np.int64),
            rank=self._rank_of(rank),
            unrank=partial(self._boards, write),
        )

    # The states themselves.

    @property
    def _most_listed(self) -> int:
        length, moves = self.texts.length, len(self._moves)
        # its letters, its successors, and its share of a hash table
        each = length + 4 * moves + BYTES_BESIDES
        # a letter, a step
        return min(LISTED_BYTES // each, NUMBERING // (length * moves))

    @cached_property
    def _listed(self) -> Space | None:
        most = self._most_listed
        if self.count.at_least > most:
            return None
        try:
            play = self.texts.player(self.turns)
            return listed_space(self.texts.boards(*self.definition.solved(1))[0], play, most)
        except TooManyStates:
            return None

    # The states that a search meets.

    @cached_property
    def _rows(self) -> Rows | None:
        return Rows.of(self.blocks, self.charges)

    def growing(self, goals: Boards, memory: int | None, *, connected: bool) -> Space | None:
        """Make a space around goal states for one search of one answer:
        its indices mean nothing elsewhere.

        States are numbered when the search meets them. `size` is the most states in so many bytes
        of `memory`; beyond it TooManyStates is raised. None for goals that cannot be reached.
        Raises TooManyStates without rows.
        """
        rows = self._rows
        if rows is None:
            raise TooManyStates(0)

        def encode(boards: Boards) -> tuple[Boards, Flags]:
            labels, turns, in_place = self._pieces(boards)
            found, fits = rows.encode(labels, turns)
            return found, fits & in_place

        start, fits = encode(goals)
        if not fits.any():
            return None
        start = start[fits]
        length, moves = start.shape[1], len(self._moves)
        most = most_boards(length, memory)
        states = BoardList(start[0], CHUNK if memory is None else most, most)
        goal_states = states.enter(start).astype(np.int64)
        chunk = max(_BYTES_AT_ONCE // (moves * length), 1)

        def expand(indices: Indices) -> Indices:
            successors = np.empty((len(indices), moves), np.int64)
            for first in range(0, len(indices), chunk):
                some = indices[first : first + chunk]
                after = rows.play(states.boards(np.maximum(some, 0))).reshape(-1, length)
                successors[first : first + chunk] = states.enter(
                    after, np.repeat(some >= 0, moves)
                ).reshape(-1, moves)
            return successors

        grown = Space(
            grows=True,
            size=most,
            expand=expand,
            goal_states=np.unique(goal_states),
            rank=lambda boards: states.enter(*encode(boards)).astype(np.int64),
            unrank=lambda indices: self._boards(rows.decode, states.boards(indices)),
            connected=connected,
        )
        return self._forwards(grown)


def listed_space(start: Boards, play: Callable[[Boards], Boards], most: int) -> Space:
    """List all states that moves lead to from a board of letters, uint8[length], the goal.

    They are numbered in the order in which moves lead to them, so the goal has index 0. `play` maps
    boards uint8[n, length] to those after each move, uint8[n, moves, length], all 0 after an
    illegal move. Moves must be closed under inversion. Raises TooManyStates above `most` states.
    """
    states = BoardList(start)
    parts = []
    done = 0
    chunk = max(_BYTES_AT_ONCE // play(start[None, :]).size, 1)
    with ThreadPoolExecutor() as pool:
        while done < states.count:
            boards = states.boards(np.arange(done, min(done + chunk, states.count)))
            done += len(boards)
            after = play(boards)
            flat = after.reshape(-1, len(start))
            parts.append(states.enter(flat, flat[:, 0] != 0, pool).reshape(after.shape[:2]))
            if states.count > most:
                raise TooManyStates(most)
    parts.append(np.full_like(parts[0][:1], -1))  # found by index -1
    successors = np.concatenate(parts)
    states.trim()
    return Space(
        size=states.count,
        expand=lambda indices: successors[indices].astype(np.int64),
        goal_states=np.zeros(1, np.int64),
        rank=states.find,
        unrank=states.boards,
        connected=True,
    )
