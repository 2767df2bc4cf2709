"""An automaton that numbers sequences of symbols in lexicographic order, without gaps.

A sequence is a path from node 0, with a transition for each symbol. The offset of a transition
counts the sequences with the same symbols before it and a smaller one there; a rank is the sum of a
path's offsets. Ranking reads memory once for each symbol, without division. A sequence without a
transition has rank -1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Indices

States = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Transitions = npt.NDArray[np.signedinteger[Any]]
Step = Callable[[States], tuple[States, Flags]]


@dataclass(frozen=True)
class Automaton:
    """An automaton of `size` sequences of `length` symbols 0 .. symbols-1, at most 256.

    `transitions[node, symbol]` is the next node, -1 if there is none, and the offset: int32 or, if
    size needs it, int64[nodes, symbols, 2]. The offsets of a node never fall from one symbol to the
    next.
    """

    size: int
    length: int
    transitions: Transitions

    @property
    def symbols(self) -> int:
        """The number of symbols."""
        return int(self.transitions.shape[1])

    def rank(self, sequences: npt.NDArray[np.uint8]) -> Indices:
        """The rank of each sequence, uint8[n, length] -> int64[n]; -1 for none of the sequences."""
        ranks = np.empty(len(sequences), np.int64)
        # one order of the axes to compile for
        _rank(np.ascontiguousarray(sequences), self.transitions, ranks)
        return ranks

    def unrank(self, ranks: Indices) -> npt.NDArray[np.uint8]:
        """The sequence of each rank, int64[n] -> uint8[n, length]."""
        sequences = np.empty((len(ranks), self.length), np.uint8)
        _unrank(ranks, self.transitions, sequences)
        return sequences


def make_automaton(
    start: tuple[int, ...], length: int, step: Step, final: Callable[[States], Flags] | None = None
) -> Automaton:
    """Make the automaton of all sequences of a length that the steps from a state allow.

    A state is a tuple of small integers, none negative, such as the counts of symbols left. `step`
    maps states, int64[n, width], to the states after each symbol, int64[n, symbols, width], and to
    the symbols allowed next, bool[n, symbols]. `final` marks the states in which a sequence may
    end, by default all.
    """
    layer = np.array([start], np.int64)
    # of each layer: the number in the next layer of the state after each symbol, -1 where there is
    # none
    follows = []
    for _ in range(length):
        after, allowed = step(layer)
        states = after[allowed]
        # sorted in a tenth of the time of rows
        codes = states @ np.cumprod([1, *(states.max(axis=0)[:-1] + 1)])
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        layer = states[first]
        follow = np.full(allowed.shape, -1)
        follow[allowed] = numbers
        follows.append(follow)
    count = np.ones(len(layer), np.int64) if final is None else final(layer).astype(np.int64)
    next_node = sum(map(len, follows))
    transitions = []
    for follow in reversed(follows):
        through = np.append(count, 0)[follow]  # the number of sequences through each transition
        nodes = np.where(through > 0, next_node + follow, -1)
        transitions.append(np.stack([nodes, np.cumsum(through, axis=1) - through], axis=2))
        count = through.sum(axis=1)
        next_node -= len(follow)
    size, joined = int(count[0]), np.concatenate(transitions[::-1])
    # The shorter they are, the more of them lie in cache.
    return Automaton(size, length, joined.astype(np.int32) if size < 1 << 31 else joined)


@dataclass(frozen=True)
class Arrangements:
    """The sequences with `counts[s]` copies of each symbol s;
    their automaton is made at first use.
    """

    counts: tuple[int, ...]

    @property
    def length(self) -> int:
        """The number of symbols in a sequence."""
        return sum(self.counts)

    @cached_property
    def size(self) -> int:
        """The number of sequences, a multinomial coefficient."""
        return factorial(self.length) // prod(map(factorial, self.counts))

    @cached_property
    def automaton(self) -> Automaton:
        """The automaton that ranks the sequences."""
        return make_automaton(self.counts, self.length, _place)

    @cached_property
    def sequences(self) -> npt.NDArray[np.uint8]:
        """Every sequence in the order of its rank: uint8[size, length]."""
        return self.automaton.unrank(np.arange(self.size))

    def rank(self, sequences: npt.NDArray[np.uint8]) -> Indices:
        """The rank of each sequence, uint8[n, length] -> int64[n]; -1 for other counts."""
        return self.automaton.rank(sequences)

    def shifts(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """The moves of a symbol from slot to slot past those between:
        kinds and column maps of a product form.

        Kinds are int32[length, length] by the slots,
        column maps uint32[kinds, size]; kind 0 is the identity.
        """
        slots = range(self.length)
        kinds: dict[tuple[int, ...], int] = {tuple(slots): 0}
        shift = np.empty((self.length, self.length), np.int32)
        for source, target in np.ndindex(shift.shape):
            order = [slot for slot in slots if slot != source]
            order.insert(target, source)
            shift[source, target] = kinds.setdefault(tuple(order), len(kinds))
        return shift, np.array([self.rank(self.sequences[:, order]) for order in kinds], np.uint32)


def _place(left: States) -> tuple[States, Flags]:
    """The copies left of each symbol after each next symbol, and the symbols that had one left."""
    return left[:, None] - np.eye(left.shape[1], dtype=np.int64), left > 0


@kernel
def _rank(sequences, transitions, ranks):  # type: ignore[no-untyped-def]
    symbols = transitions.shape[1]
    for i in range(sequences.shape[0]):
        node, rank = np.int64(0), np.int64(0)
        for at in range(sequences.shape[1]):
            symbol = sequences[i, at]
            if symbol >= symbols or transitions[node, symbol, 0] < 0:
                rank = np.int64(-1)
                break
            rank += transitions[node, symbol, 1]
            node = np.int64(transitions[node, symbol, 0])
        ranks[i] = rank


@kernel
def _symbol(node, rest, transitions):  # type: ignore[no-untyped-def]
    """Find the last symbol with an offset up to the rest:
    a missing symbol has the next one's offset.
    """
    first, symbol = 0, transitions.shape[1] - 1
    # fewer symbols are gone through faster than halved, or counted without branches
    while symbol - first > 8:
        middle = (first + symbol) // 2
        if transitions[node, middle, 1] <= rest:
            first = middle
        else:
            symbol = middle - 1
    while transitions[node, symbol, 1] > rest:
        symbol -= 1
    return symbol


@kernel
def _unrank(ranks, transitions, sequences):  # type: ignore[no-untyped-def]
    for i in range(ranks.shape[0]):
        node, rest = np.int64(0), ranks[i]
        for at in range(sequences.shape[1]):
            symbol = _symbol(node, rest, transitions)
            sequences[i, at] = symbol
            rest -= transitions[node, symbol, 1]
            node = np.int64(transitions[node, symbol, 0])


@kernel
def walk(rank, transitions, symbols, nodes, sums):  # type: ignore[no-untyped-def]
    """Walk the path of a rank: its symbols, the node before each,
    and the offset sums before each and behind the last.

    Kernels that change a few symbols rank only the rest anew.
    """
    node, total = np.int64(0), np.int64(0)
    length = sums.shape[0] - 1
    for at in range(length):
        symbol = _symbol(node, rank - total, transitions)
        symbols[at], nodes[at], sums[at] = symbol, node, total
        total += transitions[node, symbol, 1]
        node = np.int64(transitions[node, symbol, 0])
    sums[length] = total
