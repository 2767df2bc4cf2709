"""The ranks of the color wheels as data: rows and columns by an automaton, vertices of orbits by turning the board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.families.wheels.board import HALF_TURN, PLACES, rules_of, turn_of
from puzzlebase.puzzles.families.wheels.index import WheelIndex
from puzzlebase.puzzles.machinery.automaton import Automaton


class PublishedRanking(NamedTuple):
    """The ranks of states or of orbits' vertices as data, for other programs."""

    automaton: Automaton  # of the letters' codes at `places`; the first `alike` codes count as 1 if they are coloured
    places: tuple[int, ...]
    alike: int
    named: tuple[int, ...]  # places whose colours get the codes 1, 2, ...; none if each letter has its own code
    width: int  # columns of a row
    turns: tuple[tuple[tuple[int, ...], ...], ...]  # by wheel and sixths back, as `turn_of`; none without orbits
    representatives: tuple[npt.NDArray[np.int64], ...]  # the rows that have vertices, by wheel
    half_turn: tuple[tuple[int, ...], tuple[int, ...]] | None  # its source, and the new code of each code


def published_ranking(name: str) -> PublishedRanking:
    """The ranking of a puzzle: an orbit's vertex is the least of the rows that it turns to, with its column."""
    rules = rules_of(name)
    index = WheelIndex(rules)
    edges, corners = range(0, PLACES, 2), range(1, PLACES, 2)
    orbits = None if rules.sixths else index.orbit_rows
    rows = orbits.representatives if orbits else {}
    swap = None
    if orbits and len(rows) == 1:
        swap = (HALF_TURN, index.half_turn_codes() or tuple(range(len(index.letters))))
    return PublishedRanking(
        index.automaton,
        (*edges, *corners),
        len(edges) if rules.interchangeable else 0,
        (*edges,) if rules.interchangeable else (),
        index.corners.size,
        tuple(tuple(turn_of(wheel, -sixths % 6) for sixths in range(6)) for wheel in rows),
        tuple(rows.values()),
        swap,
    )
