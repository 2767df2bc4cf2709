"""proofs.py: the counts of classes of rows, by their vertices."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.builder.counting import count_ranges, histograms_by_counting
from puzzlebase.plugins.definitions.proofs import histograms_of_classes

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("threads", "mixed"), [(1, False), (2, False), (2, True)])
def test_classes_of_rows_are_counted_as_their_states_would_be(threads: int, mixed: bool) -> None:
    """Of 600 classes with up to 40 rows each;
    a row of a class has its vertices' distances, in any order.
    """
    random, width = np.random.default_rng(1), 70
    vertices = random.integers(-1, 9, (600, width)).astype(np.int8)
    first = np.append(0, np.cumsum(random.integers(1, 40, len(vertices))))
    states = random.permuted(np.repeat(vertices, np.diff(first), axis=0), axis=1)
    rows = random.permutation(len(states)) if mixed else np.empty(0, np.int64)
    if mixed:
        states[rows] = states.copy()
    states = states.reshape(-1)
    advanced: list[int] = []
    read = vertices.reshape(-1).__getitem__
    found = histograms_of_classes(
        first, rows, width, 9, lambda *some: read(slice(*some)), threads, advanced.append
    )
    assert len(found) > 10
    assert found.length % width == 0
    assert found == histograms_by_counting(found.length, count_ranges(found.length, 0, states))
    assert sum(advanced) == len(states)
