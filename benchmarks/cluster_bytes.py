"""The cost of a build on a cluster, before it is run: the bytes that parts exchange.

By rows a part sends each of its vertices in another part's margin once. By expansion it sends the end of each edge that
leads to another part, each vertex once a layer. docs/cluster.md compares this with measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.messages import BITS_OF_A_GAP
from puzzlebase.tools.cluster.plan import Division

_SAMPLE = 1 << 18  # vertices by which the edges between parts are estimated


class Flow(NamedTuple):
    """Messages from one part to another: so many vertices for each vertex of a layer, in a range of so many bits.

    `times` are the edges that lead from a vertex of the receiver to vertices of the sender, on average: as often
    the vertex is met, and it is told of once. `part` is the receiver's share of all vertices.
    """

    share: float
    bits: int
    times: float = 1.0
    part: float = 1.0


def flows(graph: Graph, division: Division, seed: int = 0) -> list[Flow]:
    """The flows between all parts; only those of something."""
    return _by_rows(graph, division) if graph.product else _by_expansion(graph, division, seed)


def _by_rows(graph: Graph, division: Division) -> list[Flow]:
    assert graph.product
    product, words = graph.product(), division.layout.words
    found = []
    for part in range(division.parts):
        margin = division.margin(product, part)
        for each in range(division.parts):
            first, last = division.rows(each)
            rows = int(np.count_nonzero((margin >= first) & (margin < last)))
            found.append(Flow(rows / product.rows, rows * words * 64))
    return [flow for flow in found if flow.share]


def _by_expansion(graph: Graph, division: Division, seed: int) -> list[Flow]:
    """By a sample of vertices and their edges."""
    vertices = np.random.default_rng(seed).integers(0, graph.size, min(_SAMPLE, graph.size))
    counts = np.zeros((division.parts, division.parts))
    for some in np.array_split(vertices, -(-len(vertices) // (1 << 14))):
        successors = np.sort(graph.expand(some), axis=1)
        successors[:, 1:][successors[:, 1:] == successors[:, :-1]] = -1  # several edges may lead to one vertex
        owners = np.broadcast_to(division.parts_of(some)[:, None], successors.shape)
        there = successors >= 0
        np.add.at(counts, (owners[there], division.parts_of(successors[there])), 1)
    np.fill_diagonal(counts, 0)
    sizes = np.diff(division.ends)
    part = (sizes / graph.size).tolist()
    return [
        Flow(count / len(vertices), int(sizes[to]), count / len(vertices) / part[to], part[to])
        for row in counts
        for to, count in enumerate(row.tolist())
        if count
    ]


def bytes_exchanged(some: Sequence[Flow], layers: Sequence[int]) -> float:
    """Bytes of all messages of a build whose layers have so many vertices: a byte for each gap, or bits.

    A gap takes two bytes where none of the next 128 vertices is told of. To count these made Panex's thin layers twice
    what they are: vertices of a layer lie together.
    """
    around = np.convolve(layers, [1, 1, 1])[1:-1].tolist()
    return sum(
        min(_distinct(vertices * flow.share, near * flow.part, flow.times), flow.bits / BITS_OF_A_GAP)
        for vertices, near in zip(layers, around, strict=True)
        for flow in some
    )


def _distinct(met: float, near: float, times: float) -> float:
    """The number of vertices told of, of those that are met so often: they lie in this layer and the two beside it."""
    if times <= 1 or not near:
        return met
    return near * float(1 - (1 - min(met / (near * times), 1.0)) ** times)
