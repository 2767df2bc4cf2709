"""machinery/reversible.py: moves that cannot be taken back are found, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.puzzles import Indices, ProductForm, Successors
from puzzlebase.puzzles.machinery.reversible import one_way, reversibility_sums
from tests.naive import reversal

pytestmark = pytest.mark.plain


def chunks(size: int, of: int = 3) -> list[Indices]:
    return [np.arange(first, min(first + of, size)) for first in range(0, size, of)]


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Draw edges of a few vertices, half of the graphs closed under inversion,
    several edges along some edges.
    """
    size = draw(st.integers(1, 8))
    pairs = draw(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=12)
    )
    if draw(st.booleans()):
        pairs += [
            (to, vertex) for vertex, to in pairs if (vertex + to) % 3 or (to, vertex) not in pairs
        ]
    edges: list[list[int]] = [[] for _ in range(size)]
    for vertex, to in pairs:
        edges[vertex].append(to)
    most = max(map(len, edges)) + 1
    return [row + [-1] * (most - len(row)) for row in edges]


@settings(max_examples=100)
@given(edges=graphs(), random=st.randoms(use_true_random=False))
def test_sums_are_zero_exactly_where_every_edge_has_one_back(
    edges: list[list[int]], random: st.DataObject
) -> None:
    table = np.array([*edges, [-1] * len(edges[0])])
    expected = reversal.one_way_edges(edges)
    parts = chunks(len(edges), 1 + len(edges) // 3)
    total = reversibility_sums(np.arange(len(edges)), Successors.of(table[:-1]))
    random.shuffle(parts)  # type: ignore[attr-defined]
    sums = [reversibility_sums(some, Successors.of(table[some])) for some in parts]
    assert np.sum(sums, axis=0, dtype=np.uint64).tolist() == total.tolist()
    assert total.any() == bool(expected)
    found = one_way(lambda vertices: table[vertices], chunks(len(edges)))
    assert (found is None) == (not expected)
    if found:
        assert (found.state, found.to) in expected
        assert edges[found.state][found.move] == found.to


def test_edges_of_many_vertices_do_not_cancel_by_chance() -> None:
    """A grid on a torus has edges between close numbers:
    without one of them, each time another, it is found.
    """
    side = 40
    row, column = np.divmod(np.arange(side * side), side)
    edges = np.stack(
        [
            (row + down) % side * side + (column + right) % side
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
        ],
        axis=1,
    )
    every = np.arange(len(edges))
    assert not reversibility_sums(every, Successors.of(edges)).any()
    seen = set()
    for vertex, edge in np.ndindex(edges.shape):
        without = edges.copy()
        without[vertex, edge] = -1
        if vertex % 7 == 0:
            sums = reversibility_sums(every, Successors.of(without))
            assert sums.all()
            seen.add(tuple(sums.tolist()))
    assert len(seen) == 4 * -(-len(edges) // 7)


def form(row_move: list[list[int]], kind: list[list[int]], maps: list[list[int]]) -> ProductForm:
    return ProductForm(
        np.array(row_move, np.int32), np.array(kind, np.int32), np.array(maps, np.uint32)
    )


def edges_of(product: ProductForm) -> list[list[int]]:
    """The edges of a product form, from its definition."""
    edges = []
    for row in range(product.row_move.shape[1]):
        for column in range(product.column_map.shape[1]):
            to = [
                (move[row], product.column_map[kind[row]][column])
                for move, kind in zip(product.row_move.tolist(), product.kind.tolist(), strict=True)
            ]
            edges.append(
                [int(there * product.width + at) if there >= 0 else -1 for there, at in to]
            )
    return edges


ROUND = [[0, 1, 2, 3], [1, 2, 3, 0], [3, 0, 1, 2]]
"""Four columns: unchanged, one place on, and one place back."""

FORMS = {
    "closed": form([[1, 2, 0], [2, 0, 1]], [[1, 1, 1], [2, 2, 2]], ROUND),
    "an inverse is missing": form([[1, 2, 0], [2, -1, 1]], [[1, 1, 1], [2, 2, 2]], ROUND),
    "an inverse has another map": form([[1, 2, 0], [2, 0, 1]], [[1, 1, 1], [2, 1, 2]], ROUND),
    "its own inverse": form([[0]], [[1]], [[0, 1, 2, 3], [1, 0, 3, 2]]),
    "not its own inverse": form([[0]], [[1]], ROUND),
    "the same map twice": form(
        [[1, 2, 0], [2, 0, 1]], [[1, 3, 1], [2, 4, 2]], [*ROUND, *ROUND[1:]]
    ),
    "each column taken back by another link": form(
        [[1, -1], [1, 0], [1, 0]],
        [[0, 0], [1, 1], [2, 2]],
        [[0, 1, 2, 3], [0, 1, 3, 2], [1, 0, 2, 3]],
    ),
    "a column taken back by none": form(
        [[1, -1], [1, 0], [1, 0]],
        [[0, 0], [1, 1], [2, 2]],
        [[0, 1, 2, 3], [0, 1, 3, 2], [1, 0, 3, 2]],
    ),
}
