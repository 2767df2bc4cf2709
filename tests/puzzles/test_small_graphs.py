"""puzzles/machinery/small_graphs.py on random graphs, against a search with dictionaries."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from puzzlebase.puzzles.machinery.small_graphs import breadth_first, layers, path_back
from tests import naive

SIZE = 60


@pytest.mark.parametrize("seed", range(5))
def test_vertices_come_nearest_first_with_an_edge_to_each(seed: int) -> None:
    after = np.random.default_rng(seed).integers(-SIZE // 3, SIZE, (SIZE, 2)).clip(-1)
    edges = {str(at): [("", str(to)) for to in row if to >= 0] for at, row in enumerate(after.tolist())}
    expected = naive.distances("0", edges.__getitem__)
    before = dict(breadth_first(["0"], lambda vertex: (to for _, to in edges[vertex])))
    assert [*map(expected.__getitem__, before)] == sorted(expected.values())
    for vertex in before:
        path = path_back(vertex, before)
        assert len(path) == expected[vertex] + 1
        assert all(("", to) in edges[of] for to, of in pairwise(path))
    found = [*layers(SIZE, np.array([0]), lambda some: after[some].reshape(-1))]
    assert {str(vertex): at for at, (layer, _) in enumerate(found) for vertex in layer.tolist()} == expected
    for (former, _), (layer, edge) in pairwise(found):
        assert (after[former].reshape(-1)[edge] == layer).all()
