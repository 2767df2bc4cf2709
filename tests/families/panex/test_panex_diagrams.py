"""families/panex/diagrams.py and hash_table.py: functions of bits against lists of their values, and slots of keys."""

from __future__ import annotations

import random

import numpy as np
import pytest

from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    NO_PATH,
    ZERO,
    Diagrams,
    Function,
    new_diagrams,
    shortest_paths,
)
from puzzlebase.puzzles.families.panex.hash_table import slot_of


class Plain:
    """A function of k bits as a list, None where it has no value: the reference implementation of a diagram."""

    def __init__(self, values: list[int | None]) -> None:
        self.values = values

    @classmethod
    def drawn(cls, k: int, draw: random.Random) -> Plain:
        """Any function."""
        return cls([draw.choice([None, *range(6)]) for _ in range(1 << k)])

    def built(self, diagrams: Diagrams) -> Function:
        """Its node and offset."""
        parts: list[Function] = [(EMPTY, 0) if value is None else (ZERO, value) for value in self.values]
        while len(parts) > 1:
            # Bit 1 is the lowest: neighbours in the list differ in it.
            parts = [diagrams.join(*parts[at : at + 2]) for at in range(0, len(parts), 2)]
        return parts[0]

    def convolved(self, other: Plain) -> Plain:
        """The shortest of one path after another, for all bits that they flip."""
        every = range(len(self.values))
        sums = [[(self.values[u], other.values[v ^ u]) for u in every] for v in every]
        paths = [[a + b for a, b in some if a is not None and b is not None] for some in sums]
        return Plain([min(some) if some else None for some in paths])

    def minimum(self, other: Plain) -> Plain:
        """The minimum, value by value."""
        pairs = zip(self.values, other.values, strict=True)
        present = [[value for value in pair if value is not None] for pair in pairs]
        return Plain([min(some) if some else None for some in present])


@pytest.mark.parametrize("k", range(1, 6))
def test_diagrams_are_functions(k: int) -> None:
    """Equal functions are one node, by whichever operations they were found."""
    diagrams = new_diagrams(1 << 14, 1 << 12)
    draw = random.Random(k)
    for _ in range(200):
        one, two = Plain.drawn(k, draw), Plain.drawn(k, draw)
        a, b = one.built(diagrams), two.built(diagrams)
        for bits, value in enumerate(one.values):
            found = diagrams.value(a, k, bits)
            assert found == value if value is not None else found >= NO_PATH
        assert diagrams.minimum(a, b) == one.minimum(two).built(diagrams)
        node, offset = np.array([a[0], EMPTY]), np.array([a[1], 0])
        begin, target = np.array([0, 1, 1], np.int32), np.array([1], np.int32)
        step = np.array([b[0]]), np.array([b[1]])
        shortest_paths(begin, target, *step, np.zeros(2, np.bool_), node, offset, *diagrams)
        assert (int(node[1]), int(offset[1])) == one.convolved(two).built(diagrams)
        values = [value for value in one.values if value is not None]
        whole = len(values) == len(one.values)
        assert diagrams.nodes[a[0], -1] == (max(values) - min(values) if whole else NO_PATH)
    assert not diagrams.full


def test_a_restricted_function_and_the_summands_of_a_minimum() -> None:
    diagrams = new_diagrams(1 << 12, 1 << 10)
    draw = random.Random(9)
    k, fewer = 4, 2
    for _ in range(100):
        one, two = Plain.drawn(k, draw), Plain.drawn(k, draw)
        node, offset = (np.array([each]) for each in one.built(diagrams))
        bits = draw.randrange(1 << k)
        diagrams.restrict((node, offset), np.array([k]), fewer, np.array([bits]))
        first = bits >> fewer << fewer
        assert (int(node[0]), int(offset[0])) == Plain(one.values[first : first + (1 << fewer)]).built(diagrams)
        minimum = one.convolved(two).values[bits]
        if minimum is not None:
            (a, a_offset), (b, b_offset) = one.built(diagrams), two.built(diagrams)
            functions = (np.array([EMPTY, a]), np.array([0, a_offset])), (np.array([b, b]), np.array([0, b_offset]))
            at, u = diagrams.find_summands(*functions, k, bits, minimum)
            assert at == 1
            assert (one.values[u] or 0) + (two.values[u ^ bits] or 0) == minimum
            assert diagrams.find_summands(*functions, k, bits, minimum - 1) == (-1, 0)


def test_full_diagrams_say_so() -> None:
    diagrams = new_diagrams(8, 8)
    Plain([*range(64)]).built(diagrams)
    assert not diagrams.full
    Plain([value * value for value in range(64)]).built(diagrams)
    assert diagrams.full


def test_a_slot_is_that_of_its_key_or_empty() -> None:
    draw = np.random.default_rng(3)
    keys = np.unique(draw.integers(0, 1 << 62, 1000))
    slots = np.full(1 << 11, -1, np.int32)
    for number, key in enumerate(keys):
        assert slots[slot_of(key, keys, slots)] == -1
        slots[slot_of(key, keys, slots)] = number
    assert [slots[slot_of(key, keys, slots)] for key in keys] == list(range(len(keys)))
    assert all(slots[slot_of(key, keys, slots)] == -1 for key in keys + 1 if key not in keys)
