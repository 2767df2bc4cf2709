"""Breadth-first search over a whole graph, layer by layer;
each finished layer is written to the journal.

Four engines find the same layers, and continue after those that the journal already has:

- `by_rows` needs the product form. It takes three bits a vertex, and a thread owns the rows it
  writes.
- `by_stored_expansion` first writes down all edges, if they fit into memory: many layers cost no
  more than few.
- `by_expansion` needs only `expand`. It takes a byte or more a vertex, and the last layer is a
  list.
- `backwards` is for edges that need not lead back, if no function gives predecessors.

The sorted lists of puzzles/machinery/frontier.py,
for few layers of any graph, take 64 bits a vertex of two layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from puzzlebase.builder.breadth_first.directed import backwards, bytes_backwards
from puzzlebase.builder.breadth_first.expansion import (
    by_expansion,
    by_stored_expansion,
    stored_expansion_bytes,
)
from puzzlebase.builder.breadth_first.rows import by_rows
from puzzlebase.builder.journal import BitLayout, Journal
from puzzlebase.puzzles import Graph

# gets each layer's distance, its vertices, and the vertices found so far
Report = Callable[[int, int, int], None]
STORED_EXPANSION_LIMIT = 1 << 29  # bytes up to which the edges of a graph are written down
_WIDTH = 1 << 16  # of a row of bits if the graph has no rows of its own


class Engine(NamedTuple):
    """A way to find layers."""

    # yields whenever it has written one layer or more
    find: Callable[[Graph, Journal, int], Iterator[None]]
    # the bytes that it takes, measured on the existing puzzles and rounded up
    memory: Callable[[Graph], float]


ToEngine = Callable[[Graph], Engine]
BACKWARDS = Engine(backwards, bytes_backwards)
# bit sets, 3/8 a vertex, and tables of rows
BY_ROWS = Engine(by_rows, lambda graph: 1.2 * graph.size)
BY_STORED_EXPANSION = Engine(
    by_stored_expansion, lambda graph: stored_expansion_bytes(graph) + 12 * graph.size
)
BY_EXPANSION = Engine(by_expansion, lambda graph: 3.0 * graph.size)  # distances, and lists


def layout_of(graph: Graph) -> BitLayout:
    """The places of the graph's vertices in bit sets."""
    return BitLayout(
        graph.size, graph.width or (graph.product().width if graph.product else _WIDTH)
    )


def engine_of(graph: Graph) -> Engine:
    """The engine that suits a graph."""
    if graph.backwards is None:
        return BACKWARDS
    if graph.product:
        return BY_ROWS
    fits = stored_expansion_bytes(graph) <= STORED_EXPANSION_LIMIT
    return BY_STORED_EXPANSION if fits else BY_EXPANSION


def find_layers(
    graph: Graph, journal: Journal, threads: int, report: Report, engine: ToEngine = engine_of
) -> None:
    """Journal every layer that is not there yet;
    the same layers whatever the engine and the number of threads.
    """
    if not journal.layers:
        for piece, (first, last) in enumerate(map(journal.layout.vertices, journal.pieces)):
            journal.add_vertices(
                piece, graph.goal_states[(graph.goal_states >= first) & (graph.goal_states < last)]
            )
        report(0, journal.end_layer(), len(graph.goal_states))
    if journal.complete:
        return
    found, reported = sum(journal.layers), len(journal.layers)
    for _ in engine(graph).find(graph, journal, threads):
        for distance in range(reported, len(journal.layers)):
            vertices = journal.layers[distance]
            found += vertices
            if vertices:
                report(distance, vertices, found)
        reported = len(journal.layers)
