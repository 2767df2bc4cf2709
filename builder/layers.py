"""Build and verify the layers around a goal, for puzzles without a whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from puzzlebase.builder.certificate import VerificationError, certify_vertices
from puzzlebase.builder.errors import BuildError
from puzzlebase.builder.job import Job
from puzzlebase.builder.preflight import Shortage
from puzzlebase.builder.progress import Phase
from puzzlebase.builder.unfinished import lock_unfinished, publish_unfinished
from puzzlebase.builder.verify import agree, verify_reversible
from puzzlebase.db.layers import LayersFile, LayersInfo, write_layers
from puzzlebase.machine import spare_memory
from puzzlebase.paths import layers_path
from puzzlebase.puzzles import UNREACHED, Distances, Graph, Indices, Space
from puzzlebase.puzzles.machinery.frontier import NO_VERTICES, next_layer
from puzzlebase.puzzles.machinery.reversible import EdgeSums, reversibility_sums
from puzzlebase.sorted_arrays import is_among

_CHUNK = 1 << 16
_BYTES_OF_A_VERTEX = 4 * 8  # of each that a layer leads to, while these are sorted


@dataclass(frozen=True)
class LayersJob(Job):
    """The layers 0 .. `depth` of a goal, to build or to verify.

    The file of a space with orbits holds layers of orbits: of wheels, every state at distance d > 0
    is in one at d - 1. The size of a layer is known only when it is found: only then a build
    refuses a layer that is too large for memory.
    """

    depth: int = 0

    @property
    def path(self) -> Path:
        """The file of the layers."""
        return layers_path(self.data, self.puzzle.table_name(self.goal))

    @cached_property
    def graph(self) -> Graph:
        """The graph whose layers are stored; raises BuildError if searches do not use them."""
        graph = None if self.puzzle.found else self.space.searched().graph
        if graph is None or graph.directed:
            raise BuildError(
                f"a search of {self.puzzle.name} goes on from the state alone, so layers "
                "do not help it",
                "build its table: leave out the depth",
            )
        return graph

    @property
    def _stored(self) -> str:
        """The word for the vertices."""
        return self.space.storage.of_searches.name

    def verify(self) -> str:
        """Check every stored layer and return the result in words; raises as Job.verify does."""
        self._check(self.path)
        return f"{self.path} is sound: every state in it has the distance it should"

    def _prepare(self) -> None:
        with self.report.phase("space", len(self.puzzle.moves), "moves prepared"):
            _ = self.graph

    def _make(self) -> None:
        with lock_unfinished(self.path), publish_unfinished(self.path) as unfinished:
            layers = self._found()
            names = self.puzzle.name, self.goal.key, self._stored
            info = LayersInfo(*names, self.graph.size, self.depth, tuple(map(len, layers)))
            write_layers(unfinished, info, layers)
            self._check(unfinished)

    def _found(self) -> list[Indices]:
        depth = _stored_depth(self.space, self.depth)
        layers: list[Indices] = []
        with self.report.phase("breadth-first search", depth + 1, "layers") as phase:
            before, layer = NO_VERTICES, self.graph.goal_states
            while len(layer):
                phase.advance(1)
                phase.say(f"  layer {len(layers):3}: {len(layer):15,} {self._stored}")
                layers.append(layer)
                if len(layers) > depth:
                    break
                allowance = _allowance(len(layers), sum(map(len, layers)))
                before, layer = layer, next_layer(self.graph, layer, before, allowance)
        return layers

    def _check(self, path: Path) -> None:
        """Read the layers back and prove the distances of their vertices,
        for moves that can be taken back.

        Layer 0 is the goal. The edges of a vertex lead to stored vertices, except in the last
        layer. No edge leads two layers nearer to the goal and, outside layer 0, at least one leads
        one layer nearer. Moves between stored vertices can be taken back.
        """
        graph, name = self.graph, self._stored
        file = LayersFile(path)
        info, layers = file.info, file.layers
        expected = (self.puzzle.name, self.goal.key, name, graph.size)
        agree(
            "puzzle, goal and size",
            expected,
            (info.puzzle, info.goal, info.stored, info.stored_size),
        )
        published = self.goal.published.layers if self.goal.published else ()
        if published and graph.size == self.space.size:
            agree("layers published", published[: len(layers)], info.layers)
        agree("goal", graph.goal_states.tolist(), layers[0].tolist())
        whole = len(layers) <= _stored_depth(self.space, info.depth)
        sums = np.zeros(2, np.uint64)
        with (
            verify_reversible(self, layers),
            self.report.phase("certificate", sum(map(len, layers)), name) as phase,
        ):
            for distance in range(len(layers)):
                last = distance == len(layers) - 1 and not whole
                sums += _check_layer(
                    name, graph, layers, distance, phase, beyond=distance + 1 if last else UNREACHED
                )
            if sums.any():
                raise VerificationError(
                    f"not every move between the {name} of the layers can be taken back"
                )
        vertices = np.concatenate(layers)
        agree("vertices in two layers", 0, len(vertices) - len(np.unique(vertices)))


def _stored_depth(space: Space, depth: int) -> int:
    """The last layer of the stored graph that is needed for states up to `depth`."""
    return max(depth - space.storage.offset, 0)


def _allowance(distance: int, vertices: int) -> Callable[[int, int], None]:
    """A function that gets the number of new vertices,
    and refuses a layer that does not fit beside `vertices`.
    """
    left = spare_memory() // _BYTES_OF_A_VERTEX - vertices

    def take(_expanded: int, found: int) -> None:
        nonlocal left
        left -= found
        if left < 0:
            remedy = f"free some, or store fewer layers: DEPTH={distance - 1}"
            raise Shortage(f"memory is too small for layer {distance}", remedy)

    return take


def _check_layer(
    name: str, graph: Graph, layers: Sequence[Indices], distance: int, phase: Phase, *, beyond: int
) -> EdgeSums:
    """Check the rule at all vertices of a layer and return the edges' sums;
    distant layers count as `beyond`.
    """
    near = range(max(distance - 1, 0), min(distance + 2, len(layers)))
    sums = np.zeros(2, np.uint64)

    def probe(vertices: Indices) -> Distances:
        distances = np.full(len(vertices), beyond, np.int32)
        for at in near:
            distances[is_among(vertices, layers[at])] = at
        return distances

    for first in range(0, len(layers[distance]), _CHUNK):
        vertices = layers[distance][first : first + _CHUNK]
        successors = graph.successors(vertices)
        certify_vertices(
            name, vertices, np.full(len(vertices), distance, np.int32), successors, probe
        )
        if beyond > distance:
            to = successors.to
            to[~is_among(to, layers[distance]) & ~is_among(to, layers[max(distance - 1, 0)])] = -1
        sums += reversibility_sums(vertices, successors)
        phase.advance(len(vertices))
    return sums
