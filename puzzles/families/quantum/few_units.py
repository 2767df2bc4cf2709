"""Paths for boards of few units, where not every place can have room: a beam search, unit by unit.

Each step finds all boards one move away, and keeps the boards nearest home. Paths are short, but
not proven shortest.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph

_SEED = 9
_WIDTH = 32  # boards
_MORE = 100  # moves beyond twice the distance of all units, before a search gives up


def search_few_units(graph: PositionGraph, units: Ints) -> Ints | None:
    """Search for a path: int64[moves, 4] of tile, from,
    to, 1; None if none was found that is short enough.

    A board's hash is the sum of random codes of its units.
    """
    home = graph.home
    moves = np.array(
        [(tile, *edge) for edge in graph.edges for tile in range(graph.size) if tile != home]
    )
    tile, source, target = moves.T
    codes = np.random.default_rng(_SEED).integers(1, 1 << 63, units.shape, np.uint64)
    code = codes[target, tile] - codes[source, tile] + codes[source, home] - codes[target, home]
    farther = graph.distances[target, tile] - graph.distances[source, tile]
    boards, hashes, left = (
        units[None],
        np.zeros(1, np.uint64),
        np.array([graph.distance_home(units)]),
    )
    seen, steps = hashes, list[tuple[Ints, Ints]]()
    depth = 2 * int(left[0]) + _MORE
    while left[0] and len(steps) < depth:
        parent, move = np.nonzero((boards[:, source, tile] > 0) & (boards[:, target, home] > 0))
        found, first = np.unique(hashes[parent] + code[move], return_index=True)
        new = seen[np.searchsorted(seen, found) % len(seen)] != found
        parent, move, found = parent[first[new]], move[first[new]], found[new]
        distances = left[parent] + farther[move]
        chosen = np.lexsort((found, distances))[:_WIDTH]
        if not len(chosen):
            return None
        parent, move, hashes, left = parent[chosen], move[chosen], found[chosen], distances[chosen]
        boards = boards[parent]
        every = np.arange(len(boards))
        for place, moved, change in (
            (source, tile[move], -1),
            (target, tile[move], 1),
            (source, home, 1),
            (target, home, -1),
        ):
            boards[every, place[move], moved] += change
        steps.append((parent, move))
        sorted_hashes = np.sort(hashes)
        seen = np.insert(seen, np.searchsorted(seen, sorted_hashes), sorted_hashes)
    if left[0]:
        return None
    path, at = [], 0
    for parent, move in reversed(steps):
        path.append((*moves[move[at]], 1))
        at = parent[at]
    return np.array(path[::-1], np.int64).reshape(-1, 4)
