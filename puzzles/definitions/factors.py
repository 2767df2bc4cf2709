"""Factors: parts of a state that moves change each by itself, small enough to list, and their product.

The pieces' labels in a block are one factor, how they are turned another: how far the piece that comes to a place is
turned on the way depends on the move alone. Where it depends on the piece how far one can see it turned, a block
is one factor.

The product of two factors has an index x * width + y's position, where the y that go with an x are those
whose charges, together with the x's, moves lead to. These are a coset of a subgroup, so for two x they are the same y
or none of them are, and every x has `width` of them. So parities and sums that moves keep leave no gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Indices, ProductForm
from puzzlebase.puzzles.definitions.blocks import Block, Charges, parities
from puzzlebase.puzzles.definitions.definition import MOST_PLACES, Numbers
from puzzlebase.puzzles.machinery.automaton import Arrangements

MOST_LISTED = 1 << 25
"""States of a factor times moves, while the states that occur are found."""
MOST_ROWS = 1 << 26
"""Rows of the product form times moves."""
_MAP_BYTES = 1 << 23
_WIDE = 1 << 12
"""So wide rows are searched as fast as wider ones."""
_FEW_ROWS = 64
_NARROW = 64  # the bits of a word
_SMALL = 1 << 16
_MOST_FACTORS = 6
"""Of the columns, while the best ones are looked for."""

Labels = npt.NDArray[np.integer]
Rank = Callable[[Labels, Labels], Indices]
"""The indices of states given by all labels and all turns, int[n, places] each; -1 for what cannot occur."""
Unrank = Callable[[Indices, Labels, Labels], None]
"""Writes the labels and turns of states into two such arrays."""


@dataclass(frozen=True, eq=False)
class Factor:
    """A part of a state as an index.

    Attributes:
        moves: where each move leads, int32[moves, size].
        charges: which of `Charges.every`'s coordinates the factor knows, by number.
        charge: of each index, as a number in the mixed base of those coordinates, int32[size].
        solved: the index in the solved state.
        rank: what numbers states.
        unrank: its inverse.
    """

    moves: npt.NDArray[np.int32]
    charges: tuple[int, ...]
    charge: npt.NDArray[np.int32]
    solved: int
    rank: Rank
    unrank: Unrank

    @property
    def size(self) -> int:
        """How many there are."""
        return int(self.moves.shape[1])


def factors_of(blocks: Sequence[Block]) -> list[Factor] | None:
    """The factors of all blocks; None where one is too large to list."""
    found = []
    for number, block in enumerate(blocks):
        parts: list[Callable[[Block, int], Factor | None]] = []
        if not block.orientations:
            parts = [_whole]
        else:
            if block.rearranged:
                parts.append(_arranged)
            if block.orientations > 1:
                parts.append(_turned)
        for part in parts:
            factor = part(block, number)
            if factor is None:
                return None
            found.append(factor)
    return found


def _arranged(block: Block, number: int) -> Factor | None:
    """Which piece lies where."""
    arrangements = Arrangements(block.counts)
    if len(block.counts) > 255 or arrangements.size * len(block.turns) > MOST_LISTED:
        return None
    sequences = arrangements.sequences
    to = np.stack([arrangements.rank(sequences[:, turn.source]) for turn in block.turns])
    signs = parities(sequences) if block.charges[0] == 2 else np.zeros(len(sequences), np.int32)
    solved = int(arrangements.rank(block.labels[None, :].astype(np.uint8))[0])
    signs = signs ^ signs[solved]
    inside = _inside(block)

    def rank(labels: Labels, _turns: Labels) -> Indices:
        return arrangements.rank(inside[labels[:, block.places]])

    def unrank(indices: Indices, labels: Labels, _turns: Labels) -> None:
        labels[:, block.places] = block.names[arrangements.automaton.unrank(indices)]

    return _reached(to, (2 * number,), signs, solved, rank, unrank)


def _turned(block: Block, number: int) -> Factor | None:
    """How the piece in each place is turned."""
    ways, places = block.orientations, len(block.labels)
    if ways**places * len(block.turns) > MOST_LISTED:
        return None
    weights = ways ** np.arange(places - 1, -1, -1, dtype=np.int64)
    every = (np.arange(ways**places)[:, None] // weights % ways).astype(np.uint8)
    to = np.stack([((every[:, turn.source] + turn.turned) % ways) @ weights for turn in block.turns])
    solved = int(block.turned @ weights)
    sums = ((every.sum(axis=1, dtype=np.int64) - int(block.turned.sum())) % ways).astype(np.int32)

    def rank(_labels: Labels, turns: Labels) -> Indices:
        of = turns[:, block.places].astype(np.int64)
        return np.where((of < ways).all(axis=1) & (of >= 0).all(axis=1), of @ weights, -1)

    def unrank(indices: Indices, _labels: Labels, turns: Labels) -> None:
        turns[:, block.places] = indices[:, None] // weights % ways

    return _reached(to, (2 * number + 1,), sums, solved, rank, unrank)


def _whole(block: Block, number: int) -> Factor | None:
    """Both, where some pieces look the same in orientations in which others do not: arrangements, then turns."""
    arrangements, most = Arrangements(block.counts), int(block.moduli.max())
    if len(block.counts) > 255 or arrangements.size * most ** len(block.labels) * len(block.turns) > MOST_LISTED // 4:
        return None
    weights = most ** np.arange(len(block.labels) - 1, -1, -1, dtype=np.int64)
    ways = int(most ** len(block.labels))
    inside = _inside(block)
    sequences = np.repeat(arrangements.sequences, ways, axis=0)
    every = np.tile(np.arange(ways)[:, None] // weights % most, (arrangements.size, 1))
    seen = np.all(every < block.moduli[sequences], axis=1)

    def number_of(labels: Labels, turns: Labels) -> Indices:
        found = arrangements.rank(np.ascontiguousarray(labels, np.uint8))
        allowed = (found >= 0) & ((turns >= 0) & (turns < most)).all(axis=1)
        return np.where(allowed, found * ways + turns.astype(np.int64) @ weights, -1)

    to = np.zeros((len(block.turns), len(every)), np.int64)
    for move, turn in enumerate(block.turns):
        labels = sequences[:, turn.source]
        to[move] = number_of(labels, (every[:, turn.source] + turn.turned) % block.moduli[labels])
    solved = int(number_of(block.labels[None, :], block.turned[None, :])[0])
    parity, whole = block.charges
    charge = np.zeros(len(every), np.int32)
    if parity == 2:
        signs = parities(sequences)
        charge += (signs ^ signs[solved]) * whole
    charge += ((every.sum(axis=1) - int(block.turned.sum())) % whole).astype(np.int32)

    def rank(labels: Labels, turns: Labels) -> Indices:
        of = inside[labels[:, block.places]]
        index = number_of(of, turns[:, block.places])
        return np.where(seen[np.maximum(index, 0)], index, -1)

    def unrank(indices: Indices, labels: Labels, turns: Labels) -> None:
        labels[:, block.places] = block.names[arrangements.automaton.unrank(indices // ways)]
        turns[:, block.places] = (indices % ways)[:, None] // weights % most

    return _reached(to, (2 * number, 2 * number + 1), charge, solved, rank, unrank)


def _inside(block: Block) -> npt.NDArray[np.uint8]:
    """From the set's labels to the block's; 255 for those of other blocks, or for none (-1, the last)."""
    inside = np.full(MOST_PLACES + 2, 255, np.uint8)
    inside[block.names] = np.arange(len(block.names))
    return inside


def _reached(
    to: Numbers, charges: tuple[int, ...], charge: npt.NDArray[np.int32], solved: int, rank: Rank, unrank: Unrank
) -> Factor:
    """The factor of the numbers that moves lead to from the solved one, numbered anew without gaps."""
    found = np.zeros(to.shape[1], bool)
    found[solved] = True
    layer = np.array([solved])
    while len(layer):
        after = np.unique(to[:, layer])
        layer = after[~found[after]]
        found[layer] = True
    old = np.flatnonzero(found)
    new = np.full(len(found) + 1, -1, np.int64)
    new[old] = np.arange(len(old))

    def rank_reached(labels: Labels, turns: Labels) -> Indices:
        return new[rank(labels, turns)]  # the last one is that of -1

    def unrank_reached(indices: Indices, labels: Labels, turns: Labels) -> None:
        unrank(old[indices], labels, turns)

    moves = np.ascontiguousarray(new[to[:, old]], np.int32)
    return Factor(moves, charges, charge[old], int(new[solved]), rank_reached, unrank_reached)


@dataclass(frozen=True, eq=False)
class _Fibres:
    """Which y go with an x: those of one `family`, and the position of each there.

    Attributes:
        width: how many.
        of: the family of each charge of the x's, int64[charges of x]; -1 for one that no x has.
        family: of each y.
        position: of each y in its family.
        members: the y's by family and position, int64[families, width].
    """

    width: int
    of: Numbers
    family: Numbers
    position: Numbers
    members: Numbers


def _fibres(x: Factor, y: Factor, charges: Charges) -> _Fibres:
    of_x, of_y = ({_mixed(each, part, charges) for each in charges.every} for part in (x.charges, y.charges))
    partners: dict[int, set[int]] = {}
    for each in charges.every:
        partners.setdefault(_mixed(each, x.charges, charges), set()).add(_mixed(each, y.charges, charges))
    families = sorted({frozenset(partner) for partner in partners.values()}, key=min)
    of = np.full(max(of_x) + 1, -1, np.int64)
    for charge, partner in partners.items():
        of[charge] = families.index(frozenset(partner))
    family_of_charge = np.full(max(*of_y, int(y.charge.max())) + 1, -1, np.int64)
    for number, those in enumerate(families):
        family_of_charge[[*those]] = number
    family = family_of_charge[y.charge]
    members = [np.flatnonzero(family == number) for number in range(len(families))]
    position = np.zeros(y.size, np.int64)
    for each_members in members:
        position[each_members] = np.arange(len(each_members))
    return _Fibres(len(members[0]), of, family, position, np.stack(members))


def _mixed(charge: Sequence[int], part: Sequence[int], charges: Charges) -> int:
    """Some coordinates of a charge as one number."""
    number = 0
    for at in part:
        number = number * charges.moduli[at] + charge[at]
    return number


def _joined(x: Factor, y: Factor, charges: Charges) -> Factor:
    """Their product, as a factor again."""
    fibres = _fibres(x, y, charges)
    width = fibres.width
    first = np.repeat(np.arange(x.size), width)
    second = fibres.members[fibres.of[x.charge]].reshape(-1)
    moves = (x.moves[:, first].astype(np.int64) * width + fibres.position[y.moves[:, second]]).astype(np.int32)
    base = prod(charges.moduli[at] for at in y.charges)
    rank, unrank = _numbering(x, y, fibres)
    return Factor(
        moves,
        x.charges + y.charges,
        (x.charge[first] * base + y.charge[second]).astype(np.int32),
        int(x.solved * width + fibres.position[y.solved]),
        rank,
        unrank,
    )


def _numbering(x: Factor, y: Factor, fibres: _Fibres) -> tuple[Rank, Unrank]:
    def rank(labels: Labels, turns: Labels) -> Indices:
        one, other = x.rank(labels, turns), y.rank(labels, turns)
        fits = (one >= 0) & (other >= 0)
        fits &= fibres.of[x.charge[one]] == fibres.family[other]
        return np.where(fits, one * fibres.width + fibres.position[other], -1)

    def unrank(indices: Indices, labels: Labels, turns: Labels) -> None:
        one = indices // fibres.width
        x.unrank(one, labels, turns)
        y.unrank(fibres.members[fibres.of[x.charge[one]], indices % fibres.width], labels, turns)

    return rank, unrank


@dataclass(frozen=True, eq=False)
class Product:
    """All states as rows and columns."""

    form: ProductForm
    solved: int
    rank: Rank
    unrank: Unrank


def product_of(factors: Sequence[Factor], charges: Charges, moves: int) -> Product | None:
    """The product of all factors, split in rows and columns; None where no split is small enough."""
    columns = _columns([factor.size for factor in factors], moves)
    if columns is None:
        return None

    def joined(some: Iterable[int]) -> Factor:
        return reduce(lambda one, other: _joined(one, other, charges), [factors[at] for at in some], _single(moves))

    x, y = joined(at for at in range(len(factors)) if at not in columns), joined(columns)
    fibres = _fibres(x, y, charges)
    rank, unrank = _numbering(x, y, fibres)
    return Product(_form(x, y, fibres), int(x.solved * fibres.width + fibres.position[y.solved]), rank, unrank)


def _columns(sizes: Sequence[int], moves: int) -> tuple[int, ...] | None:
    """The factors that make the columns: so many that rows are wide, and so few that threads share many rows."""
    best: tuple[int, tuple[int, ...]] | None = None
    for count in range(min(len(sizes), _MOST_FACTORS) + 1):
        for columns in combinations(range(len(sizes)), count):
            width = prod(sizes[at] for at in columns)
            rows = prod(sizes) // width
            fits = rows * moves <= MOST_ROWS and moves * width * 4 <= _MAP_BYTES
            if fits and rows >= _FEW_ROWS and (width >= _NARROW or rows * width <= _SMALL):
                cost = abs(width.bit_length() - _WIDE.bit_length())
                if best is None or cost < best[0]:
                    best = cost, columns
    return best[1] if best else None


def _single(moves: int) -> Factor:
    """The factor with one index."""
    return Factor(
        np.zeros((moves, 1), np.int32),
        (),
        np.zeros(1, np.int32),
        0,
        lambda labels, _turns: np.zeros(len(labels), np.int64),
        lambda _indices, _labels, _turns: None,
    )


def _form(x: Factor, y: Factor, fibres: _Fibres) -> ProductForm:
    maps = [np.arange(fibres.width)]
    numbers: dict[bytes, int] = {maps[0].tobytes(): 0}
    kind_of = np.zeros((len(x.moves), len(fibres.members)), np.int32)
    for move in range(len(x.moves)):
        for family, members in enumerate(fibres.members):
            columns = fibres.position[y.moves[move, members]]
            kind_of[move, family] = numbers.setdefault(columns.tobytes(), len(maps))
            if kind_of[move, family] == len(maps):
                maps.append(columns)
    return ProductForm(x.moves, kind_of[:, fibres.of[x.charge]], np.stack(maps).astype(np.uint32))
