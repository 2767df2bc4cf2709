"""Bounds of God's number by a subgroup: reach a set of states first, then solve a state of it.

The set has the states whose corners, and edges of some colours, are at home, with any orientations.
Where these pieces are is a state's coset. The distance of every coset to the set is found. Then all
sequences of 0, 1, 2, ... turns that end in the set are made, until they have met every state of it.
God's number is at most the sum of the two largest distances, and at least that of the farthest
state in the set.

Sequences are made of two halves. The second ones are listed by the coset that they take to the set.

Glossary
    row         the places of the chosen edges.
    coset       row * corners + corner.
    half        the turns of a second half as digits in base 5, the first turn lowest. The wheels
                take turns.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Indices, kernel
from puzzlebase.puzzles.families.wheels.board import UNCOLOURED, rules_of
from puzzlebase.puzzles.families.wheels.index import WheelIndex

Table = npt.NDArray[np.integer]

_MOVES, _OF_WHEEL = 10, 5
_UNMET = 255
_LONGEST_HALF = 11


class Parts(NamedTuple):
    """The parts of a state as integers, each by its values after each move: [values, moves]."""

    rows: Table
    corners: Table
    edges: Table  # those that are not chosen
    orientations: Table


def parts_of(
    name: str, chosen: str, orientations: Table
) -> tuple[Parts, tuple[int, int, int, int], int]:
    """The parts of wheels with some colours of edges chosen,
    those of the solved state, and the states of the set.
    """
    index = WheelIndex(rules_of(name))
    moves = [index.row_map(turn) for turn in index.rules.turns.values()]
    solved, corner = divmod(
        int(index.rank(np.frombuffer(index.rules.solved.encode(), np.uint8)[None])[0]),
        index.corners.size,
    )

    def placed(letters: str) -> tuple[Table, int]:
        codes = np.flatnonzero(np.isin(index.letters, [ord(letter) for letter in letters]))
        shown = np.where(np.isin(index.edges, codes), index.edges, _UNMET)
        _, first, number = np.unique(shown, axis=0, return_index=True, return_inverse=True)
        number = number.reshape(-1)
        return np.stack([number[move.row[first]] for move in moves], axis=1), int(number[solved])

    others = {*index.rules.solved[::2]} - {*chosen, UNCOLOURED}
    (rows, row), (edges, edge) = placed(chosen), placed("".join(others))
    corners = index.maps.columns([int(move.kind[0]) for move in moves]).T
    states = index.rows.size * len(orientations) // len(rows)
    tables = (
        np.ascontiguousarray(each, np.min_scalar_type(len(each)))
        for each in (rows, corners, edges, orientations)
    )
    return Parts(*tables), (row, corner, edge, 0), states


class Distances(NamedTuple):
    """The numbers of cosets and of states of the set by distance,
    and the distances of the latter.
    """

    cosets: list[int]
    states: list[int]
    of_states: npt.NDArray[np.uint8]  # [edges, orientations]; _UNMET where there is no such state


def distances(
    parts: Parts, solved: tuple[int, int, int, int], states: int, threads: int
) -> Distances:
    """Find all distances to the set, and in it, which has so many states."""
    row, corner, *inside = solved
    cosets = np.full((len(parts.rows), len(parts.corners)), _UNMET, np.uint8)
    cosets[row, corner] = 0
    layers = [1]
    while found := _next_cosets(parts.rows, parts.corners, len(layers) - 1, cosets):
        layers.append(int(found))
    met = np.full((len(parts.edges), len(parts.orientations)), _UNMET, np.uint8)
    met[tuple(inside)] = 0
    longest, halves = 0, _halves(0, parts, row, corner)
    with ThreadPoolExecutor(threads) as pool:
        for turns in count(1):
            if np.count_nonzero(met != _UNMET) == states:
                return Distances(layers, np.bincount(met[met != _UNMET]).tolist(), met)
            if (second := min(turns // 2, _LONGEST_HALF)) > longest:
                longest, halves = second, _halves(second, parts, row, corner)
            [*pool.map(partial(_meet, turns, second, *parts, solved, *halves, met), range(_MOVES))]
    raise AssertionError("the loop has no end")


def _halves(length: int, parts: Parts, row: int, corner: int) -> tuple[Indices, Table]:
    """The halves of a length by the wheel that begins and by coset,
    [2, n], and where those of each coset begin.
    """
    starts, halves = [], []
    for wheel in range(2):
        to_row, to_corner = np.array([row]), np.array([corner])
        for turn in reversed(range(length)):  # back from the set
            back = (wheel + turn) % 2 * _OF_WHEEL + np.arange(_OF_WHEEL)[::-1]
            to_row = parts.rows[to_row[:, None], back].reshape(-1)
            to_corner = parts.corners[to_corner[:, None], back].reshape(-1)
        coset = to_row.astype(np.int32) * len(parts.corners) + to_corner
        halves.append(np.argsort(coset, kind="stable").astype(np.int32))
        counts = np.bincount(coset, minlength=len(parts.rows) * len(parts.corners))
        starts.append(np.append(0, np.cumsum(counts)).astype(np.int32))
    return np.array(starts), np.array(halves)


@kernel
def _next_cosets(rows, corners, distance, cosets):  # type: ignore[no-untyped-def]
    """Find the cosets behind those at a distance; returns how many."""
    found = 0
    for row in range(cosets.shape[0]):
        for corner in range(cosets.shape[1]):
            if cosets[row, corner] == distance:
                for move in range(_MOVES):
                    to, at = rows[row, move], corners[corner, move]
                    if cosets[to, at] == _UNMET:
                        cosets[to, at] = distance + 1
                        found += 1
    return found


@kernel
def _meet(turns, second, rows, corners, edges, orientations, solved, starts, halves, met, first):  # type: ignore[no-untyped-def]
    """Make all sequences of so many turns that begin with the first one and end in the set,
    and note its new states.
    """
    most = turns - second
    path = np.zeros((most + 1, 4), np.int64)
    tried = np.zeros(most + 1, np.int64)
    path[0, 0], path[0, 1], path[0, 2], path[0, 3] = solved
    tried[0] = first % _OF_WHEEL
    depth = 0
    while depth >= 0:
        if tried[depth] == _OF_WHEEL:
            depth -= 1
            continue
        move = (first // _OF_WHEEL + depth) % 2 * _OF_WHEEL + tried[depth]
        tried[depth] = tried[depth] + 1 if depth else _OF_WHEEL
        row = np.int64(rows[path[depth, 0], move])
        corner = np.int64(corners[path[depth, 1], move])
        edge = np.int64(edges[path[depth, 2], move])
        orientation = np.int64(orientations[path[depth, 3], move])
        if depth < most - 1:
            depth += 1
            path[depth, 0], path[depth, 1], path[depth, 2], path[depth, 3] = (
                row,
                corner,
                edge,
                orientation,
            )
            tried[depth] = 0
            continue
        wheel = (first // _OF_WHEEL + most) % 2
        coset = row * corners.shape[0] + corner
        for at in range(starts[wheel, coset], starts[wheel, coset + 1]):
            half, to, turned = halves[wheel, at], edge, orientation
            for turn in range(second):
                move = (wheel + turn) % 2 * _OF_WHEEL + half % _OF_WHEEL
                half //= _OF_WHEEL
                to, turned = np.int64(edges[to, move]), np.int64(orientations[turned, move])
            if met[to, turned] == _UNMET:
                met[to, turned] = turns
