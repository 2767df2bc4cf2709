"""plugins/publish/smallest_automaton.py: the automaton of any boards ranks exactly these,
in order, with the fewest nodes.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.plugins.publish.smallest_automaton import (
    smallest_automaton,
    smallest_automaton_of_either,
)

WORDS = st.integers(1, 5).flatmap(
    lambda length: st.sets(st.tuples(*[st.integers(0, 3)] * length), min_size=1, max_size=60)
)


@given(WORDS)
def test_ranks_are_places_in_the_sorted_list(words: set[tuple[int, ...]]) -> None:
    found = smallest_automaton(np.array([*words], np.uint8), 4)
    assert found.size == len(words)
    every = np.array([*product(range(4), repeat=found.length)], np.uint8)
    expected = {word: rank for rank, word in enumerate(sorted(words))}
    assert found.rank(every).tolist() == [expected.get(tuple(word), -1) for word in every.tolist()]
    assert found.unrank(np.arange(found.size)).tolist() == [[*word] for word in sorted(words)]


@given(WORDS)
def test_no_two_nodes_have_the_same_continuations(words: set[tuple[int, ...]]) -> None:
    length = len(next(iter(words)))
    continuations = {
        (at, frozenset(word[at:] for word in words if word[:at] == prefix))
        for at in range(length)
        for prefix in {word[:at] for word in words}
    }
    assert len(smallest_automaton(np.array([*words], np.uint8), 4).transitions) == len(
        continuations
    )


@given(WORDS, st.integers(1, 4))
def test_the_union_of_pieces_is_the_automaton_of_all(
    words: set[tuple[int, ...]], pieces: int
) -> None:
    """With as few nodes, whichever words lie in which piece, and where some lie in two."""
    boards = np.array([*words, next(iter(words))], np.uint8)
    found, *rest = [
        smallest_automaton(boards[at::pieces], 4) for at in range(min(pieces, len(boards)))
    ]
    for other in rest:
        found = smallest_automaton_of_either(found, other)
    whole = smallest_automaton(boards, 4)
    assert found.size == whole.size == len(words)
    assert (
        found.unrank(np.arange(found.size)).tolist() == whole.unrank(np.arange(whole.size)).tolist()
    )
    assert len(found.transitions) == len(whole.transitions)
