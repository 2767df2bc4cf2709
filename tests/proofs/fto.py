"""The face-turning octahedron: published layers, and random positions searched from both ends.

Positions and moves are read here from the file examples/fto.tws, once more. A position is one number of 64 bits: four
for each edge, ten for the arrangement of the corners and six for their orientations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from puzzlebase.service.sources.sources import Sources
from tests.naive.definition import NaiveDefinition

Keys = npt.NDArray[np.uint64]
Positions = tuple[npt.NDArray[np.uint8], ...]
"""Edges, corners and the orientations of corners, by place: uint8[n, 12] and twice uint8[n, 6]."""

LAYERS = [1, 16, 208, 2688, 34752, 444736, 5630776, 70299419, 855239993, 9730941773]
LAYERS += [81185504181, 135924475165, 2148193926, 366]
"""Positions up to rotation at each distance: https://github.com/cubing/twips/issues/114."""
ROTATIONS = 12
FILE = Path(__file__).parents[2] / "examples" / "fto.tws"
_STATES, _TOGETHER = 10_000, 25
_FROM_GOAL, _FROM_STATE = 6, 4
_BITS = 32  # of a hash, by which most positions are told not to be in a layer
_MIX = np.uint64(0x9E3779B97F4A7C15)
_CHUNK = 1 << 18


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    table = tables.table("fto", "rotations")
    assert tuple(table.table.info.layers) == tuple(ROTATIONS * positions for positions in LAYERS)
    puzzle = _Octahedron()
    near = puzzle.layers(_FROM_GOAL)
    assert [len(layer) for layer in near] == [ROTATIONS * positions for positions in LAYERS[: _FROM_GOAL + 1]]
    drawn = np.random.default_rng(64).integers(0, table.space.size, _STATES)
    distances = table.distances(drawn)
    texts = [table.puzzle.text(index, table.goal) for index in drawn.tolist()]
    found = puzzle.distances(texts, near)
    reached = _FROM_GOAL + _FROM_STATE
    assert (found == np.minimum(distances, reached + 1)).all()
    return [
        f"the layers are twelve times the {len(LAYERS)} published ones",
        f"{(found <= reached).sum():,} of {_STATES:,} random positions are at most at {reached}, each as in the table",
    ]


