"""Play a recursive algorithm of the Magnetic Tower of Hanoi: `python -m research.hanoi_algorithms NNN 3`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from puzzlebase.puzzles.families.hanoi.colouring import MIRRORED
from puzzlebase.puzzles.families.hanoi.formulas import ALGORITHMS, total_by_recurrence

_PRINTED = 20


class TowerStep(NamedTuple):
    """A move of the largest disk; or the moves of all smaller ones, as a variant makes them, perhaps backwards."""

    source: str
    target: str
    variant: str | None = None


def mirrored(variant: str) -> str:
    """The variant that is this one played backwards; an apostrophe is added to NBR and NNR, which have none."""
    for one, other in MIRRORED.items():
        if variant in (one, other):
            return other if variant == one else one
    return variant.removesuffix("'") if variant.endswith("'") else variant + "'"


@cache
def _steps(variant: str) -> tuple[TowerStep, ...]:
    """The steps of an algorithm, from S to D."""
    if variant in ALGORITHMS:
        words = [word.partition(":") for word in ALGORITHMS[variant].split()]
        return tuple(TowerStep(posts[0], posts[2], played or None) for posts, _, played in words)
    exchanged = {"S": "D", "I": "I", "D": "S"}
    return tuple(
        TowerStep(exchanged[step.target], exchanged[step.source], step.variant and mirrored(step.variant))
        for step in reversed(_steps(mirrored(variant)))
    )


def construct(variant: str, disks: int) -> Iterator[str]:
    """The moves of an algorithm by name, lazily; only a few steps for each disk are in memory."""
    ahead = [(TowerStep("S", "D", variant), disks)]
    while ahead:
        step, size = ahead.pop()
        if step.variant is None:
            yield step.source + step.target
        elif size:
            [third] = {"S", "I", "D"} - {step.source, step.target}
            posts = {"S": step.source, "I": third, "D": step.target}
            for source, target, played in reversed(_steps(step.variant)):
                ahead.append((TowerStep(posts[source], posts[target], played), size - 1))


def main(variant: str, disks: int) -> None:
    """Print the number of moves and the first of them."""
    first = " ".join(islice(construct(variant, disks), _PRINTED))
    print(f"{variant}, {disks} disks: {total_by_recurrence(variant, disks):,} moves, the first of them {first}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
