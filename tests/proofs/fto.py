"""The face-turning octahedron: published layers, and random positions searched from both ends.

`python -m tests.proofs.fto` compares them with the table in data/, in some minutes and 4 GB.

Positions and moves are read here from the file examples/fto.tws, once more. A position is a row of
24 numbers: the edges, the corners and the orientations of corners, by place. Its key has four bits
for each edge, ten for the arrangement of the corners and six for their orientations.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.discovery import discover_definitions
from puzzlebase.service.sources.sources import Sources
from tests.naive.definition import NaiveDefinition

Keys = npt.NDArray[np.uint64]
Positions = npt.NDArray[np.uint8]

LAYERS = [1, 16, 208, 2688, 34752, 444736, 5630776, 70299419, 855239993, 9730941773]
LAYERS += [81185504181, 135924475165, 2148193926, 366]
"""Positions up to rotation at each distance: https://github.com/cubing/twips/issues/114."""
ROTATIONS = 12
FILE = Path(__file__).parents[2] / "examples" / "fto.tws"
_STATES = 10_000
_FROM_GOAL, _FROM_STATE = 6, 4
_CHUNK = 1 << 18
_HASH_BITS = 31
_MIX = np.uint64(0x9E3779B97F4A7C15)


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    table = tables.table("fto", "rotations")
    assert [*table.table.info.layers] == [ROTATIONS * positions for positions in LAYERS]
    naive = NaiveDefinition(FILE.read_text("utf-8"))
    near = _layers(naive)
    assert [len(layer) for layer in near] == [
        ROTATIONS * positions for positions in LAYERS[: len(near)]
    ]
    drawn = np.random.default_rng(64).integers(0, table.space.size, _STATES)
    distances = table.distances(drawn)
    positions = _read([table.puzzle.text(index, table.goal) for index in drawn.tolist()])
    found = _met(positions, near, Turns.of(naive, rotations=False))
    reached = _FROM_GOAL + _FROM_STATE
    assert (found == np.minimum(distances, reached + 1)).all()
    return [
        f"the layers are twelve times the {len(LAYERS)} published ones",
        (
            f"{(found <= reached).sum():,} of {_STATES:,} random positions are at most at "
            f"{reached}, each as in the table"
        ),
    ]


class Turns(NamedTuple):
    """Moves of positions: each number of the row comes from another place,
    and orientations are added to.
    """

    source: npt.NDArray[np.int64]  # [moves, 24]
    added: Positions  # [moves, 24]

    @classmethod
    def of(cls, naive: NaiveDefinition, *, rotations: bool) -> Self:
        """The rotations of the whole, or all turns of faces: those of one face are neighbours."""
        source, added = [], []
        for name, lines in naive.blocks.items():
            if name != "Solved" and name.endswith("v") == rotations:
                edges, corners, turned = [*lines["EDGES"], *lines["CORNERS"]]
                come = [int(word) - 1 for word in corners]
                once = np.array(
                    [int(word) - 1 for word in edges]
                    + [12 + at for at in come]
                    + [18 + at for at in come]
                )
                more = np.array([0] * 18 + [int(turned[at]) for at in come], np.uint8)
                source += [once, once[once]]
                added += [more, more[once] ^ more]
        return cls(np.array(source), np.array(added))

    def after(self, positions: Positions) -> Positions:
        """The positions after all moves, uint8[n, 24] -> uint8[n * moves, 24]."""
        return (positions[:, self.source] ^ self.added).reshape(-1, 24)


def _layers(naive: NaiveDefinition) -> list[Keys]:
    """The keys of the positions at each distance from the solved ones, sorted."""
    solved = np.array([[*range(12), *range(6), *[0] * 6]], np.uint8)
    goal, rotations = _keys(solved), Turns.of(naive, rotations=True)
    while len(more := _new(goal, rotations, goal)):
        goal = np.union1d(goal, more)
    found, turns = [np.empty(0, np.uint64), goal], Turns.of(naive, rotations=False)
    while len(found) < _FROM_GOAL + 2:
        found.append(_new(found[-1], turns, np.union1d(*found[-2:])))
    return found[1:]