class _Octahedron:
    """The moves of the file, and searches with them."""

    def __init__(self) -> None:
        naive = NaiveDefinition(FILE.read_text("utf-8"))
        moves = {name: lines for name, lines in naive.blocks.items() if name != "Solved"}
        self._rotations = [_move(lines) for name, lines in moves.items() if name.endswith("v")]
        self._moves = []
        for name, lines in moves.items():
            if not name.endswith("v"):
                once = _move(lines)
                self._moves.append((once, (once, once)))
        arrangements = np.array([*permutations(range(6))])
        self._codes = np.zeros(6**5, np.uint64)
        self._codes[arrangements[:, :5] @ 6 ** np.arange(5)] = np.arange(len(arrangements), dtype=np.uint64)
        self._arrangements = arrangements.astype(np.uint8)

    def layers(self, depth: int) -> list[Keys]:
        """The positions at each distance from the solved ones, sorted."""
        solved = np.arange(12, dtype=np.uint8), np.arange(6, dtype=np.uint8), np.zeros(6, np.uint8)
        goal = self.keys(tuple(part[None, :] for part in solved))
        while len(more := self._after(goal, [(each,) for each in self._rotations], goal)):
            goal = np.union1d(goal, more)
        found = [np.empty(0, np.uint64), goal]
        turns = [turn for once, twice in self._moves for turn in ((once,), twice)]
        while len(found) < depth + 2:
            found.append(self._after(found[-1], turns, np.union1d(*found[-2:])))
        return found[1:]

    def _after(self, keys: Keys, turns: Sequence[tuple[_Move, ...]], known: Keys) -> Keys:
        """The positions after turns that are not known."""
        found = []
        for chunk in np.array_split(keys, len(keys) // _CHUNK + 1):
            before = self.positions(chunk)
            after = np.unique(np.concatenate([self.keys(_turned(before, turn)) for turn in turns]))
            at = np.minimum(np.searchsorted(known, after), len(known) - 1)
            found.append(after[known[at] != after])
        return np.unique(np.concatenate(found))

    def distances(self, texts: list[str], near: list[Keys]) -> npt.NDArray[np.int64]:
        """The distances of states; one more than both searches reach for those that are farther."""
        last = near[-1]
        hashes = np.zeros(1 << _BITS, np.bool_)
        hashes[last * _MIX >> np.uint64(64 - _BITS)] = True
        found = np.full(len(texts), _FROM_GOAL + _FROM_STATE + 1)
        for first in range(0, len(texts), _TOGETHER):
            some = slice(first, first + _TOGETHER)
            positions = _read(texts[some])
            state = np.arange(first, first + len(positions[0]))
            start = self.keys(positions)
            for distance, layer in enumerate(near):
                found[state[np.isin(start, layer)]] = distance
            face = np.full(len(state), -1)
            for depth in range(1, _FROM_STATE + 1):
                positions, state, face = self._expanded(positions, state, face)
                keys = self.keys(positions)
                maybe = np.flatnonzero(hashes[keys * _MIX >> np.uint64(64 - _BITS)])
                at = np.minimum(np.searchsorted(last, keys[maybe]), len(last) - 1)
                met = state[maybe[last[at] == keys[maybe]]]
                found[met] = np.minimum(found[met], _FROM_GOAL + depth)
        return found

    def _expanded(
        self, positions: Positions, state: npt.NDArray[np.int64], face: npt.NDArray[np.int64]
    ) -> tuple[Positions, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """All positions after a turn of another face, each with its state and its face."""
        parts, states, faces = [], [], []
        for number, (once, twice) in enumerate(self._moves):
            others = face != number
            before = tuple(part[others] for part in positions)
            for turn in ((once,), twice):
                parts.append(_turned(before, turn))
                states.append(state[others])
                faces.append(np.full(int(others.sum()), number))
        edges, corners, turned = (np.concatenate(each) for each in zip(*parts, strict=True))
        return (edges, corners, turned), np.concatenate(states), np.concatenate(faces)

    def keys(self, positions: Positions) -> Keys:
        """Positions as numbers."""
        edges, corners, turned = (part.astype(np.uint64) for part in positions)
        packed = (edges << np.arange(16, 64, 4, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
        arranged = self._codes[(corners[:, :5] * 6 ** np.arange(5, dtype=np.uint64)).sum(axis=1)] << np.uint64(6)
        oriented = (turned << np.arange(6, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
        keys: Keys = packed | arranged | oriented
        return keys

    def positions(self, keys: Keys) -> Positions:
        """The positions of numbers."""
        edges = keys[:, None] >> np.arange(16, 64, 4, dtype=np.uint64) & np.uint64(15)
        corners = self._arrangements[keys >> np.uint64(6) & np.uint64(1023)]
        turned = keys[:, None] >> np.arange(6, dtype=np.uint64) & np.uint64(1)
        return edges.astype(np.uint8), corners, turned.astype(np.uint8)


_Move = tuple[list[int], list[int], npt.NDArray[np.uint8]]
"""The sources of edges and of corners, and what is added to the orientation of the corner in each place."""


def _move(lines: dict[str, list[list[str]]]) -> _Move:
    edges, corners, turned = [*lines["EDGES"], *lines["CORNERS"]]
    come = [int(word) - 1 for word in corners]
    added = np.array([int(turned[source]) for source in come], np.uint8)
    return [int(word) - 1 for word in edges], come, added


def _turned(positions: Positions, turn: tuple[_Move, ...]) -> Positions:
    for edges_from, corners_from, added in turn:
        edges, corners, turned = positions
        positions = edges[:, edges_from], corners[:, corners_from], turned[:, corners_from] ^ added
    return positions


def _read(texts: list[str]) -> Positions:
    """The positions of texts such as ABCDEFGHIJKL-A0B0C0D0E0F0."""
    letters = np.array([[*text.encode("ascii")] for text in texts], np.uint8)
    return letters[:, :12] - ord("A"), letters[:, 13::2] - ord("A"), letters[:, 14::2] - ord("0")
