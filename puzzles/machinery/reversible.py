"""The law that moves can be taken back, and a check of it.

Sums over all moves check the law while the moves pass by;
a second pass then finds a move that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Indices, Successors

EdgeSums = npt.NDArray[np.uint64]
"""Two sums over edges, uint64[2], modulo 2^64, which add up in any order."""

_EDGES_AT_ONCE = 1 << 21


class OneWay(NamedTuple):
    """A move, by number, from a state to another, which no move takes back; states are indices."""

    state: int
    move: int
    to: int


def reversibility_sums(indices: Indices, successors: Successors) -> EdgeSums:
    """Sums by which moves are known to be reversible, of the edges from states, int64[n].

    They lead to successors, but for those that are -1.

    An edge adds a 128-bit hash of its two states, and the edge back takes it away. Several moves
    along one edge count once, and moves from a state to itself do not count. The sums over a whole
    graph that is closed under inversion are 0; those of any other are 0 with a probability of
    2^-128, for hashes as good as random ones.
    """
    slots = 1 << (2 * int(successors.counts.max(initial=0))).bit_length()
    seen, seen_from = np.empty(slots, np.int64), np.full(slots, -1, np.int64)
    sums = np.zeros(2, np.uint64)
    _add_edges(indices, *successors, seen, seen_from, sums)
    return sums


@kernel
def _add_edges(indices, successors, counts, seen, seen_from, sums):  # type: ignore[no-untyped-def]
    """`seen` is a hash table of one state's successors;
    `seen_from` has the state of each slot's entry.

    A pair is mixed as one number,
    unique below 2^31 states since multiples of the golden ratio are far apart.
    """
    first_sum, second_sum = sums[0], sums[1]
    last_slot = np.uint64(seen.shape[0] - 1)
    end = np.uint64(0)  # without a sign: positions that may be negative are tested
    for i in range(indices.shape[0]):
        index, at = indices[i], end
        end += np.uint64(counts[i])
        for k in range(at, end):
            to = successors[k]
            if to == index or to < 0:
                continue
            code = np.uint64(min(index, to)) + np.uint64(max(index, to)) * np.uint64(
                0x9E3779B97F4A7C15
            )
            code = (code ^ (code >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
            code ^= code >> np.uint64(29)
            slot = code & last_slot
            while seen_from[slot] == i and seen[slot] != to:
                slot = (slot + np.uint64(1)) & last_slot
            if seen_from[slot] == i:
                continue
            seen_from[slot] = i
            seen[slot] = to
            first = code * np.uint64(0x94D049BB133111EB)
            second = (code ^ (code >> np.uint64(32))) * np.uint64(0xFF51AFD7ED558CCD)
            if index < to:
                first_sum += first
                second_sum += second
            else:
                first_sum -= first
                second_sum -= second
    sums[0] = first_sum
    sums[1] = second_sum


def one_way(expand: Callable[[Indices], Indices], chunks: Iterable[Indices]) -> OneWay | None:
    """Find the first move of some states that no move takes back;
    None without one. Expands each successor.
    """
    for chunk in chunks:
        moves = expand(chunk[:1]).shape[1]
        batch = max(_EDGES_AT_ONCE // (moves * moves), 1)
        for first in range(0, len(chunk), batch):
            some = chunk[first : first + batch]
            to = expand(some).reshape(-1)
            back = (to < 0) | (expand(to) == np.repeat(some, moves)[:, None]).any(axis=1)
            if not back.all():
                at = int(np.argmin(back))
                return OneWay(int(some[at // moves]), at % moves, int(to[at]))
    return None
