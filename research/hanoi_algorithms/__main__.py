"""Play a recursive algorithm of the Magnetic Tower of Hanoi:
`python -m research.hanoi_algorithms NNN 3`.
"""

from __future__ import annotations

import sys
from functools import cache

from puzzlebase.puzzles.families.hanoi.formulas import ALGORITHMS, total_by_recurrence
from puzzlebase.puzzles.families.hanoi.rules import MIRRORED

_PRINTED = 20


@cache
def construct(variant: str, disks: int) -> tuple[str, ...]:
    """The moves of an algorithm by name."""
    if disks == 0:
        return ()
    if variant not in ALGORITHMS:
        turned = str.maketrans("SD", "DS")
        return tuple(
            move[::-1].translate(turned) for move in reversed(construct(MIRRORED[variant], disks))
        )
    moves: list[str] = []
    for word in ALGORITHMS[variant].split():
        source, target, tower = word[0], word[2], word[4:]
        if not tower:
            moves.append(source + target)
            continue
        [third] = {*"SID"} - {source, target}
        posts = str.maketrans("SID", source + third + target)
        moves += (move.translate(posts) for move in construct(tower, disks - 1))
    return tuple(moves)


def main(variant: str, disks: int) -> None:
    """Print the number of moves and the first of them."""
    first = " ".join(construct(variant, disks)[:_PRINTED])
    print(
        f"{variant}, {disks} disks: {total_by_recurrence(variant, disks):,} moves, the first of "
        f"them {first}"
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
