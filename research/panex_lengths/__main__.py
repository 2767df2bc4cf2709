"""Find the lengths of the pieces of every level,
each from those of the level below, and write them beside the oracle.

`python -m research.panex_lengths`, at the top of the project.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.panex.board import MAX_SIZE
from puzzlebase.puzzles.families.panex.diagrams import EMPTY, ZERO, Ints, new_diagrams
from puzzlebase.puzzles.families.panex.lengths import DROP, FILE, Lengths
from research.panex_lengths.levels import steps_of_levels
from research.panex_theorem.graph import derive

_CAPACITY = 1 << 14
_MEMO = 1 << 16


def find_lengths(n: int) -> Lengths:
    """Find the lengths of all levels to n, 2 to 26, from the rules."""
    graph = derive()
    types = np.array(graph["types"], np.int32)
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    node, offset = np.zeros((2, n + 1, len(types)), np.int64)
    for k, step in zip(range(2, n + 1), steps_of_levels(graph, diagrams), strict=False):
        node[k], offset[k] = step.pieces
    nodes, node = only_used(diagrams.nodes[: diagrams.counts[0]], node)
    letters = [_letters(word) for word in graph["words"]]
    begins = np.cumsum([0, *map(len, letters)], dtype=np.int32)
    return Lengths(np.frombuffer(b"".join(letters), np.uint8), begins, types, node, offset, nodes)


def _letters(word: str) -> bytes:
    """The letters of a word, a byte each:
    3 x + c lifts tile x from track c, 12 + 3 x + c drops it there.
    """
    letters = map(tuple, word.split())
    return bytes(3 * int(tile) + int(track) + DROP * (sign == "v") for tile, sign, track in letters)


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
