"""research/panex_theorem/graph.py and README.md:
lemma 1 and pieces by the reference implementation, and lemma 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from research.panex_theorem.graph import derive
from tests.naive import panex as naive

Physical = frozenset[tuple[naive.Place, str]]

SHOWN = ("ab||AB", "|ab|AB", "|b|aAB", "ab|AB|", "aAb|B|")
"""The tiles of sizes 1 and 2 in each shape, as pieces start there."""

UNDER = ("c", "Cd", "D")
"""Larger tiles below them."""


def open_neighbours(state: str) -> list[str]:
    """The game of three lists: a tile with j above it needs a size of j, in the centre of j + 1."""
    found = []
    for source, target in permutations(range(3), 2):
        tracks = state.split("|")
        if tracks[source]:
            tracks[target] = tracks[source][0] + tracks[target]
            tracks[source] = tracks[source][1:]
            if all(
                naive.SIZES[tile] >= at + (target == 1) for at, tile in enumerate(tracks[target])
            ):
                found.append("|".join(tracks))
    return found


def distances_from(start: str) -> dict[str, int]:
    """Distances in moves of the game of three lists."""
    moves = {start: 0}
    queue = [start]
    for state in queue:
        for after in open_neighbours(state):
            if after not in moves:
                moves[after] = moves[state] + 1
                queue.append(after)
    return moves


def slides(lying: Physical) -> Iterator[Physical]:
    """Displace one tile to any place that it can slide to, not only as deep as it can."""
    there = dict(lying)
    for place, tile in lying:
        for after in naive.reached(place, there) - {place}:
            yield lying - {(place, tile)} | {(after, tile)}


@pytest.mark.parametrize("start", ["ab||AB", "A|bB|a", "a|AB|b"])
def test_lemma_1_settled_positions_suffice_and_none_that_blocks(start: str) -> None:
    """Distances of towers of two are the same in the game of tiles that may stop at any place."""
    moves = {frozenset(naive.places(start).items()): 0}
    queue = list(moves)
    for lying in queue:
        for after in slides(lying):
            if after not in moves:
                moves[after] = moves[lying] + 1
                queue.append(after)
    known = distances_from(start)
    assert len(known) > 100
    assert {state: moves[frozenset(naive.places(state).items())] for state in known} == known


def test_lemma_6_the_step_maps_the_types_of_a_level_onto_themselves() -> None:
    graph = derive()
    counts = len(graph["words"]), len(graph["types"]), len(graph["places"]), len(graph["edges"])
    assert counts == (48, 330, 1172, 11_185)


@pytest.mark.parametrize("shape", range(5))
def test_pieces_of_level_2_are_as_long_as_the_reference_implementation_says(shape: int) -> None:
    """Those that touch no larger tile, by a search that ends at every shape."""
    graph = derive()
    known = {
        (end, flips): moves
        for (start, end, word), by_flips in zip(graph["types"], graph["lengths"], strict=True)
        for flips, moves in enumerate(by_flips)
        if (start, word, moves is None) == (shape, 0, False)
    }
    start = "|".join(
        track + below for track, below in zip(SHOWN[shape].split("|"), UNDER, strict=True)
    )
    moves, queue = {start: 0}, [start]
    reached: dict[tuple[int, int], int] = {}
    for state in queue:
        for _, after in naive.neighbours(state):
            tracks = after.split("|")
            blocked = (1, 0) in naive.places(after)
            if after in moves or blocked or not all(map(str.endswith, tracks, UNDER)):
                continue
            moves[after] = moves[state] + 1
            small = [track.removesuffix(below) for track, below in zip(tracks, UNDER, strict=True)]
            shown = [each.lower() for each in SHOWN]
            if (look := "|".join(small).lower()) not in shown:
                queue.append(after)
                continue
            orders = ["".join(each) for each in (small, SHOWN[shape])]
            one, two = (
                [line.index(letter.upper()) < line.index(letter) for letter in "ab"]
                for line in orders
            )
            flips = (one[0] ^ two[0]) | (one[1] ^ two[1]) << 1
            reached.setdefault((shown.index(look), flips), moves[after])
    assert reached == known
