"""Panguru's table agrees with a search from both ends by the rules alone,
and with the puzzle's own search.

The search from both ends is this module's: places by their coordinates, states packed four bits a
place, layers as sorted arrays.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import GraphSearch
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.answers.whole_tables import antipodes
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable

Packed = npt.NDArray[np.uint64]

PLACES = [(row, along) for row in range(5) for along in range(row + 1)]
CENTRE = {(0, 0), (2, 1), (4, 2)}
_STATES = 8
_NEAR, _FAR = 9, 8
_SEARCHED = 2_000
_CLIMBED = 50


def in_line(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """True if two places share a row, a diagonal or the centre line."""
    return a[0] == b[0] or a[1] == b[1] or a[0] - a[1] == b[0] - b[1] or {a, b} <= CENTRE


PAIRS = [
    (hole, place)
    for hole, place in permutations(range(15), 2)
    if in_line(PLACES[hole], PLACES[place])
]


def packed(state: str) -> Packed:
    """Colours numbered from 1 in the order of their letters, the hole 0."""
    letters = sorted(set(state) - {"-"})
    codes = [letters.index(letter) + 1 if letter != "-" else 0 for letter in state]
    return np.array([sum(code << 4 * place for place, code in enumerate(codes))], np.uint64)


def neighbours(states: Packed) -> Packed:
    """All states a move away, each once."""
    found = []
    for hole, place in PAIRS:
        here = states[(states >> np.uint64(4 * hole)) & np.uint64(15) == 0]
        pebble = (here >> np.uint64(4 * place)) & np.uint64(15)
        found.append(here ^ (pebble << np.uint64(4 * place)) ^ (pebble << np.uint64(4 * hole)))
    return np.unique(np.concatenate(found))


def next_layer(found: list[Packed]) -> Packed:
    """The states a move behind the last layer that are not in the last two."""
    new = neighbours(found[-1])
    for former in found[-2:]:
        new = new[former[np.minimum(np.searchsorted(former, new), len(former) - 1)] != new]
    return new


def layers(start: Packed, radius: int) -> list[Packed]:
    """The states at distance 0 .. radius, each layer sorted."""
    found = [start]
    while len(found) <= radius:
        found.append(next_layer(found))
    return found


def distance(near: list[Packed], state: Packed, radius: int) -> int | None:
    """The distance of a state from the start of `near`;
    None if `radius` moves reach no end of `near`.
    """
    for nearest, layer in enumerate(near):
        if np.isin(state, layer).any():
            return nearest
    found = [state]
    for steps in range(1, radius + 1):
        found.append(next_layer(found))
        if len(np.intersect1d(found[-1], near[-1], assume_unique=True)):
            return len(near) - 1 + steps
    return None


def climbed(panguru: OpenTable, index: int) -> int:
    """From a state to the farthest neighbour, as long as one is farther."""
    while True:
        around = np.append(panguru.space.expand(np.array([index])), index)
        around = around[around >= 0]
        distances = panguru.distances(around)
        if distances.max() == distances[-1]:
            return index
        index = int(around[distances.argmax()])


def agree(panguru: OpenTable, index: int) -> int:
    """The distance of a state; the table and the puzzle's own search give the same,
    and the same optimal moves.
    """
    space = panguru.space
    search = panguru.puzzle.engine(GraphSearch)
    assert search
    assert search.shortest
    found = search.shortest(space, index, lambda _visited, _bound: True)
    around = np.append(space.expand(np.array([index])), index)
    around = around[around >= 0]
    distances = panguru.distances(around)
    distance = int(distances[-1])
    assert found.distance == distance
    assert distance == 0 or np.array_equal(
        found.levels[-2], np.sort(around[distances == distance - 1])
    )
    return distance


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    assert len(PAIRS) == 2 * 63
    panguru = tables.table("panguru")
    near = layers(packed(panguru.goal.states[0]), _NEAR)
    assert [len(layer) for layer in near] == list(panguru.table.info.layers[: _NEAR + 1])
    drawn = np.random.default_rng(25).integers(0, panguru.space.size, _STATES).tolist()
    agreed = 0
    for index in drawn:
        state = panguru.puzzle.text(index, panguru.goal)
        told, found = lookup(panguru, state)["distance"], distance(near, packed(state), _FAR)
        assert found == told or (found is None and told is not None and told > _NEAR + _FAR)
        agreed += found is not None
    some = np.random.default_rng(26).integers(0, panguru.space.size, _SEARCHED).tolist()
    farthest = [
        panguru.puzzle.index(state, panguru.goal) for state in antipodes(panguru, 0, 100)["states"]
    ]
    far = [climbed(panguru, index) for index in some[:_CLIMBED]]
    greatest = max([agree(panguru, index) for index in some + far])
    assert {agree(panguru, index) for index in farthest} == {panguru.table.info.gods_number}
    return [
        f"layers 0 to {_NEAR} are those of a search by the rules alone",
        (
            f"{agreed} of {_STATES} random states lie within {_NEAR + _FAR} and agree with a "
            "search from both ends"
        ),
        (
            f"{len(some)} random states, {len(far)} climbed to, at most {greatest} moves away, and "
            "all antipodes agree"
        ),
        "  with the puzzle's own search, and so do their optimal moves",
    ]
