"""A puzzle and a goal -> the layers around the goal, where there is to be no whole table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from builder.certificate import check_nodes
from builder.preflight import BYTES_OF_A_LAYER, Estimate, Shortage, describe, estimate_layers, spare_memory
from builder.progress import Phase, Reporter
from builder.publishing import ANEW, failures, held, unpublished
from builder.verify import agree, stored_name
from db import LayersFile, LayersInfo, LayersWriter, layers_path
from puzzles import NO_NODES, UNREACHED, Distances, Goal, Graph, Indices, Puzzle, Space, among, next_layer

_CHUNK = 1 << 16


def build_layers(puzzle: Puzzle, goal: Goal, depth: int, data: Path, report: Reporter | None = None) -> Path:
    """Build, verify and publish the layers 0 .. `depth` of a goal, and return their file.

    Of a space with orbits it holds those of the orbits: every state at distance d > 0 is in one at
    d - 1. It is written beside its final name, and takes that only when all of it has been
    verified. What a layer holds is known when it is found: what all may need is said first, and a
    layer that memory is too small for is refused. Raises Shortage, VerificationError, BuildError.
    """
    report = report or Reporter()
    path = layers_path(data, puzzle.table_name(goal))
    with failures(path, report, ANEW):
        data.mkdir(parents=True, exist_ok=True)
        with report.phase("space", len(puzzle.moves), "moves"):
            space = puzzle.space(goal)
            graph = space.searched().graph
        report.say(describe(estimate_layers(space, graph, _stored_depth(space, depth), path)))
        with held(path), unpublished(path) as unfinished:
            with LayersWriter(unfinished) as writer:
                layers = _find(graph, _stored_depth(space, depth), writer, stored_name(space), report)
                writer.finish(LayersInfo(puzzle.name, goal.key, stored_name(space), graph.size, depth, layers))
            _verify(puzzle, goal, space, graph, unfinished, report)
    return path


def layers_needed(puzzle: Puzzle, goal: Goal, depth: int, data: Path) -> Estimate:
    """The most that these layers may need, and what there is."""
    space = puzzle.space(goal)
    path = layers_path(data, puzzle.table_name(goal))
    return estimate_layers(space, space.searched().graph, _stored_depth(space, depth), path)


def verify_layers(puzzle: Puzzle, goal: Goal, path: Path, report: Reporter) -> None:
    """Check a file of layers in full; raises VerificationError, or DamagedTable as reading does."""
    space = puzzle.space(goal)
    _verify(puzzle, goal, space, space.searched().graph, path, report)


def _stored_depth(space: Space, depth: int) -> int:
    """How far the stored graph's nodes are that states up to `depth` need."""
    return max(depth - 1, 0) if space.orbits else depth


def _find(graph: Graph, depth: int, writer: LayersWriter, stored: str, report: Reporter) -> tuple[int, ...]:
    """Write every layer up to `depth` and return the numbers of their nodes."""
    counts: list[int] = []
    with report.phase("breadth-first search", depth + 1, "layers") as phase:
        before, layer = NO_NODES, graph.goal_states
        while len(layer):
            writer.add(len(counts), layer)
            phase.advance(1)
            phase.say(f"  layer {len(counts):3}: {len(layer):15,} {stored}")
            counts.append(len(layer))
            if len(counts) > depth:
                break
            before, layer = layer, next_layer(graph, layer, before, _Room(len(counts), len(before) + len(layer)))
    return tuple(counts)


class _Room:
    """Refuses a layer that memory is too small for."""

    def __init__(self, distance: int, nodes: int) -> None:
        self.distance = distance
        self.left = spare_memory() // BYTES_OF_A_LAYER - nodes

    def __call__(self, _expanded: int, found: int) -> None:
        self.left -= found
        if self.left < 0:
            raise Shortage(
                f"memory is too small for layer {self.distance}",
                f"free some, or store fewer layers: DEPTH={self.distance - 1}",
            )


def _verify(puzzle: Puzzle, goal: Goal, space: Space, graph: Graph, path: Path, report: Reporter) -> None:
    """Read the layers back: the goal states are the goal, and every node has the distance it is stored with.

    A node's links lead to stored nodes, but for those of the last layer; none of them is two layers
    nearer, and of a node that is no zero one is nearer by one. The argument is that of a table's certificate.
    """
    with LayersFile(path) as file:
        info = file.info
        expected = (puzzle.name, goal.key, stored_name(space), graph.size)
        agree("puzzle, goal and size", expected, (info.puzzle, info.goal, info.stored, info.stored_size))
        layers = [file.layer(distance) for distance in range(len(info.layers))]
    published = goal.published.layers if goal.published else ()
    if published and not space.orbits:
        agree("layers published", published[: len(layers)], info.layers)
    agree("goal", graph.goal_states.tolist(), layers[0].tolist())
    whole = len(layers) <= _stored_depth(space, info.depth)
    with report.phase("certificate", sum(map(len, layers)), stored_name(space)) as phase:
        for distance in range(len(layers)):
            last = distance == len(layers) - 1 and not whole
            _check_layer(stored_name(space), graph, layers, distance, phase, beyond=distance + 1 if last else UNREACHED)
    nodes = np.concatenate(layers)
    agree("nodes in two layers", 0, len(nodes) - len(np.unique(nodes)))


def _check_layer(
    name: str, graph: Graph, layers: Sequence[Indices], distance: int, phase: Phase, *, beyond: int
) -> None:
    """Check the rule at all nodes of a layer; what is stored nowhere near counts as `beyond`."""
    near = range(max(distance - 1, 0), min(distance + 2, len(layers)))

    def probe(nodes: Indices) -> Distances:
        distances = np.full(len(nodes), beyond, np.int32)
        for at in near:
            distances[among(nodes, layers[at])] = at
        distances[nodes < 0] = UNREACHED
        return distances

    for first in range(0, len(layers[distance]), _CHUNK):
        nodes = layers[distance][first : first + _CHUNK]
        check_nodes(name, graph.expand, nodes, np.full(len(nodes), distance, np.int32), probe)
        phase.advance(len(nodes))
