"""builder/breadth_first.py: both engines against each other and against a plain search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from builder.breadth_first import by_expansion, by_rows, enumerate_graph
from builder.enumerated import widened
from puzzles import Graph, Indices, ProductForm, find

Layers = list[tuple[int, int, int]]


def layers_of(graph: Graph, engine: Any, threads: int) -> tuple[Layers, bytes]:
    layers: Layers = []
    enumerated = engine(graph, threads, lambda *layer: layers.append(layer))
    return layers, enumerated.distances.tobytes()


def plain(graph: Graph) -> list[int]:
    """Distances to the zeros over reversed links, with lists."""
    sources: dict[int, list[int]] = {}
    for node, successors in enumerate(graph.expand(np.arange(graph.size)).tolist()):
        for successor in successors:
            sources.setdefault(successor, []).append(node)
    distances = [-1] * graph.size
    layer = graph.zeros.tolist()
    distance = 0
    while layer:
        for node in layer:
            distances[node] = distance
        distance += 1
        layer = sorted({source for node in layer for source in sources.get(node, []) if distances[source] < 0})
    return distances


@pytest.mark.parametrize("name", ["novice", "novice-sixths", "challenger"])
def test_engines_agree_whatever_the_threads(name: str) -> None:
    space = find(name).space(find(name).goal())
    first = layers_of(space, by_rows, 1)
    assert first[0][-1][2] == space.size
    for engine, threads in ((by_rows, 2), (by_rows, 5), (by_expansion, 1), (by_expansion, 3)):
        assert layers_of(space, engine, threads) == first


def test_both_agree_with_a_plain_search() -> None:
    space = find("novice").space(find("novice").goal())
    expected = np.array(plain(space))
    for engine in (by_rows, by_expansion):
        assert np.array_equal(engine(space, 2, lambda *_: None).range(0, space.size), expected)
    graph = space.stored()
    assert np.array_equal(enumerate_graph(graph, 2, lambda *_: None).range(0, graph.size), np.array(plain(graph)))


def a_line(size: int) -> Graph:
    """Nodes in a row, each linked to its neighbours: as many layers as nodes."""

    def expand(indices: Indices) -> Indices:
        successors = np.stack([indices - 1, indices + 1], axis=1)
        successors[(successors < 0) | (successors >= size)] = -1
        return successors

    return Graph(size=size, expand=expand, zeros=np.array([0]))


def a_product_line(rows: int, width: int) -> Graph:
    """The same, where rows are linked to the next and columns of the last row to the next column."""
    row = np.arange(rows, dtype=np.int32)
    column = np.arange(width, dtype=np.uint32)
    up = (row - 1).astype(np.int32)
    down = np.where(row < rows - 1, row + 1, -1).astype(np.int32)
    along = np.where(row == rows - 1, row, -1).astype(np.int32)
    product = ProductForm(
        row_move=np.stack([up, down, along, along]),
        kind=np.stack([0 * row, 0 * row, 0 * row + 1, 0 * row + 2]),
        column_map=np.stack([column, np.roll(column, 1), np.roll(column, -1)]),
    )
    return Graph(size=rows * width, expand=product.expand, zeros=np.array([3]), product=lambda: product)


def test_many_layers_need_more_than_a_byte() -> None:
    size = 70_000
    with pytest.raises(OverflowError):
        enumerate_graph(a_line(size), 1, lambda *_: None)
    for size in (255, 256, 257, 1000):
        found = enumerate_graph(a_line(size), 2, lambda *_: None)
        assert found.range(0, size).tolist() == list(range(size))
        assert found.probe(np.array([size - 1, 0])).tolist() == [size - 1, 0]


@pytest.mark.parametrize(("rows", "width"), [(300, 65), (3, 64), (2, 130), (700, 1)])
def test_rows_of_any_width(rows: int, width: int) -> None:
    graph = a_product_line(rows, max(width, 4))
    expected = np.array(plain(graph))
    assert np.array_equal(by_rows(graph, 2, lambda *_: None).range(0, graph.size), expected)
    assert np.array_equal(by_expansion(graph, 2, lambda *_: None).range(0, graph.size), expected)


def test_nodes_out_of_reach_stay_so() -> None:
    product = ProductForm(
        row_move=np.array([[0, 1]], np.int32),
        kind=np.ones((1, 2), np.int32),
        column_map=np.array([[0, 1, 2, 3], [1, 0, 2, 3]], np.uint32),
    )
    graph = Graph(size=8, expand=product.expand, zeros=np.array([0]), product=lambda: product)
    for engine in (by_rows, by_expansion):
        assert engine(graph, 2, lambda *_: None).range(0, 8).tolist() == [0, 1, -1, -1, -1, -1, -1, -1]


def test_widening_keeps_what_is_known() -> None:
    distances = np.array([0, 254, 255], np.uint8)
    assert widened(distances, 254) is distances
    assert widened(distances, 255).tolist() == [0, 254, 65535]
