"""Find the lengths of the pieces of every level, each from those of the level below, and write them beside the oracle.

`python -m research.panex_lengths`, at the top of the project.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.panex.board import MAX_SIZE
from puzzlebase.puzzles.families.panex.diagrams import EMPTY, ZERO, Diagrams, Function, Ints, SmallInts, new_diagrams
from puzzlebase.puzzles.families.panex.lengths import BETWEEN, FILE, SHAPES, Bytes, Lengths, paths_from
from research.panex_lengths.levels import Levels, derive

TYPES = 330
"""The number of types at every level."""

_CAPACITY = 1 << 14
_MEMO = 1 << 16


def find_lengths(n: int) -> Lengths:
    """Find the lengths of all levels to n, 2 to 26, from the rules."""
    levels = derive()
    source, by, target = np.array(levels.steps, np.int32).T.copy()
    places = np.arange(len(levels.partials) + SHAPES + 1)
    begin = np.searchsorted(np.where(source < SHAPES, source, source + SHAPES), places).astype(np.int32)
    target += np.int32(SHAPES)
    ends = np.array(levels.ends, np.int32) + np.int32(SHAPES)
    types, (piece, moves) = np.array(levels.types, np.int32), _base_moves(levels)
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    node, offset = np.zeros((2, n + 1, TYPES), np.int64)
    node[2], offset[2] = np.transpose([base_length(each, diagrams) for each in piece])
    for k in range(3, n + 1):
        for start in range(SHAPES):
            steps = node[k - 1, by], offset[k - 1, by]
            path, length = paths_from(start, k - 1, begin, target, steps, ends, diagrams)
            for type_ in np.flatnonzero(types[:, 0] == start).tolist():
                same, exchanged = ends[type_].tolist()
                joined = diagrams.join((path[same], length[same]), (path[exchanged], length[exchanged]))
                node[k, type_], offset[k, type_] = joined
        assert not diagrams.full
    nodes, node = only_used(diagrams.nodes[: diagrams.counts[0]], node)
    letters = np.frombuffer(BETWEEN.join(levels.words), np.uint8)
    return Lengths(letters, types, begin, target, by, ends, piece, moves, node, offset, nodes)


def _base_moves(levels: Levels) -> tuple[SmallInts, Bytes]:
    """The moves of all pieces of level 2, one after another, and the first and last move of each type and flips."""
    piece, moves = np.zeros((TYPES, 4, 2), np.int32), b""
    for each in levels.base_pieces:
        number = levels.types.index((each.start, each.end, levels.words.index(each.word)))
        piece[number, each.flips] = len(moves), len(moves) + len(each.moves)
        moves += each.moves
    return piece, np.frombuffer(moves, np.uint8)


def base_length(piece: SmallInts, diagrams: Diagrams) -> Function:
    """The length of the pieces of level 2 of one type, as a function of two bits, from the ranges of their moves."""
    values = [(ZERO if moves else EMPTY, moves) for moves in np.diff(piece)[:, 0].tolist()]
    return diagrams.join(diagrams.join(values[0], values[1]), diagrams.join(values[2], values[3]))


def only_used(nodes: Ints, roots: Ints) -> tuple[Ints, Ints]:
    """The nodes below the roots, numbered anew in their order, and the new numbers of the roots."""
    used = np.zeros(len(nodes), np.bool_)
    used[[EMPTY, ZERO]] = True
    used[roots] = True
    for at in range(len(nodes) - 1, ZERO, -1):
        if used[at]:
            used[nodes[at, :2]] = True
    number = np.cumsum(used) - 1
    fewer = nodes[used]
    fewer[2:, :2] = number[fewer[2:, :2]]
    return fewer, number[roots]


def main() -> None:
    """Write the lengths of all levels."""
    np.savez_compressed(FILE, **find_lengths(MAX_SIZE)._asdict())
    print(f"{FILE.stat().st_size:,} bytes in {FILE.name}")


if __name__ == "__main__":
    main()
