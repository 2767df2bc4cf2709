"""The lengths of the pieces of every level, each from those of the level below.

puzzles/families/panex/README.md has the method under "From a level to the next".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    ZERO,
    Diagrams,
    Function,
    Functions,
    Ints,
    SmallInts,
    function_arrays,
    shortest_diagram_paths,
)
from puzzlebase.puzzles.families.panex.lengths import SHAPES
from research.panex_theorem.graph import Graph


class LevelStep(NamedTuple):
    """The lengths of the pieces of a level by type,
    of the paths from each start to every place, of the longer pieces.

    Paths and longer pieces have one bit more than the pieces.
    """

    pieces: Functions
    paths: list[Functions]
    longer: Functions


def steps_of_levels(graph: Graph, diagrams: Diagrams) -> Iterator[LevelStep]:
    """The step from level 2, 3, ... to the next."""
    source, by, target = np.array(graph["edges"], np.int32).T.copy()
    places = SHAPES + len(graph["places"])
    begin = np.searchsorted(source, np.arange(places + 1)).astype(np.int32)
    ends = np.array(graph["ends"], np.int32)
    starts = np.array(graph["types"])[:, 0]
    pieces = function_arrays(_two_bits(each, diagrams) for each in graph["lengths"])
    for level in count(2):
        lengths = pieces[0][by], pieces[1][by]
        paths = [
            paths_from(start, level, begin, target, lengths, ends, diagrams)
            for start in range(SHAPES)
        ]
        joined = []
        for start, (same, exchanged) in zip(starts.tolist(), ends.tolist(), strict=True):
            node, offset = paths[start]
            joined.append(
                diagrams.join((node[same], offset[same]), (node[exchanged], offset[exchanged]))
            )
        assert not diagrams.full
        longer = function_arrays(joined)
        yield LevelStep(pieces, paths, longer)
        pieces = longer


def _two_bits(values: list[int | None], diagrams: Diagrams) -> Function:
    """The function of two bits with these values, None for a missing one."""
    one, two, three, four = [(EMPTY, 0) if value is None else (ZERO, value) for value in values]
    return diagrams.join(diagrams.join(one, two), diagrams.join(three, four))


def paths_from(
    start: int,
    k: int,
    begin: SmallInts,
    target: SmallInts,
    steps: Functions,
    stop: SmallInts,
    diagrams: Diagrams,
) -> Functions:
    """The lengths of the shortest paths from a place to every place, as functions of k bits.

    `begin`, `target` and `steps`, their lengths,
    are as in `shortest_paths`; no path goes on from the places `stop`.
    """
    places = len(begin) - 1
    node: Ints = np.full(places, EMPTY, np.int64)
    offset = np.zeros(places, np.int64)
    node[start], offset[start] = diagrams.extended((ZERO, 0), 0, k, 0)
    stopping = np.zeros(places, np.bool_)
    stopping[stop] = True
    shortest_diagram_paths(begin, target, *steps, stopping, node, offset, diagrams)
    return node, offset