def _new(keys: Keys, turns: Turns, known: Keys) -> Keys:
    """The positions after moves that are not known."""
    found = []
    for chunk in np.array_split(keys, len(keys) // _CHUNK + 1):
        after = np.unique(_keys(turns.after(_positions(chunk))))
        at = np.minimum(np.searchsorted(known, after), len(known) - 1)
        found.append(after[known[at] != after])
    return np.unique(np.concatenate(found))


_ARRANGEMENTS = np.array([*permutations(range(6))], np.uint8)
_BASE = 6 ** np.arange(5)
_CODES = np.zeros(6**5, np.uint64)
_CODES[_ARRANGEMENTS[:, :5] @ _BASE] = np.arange(len(_ARRANGEMENTS))
_EDGE_SHIFTS, _TURN_SHIFTS = np.arange(16, 64, 4, dtype=np.uint64), np.arange(6, dtype=np.uint64)


def _keys(positions: Positions) -> Keys:
    edges = (positions[:, :12].astype(np.uint64) << _EDGE_SHIFTS).sum(axis=1, dtype=np.uint64)
    turned = (positions[:, 18:].astype(np.uint64) << _TURN_SHIFTS).sum(axis=1, dtype=np.uint64)
    keys: Keys = edges | _CODES[positions[:, 12:17] @ _BASE] << np.uint64(6) | turned
    return keys


def _positions(keys: Keys) -> Positions:
    edges = keys[:, None] >> _EDGE_SHIFTS & np.uint64(15)
    corners = _ARRANGEMENTS[keys >> np.uint64(6) & np.uint64(1023)]
    turned = keys[:, None] >> _TURN_SHIFTS & np.uint64(1)
    return np.hstack([edges.astype(np.uint8), corners, turned.astype(np.uint8)])


def _read(texts: list[str]) -> Positions:
    """The positions of texts such as ABCDEFGHIJKL-A0B0C0D0E0F0."""
    letters = np.array([[*text.encode("ascii")] for text in texts], np.uint8)
    return np.hstack(
        [letters[:, :12] - ord("A"), letters[:, 13::2] - ord("A"), letters[:, 14::2] - ord("0")]
    )


def _met(positions: Positions, near: list[Keys], turns: Turns) -> npt.NDArray[np.int64]:
    """The distances of positions; one more than both searches reach for those that are farther."""
    hashes = np.zeros(1 << _HASH_BITS, np.bool_)
    hashes[near[-1] * _MIX >> np.uint64(64 - _HASH_BITS)] = True
    found = np.full(len(positions), _FROM_GOAL + _FROM_STATE + 1)
    _search(positions, *turns, _CODES, near[-1], hashes, found)
    for distance, layer in enumerate(near):
        found[np.isin(_keys(positions), layer)] = distance
    return found


@kernel
def _search(positions, source, added, codes, last, hashes, found):  # type: ignore[no-untyped-def]
    """Find for each position the fewest moves to the last layer of the goal's search,
    depth first.
    """
    rows = np.empty((_FROM_STATE + 1, 24), np.uint8)
    move = np.empty(_FROM_STATE + 1, np.int64)
    for i in range(positions.shape[0]):
        rows[0] = positions[i]
        move[:2] = -1
        depth = 1
        while depth:
            move[depth] += 1
            if depth > 1 and move[depth] // 2 == move[depth - 1] // 2:
                move[depth] += 2  # another face
            if move[depth] >= source.shape[0]:
                depth -= 1
                continue
            for place in range(24):
                rows[depth, place] = (
                    rows[depth - 1, source[move[depth], place]] ^ added[move[depth], place]
                )
            if _is_among(rows[depth], codes, last, hashes):
                found[i] = min(found[i], _FROM_GOAL + depth)
            if depth < _FROM_STATE:
                depth += 1
                move[depth] = -1


@kernel
def _is_among(row, codes, last, hashes):  # type: ignore[no-untyped-def]
    key, code, base = np.uint64(0), 0, 1
    for place in range(12):
        key |= np.uint64(row[place]) << np.uint64(16 + 4 * place)
    for place in range(5):
        code += base * row[12 + place]
        base *= 6
    key |= codes[code] << np.uint64(6)
    for place in range(6):
        key |= np.uint64(row[18 + place]) << np.uint64(place)
    if not hashes[key * _MIX >> np.uint64(64 - _HASH_BITS)]:
        return False
    at = np.searchsorted(last, key)
    return at < last.shape[0] and last[at] == key


if __name__ == "__main__":
    discover_definitions(FILE.parent)
    for line in check(Sources(Path("data"))):
        print(line)  # noqa: T201
