"""builder/breadth_first/: the three engines against each other and against a plain search."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import breadth_first
from puzzlebase.builder.breadth_first import find_layers, layout_of, rows
from puzzlebase.builder.journal import Journal
from puzzlebase.puzzles import Distances, Graph, Indices, ProductForm, find
from tests.fixtures import enumerated
from tests.matrix import one_in


def by_stored_expansion(graph: Graph, threads: int = 2) -> Distances:
    """Search the same graph without its product form."""
    graph = replace(graph, product=None)
    assert breadth_first.engine_of(graph) is breadth_first.BY_STORED_EXPANSION
    return enumerated(graph, threads)


def by_expansion(graph: Graph, threads: int = 2) -> Distances:
    """Search the same graph where edges may not be written down."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(breadth_first, "STORED_EXPANSION_LIMIT", 0)
        return enumerated(replace(graph, product=None), threads)


def scanned(graph: Graph, threads: int = 2) -> Distances:
    """Search by rows; the last layers are found from the vertices that are left,
    as in large graphs.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "_SCANNED_FROM", 0)
        return enumerated(graph, threads)


ENGINES = (enumerated, scanned, by_stored_expansion, by_expansion)


def plain(graph: Graph) -> list[int]:
    """Distances to the goal states over reversed edges, with lists."""
    sources: dict[int, list[int]] = {}
    for vertex, successors in enumerate(graph.expand(np.arange(graph.size)).tolist()):
        for successor in successors:
            sources.setdefault(successor, []).append(vertex)
    distances = [-1] * graph.size
    layer = graph.goal_states.tolist()
    distance = 0
    while layer:
        for vertex in layer:
            distances[vertex] = distance
        distance += 1
        layer = sorted(
            {
                source
                for vertex in layer
                for source in sources.get(vertex, [])
                if distances[source] < 0
            }
        )
    return distances


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(3, ["novice", "novice-sixths", "challenger"]))
def test_engines_agree_whatever_the_threads(name: str) -> None:
    space = find(name).space(find(name).goal())
    first = enumerated(space, 1)
    assert first.min() == 0
    for engine, threads in product(ENGINES, (1, 2, 5)):
        assert np.array_equal(engine(space, threads), first)


def a_line(size: int) -> Graph:
    """A row of vertices, each with edges to its neighbours: as many layers as vertices."""

    def expand(indices: Indices) -> Indices:
        successors = np.stack([indices - 1, indices + 1], axis=1)
        successors[(successors < 0) | (successors >= size)] = -1
        return successors

    return Graph(size=size, expand=expand, goal_states=np.array([0]))


def a_product_line(rows: int, width: int) -> Graph:
    """The same in product form: edges lead to the next row,
    and in the last row to the next column.
    """
    row = np.arange(rows, dtype=np.int32)
    column = np.arange(width, dtype=np.uint32)
    up = (row - 1).astype(np.int32)
    down = np.where(row < rows - 1, row + 1, -1).astype(np.int32)
    along = np.where(row == rows - 1, row, -1).astype(np.int32)
    form = ProductForm(
        row_move=np.stack([up, down, along, along]),
        kind=np.stack([0 * row, 0 * row, 0 * row + 1, 0 * row + 2]),
        column_map=np.stack([column, np.roll(column, 1), np.roll(column, -1)]),
    )
    return Graph(
        size=rows * width, expand=form.expand, goal_states=np.array([3]), product=lambda: form
    )


def test_many_layers_need_more_than_a_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (254, 255, 256, 257, 1000, 65_534, 65_535, 65_536, 65_537, 200_000):
        assert enumerated(a_line(size)).tolist() == list(range(size))
    monkeypatch.setattr(breadth_first, "STORED_EXPANSION_LIMIT", 0)
    for size in (254, 255, 256, 257, 1000):
        assert enumerated(a_line(size)).tolist() == list(range(size))


@pytest.mark.parametrize(("rows", "width"), [(300, 65), (3, 64), (2, 130), (700, 1)])
def test_rows_of_any_width(rows: int, width: int) -> None:
    graph = a_product_line(rows, max(width, 4))
    expected = np.array(plain(graph))
    for engine in ENGINES:
        assert np.array_equal(engine(graph), expected)


def test_vertices_out_of_reach_stay_so() -> None:
    form = ProductForm(
        row_move=np.array([[0, 1]], np.int32),
        kind=np.ones((1, 2), np.int32),
        column_map=np.array([[0, 1, 2, 3], [1, 0, 2, 3]], np.uint32),
    )
    graph = Graph(size=8, expand=form.expand, goal_states=np.array([0]), product=lambda: form)
    for engine in ENGINES:
        assert engine(graph).tolist() == [0, 1, -1, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("by_rows", [True, False])
@pytest.mark.parametrize("layers", [1, 2, 5, 13])
def test_a_search_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, layers: int, by_rows: bool
) -> None:
    space = find("novice").space(find("novice").goal())
    graph = space if by_rows else replace(space, product=None)
    expected = enumerated(space)
    monkeypatch.setattr(breadth_first, "STORED_EXPANSION_LIMIT", 0)

    class Enough(Exception):
        pass

    def stop(distance: int, _vertices: int, _found: int) -> None:
        if distance + 1 == layers:
            raise Enough

    with Journal(tmp_path / "x", {}, layout_of(graph)) as journal, pytest.raises(Enough):
        find_layers(graph, journal, 2, stop)
    heard: list[int] = []
    with Journal(tmp_path / "x", {}, layout_of(graph)) as journal:
        assert len(journal.layers) == layers
        find_layers(graph, journal, 2, lambda distance, *_: heard.append(distance))
        found = np.concatenate([journal.distances(piece) for piece in range(len(journal.pieces))])
    assert heard == list(range(layers, 14))
    assert np.array_equal(found, expected)
