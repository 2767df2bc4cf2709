"""The recursive algorithms: for each variant, what to do with the largest disk and with the tower above it.

The algorithms of RBB and RRB, and of NNN in its two steps NNN and NNR, are those of the literature (Uri Levy, "Magnetic
Towers of Hanoi and their Optimal Solutions"); docs/hanoi.md derives the others. Each is written for the posts S, I and
D of its own. A colour asked of a post that is neutral does no harm: a neutral post takes all that a coloured one does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from puzzlebase.puzzles.families.hanoi.rules import MIRRORED

_ALGORITHMS = {
    "RBB": "S>I:RBB S>D I>S:RRB S>D:RBB",
    "RRB": "S>D:RRB D>I:RBB S>D I>D:RRB",
    "RBN": "S>I:RNB S>D I>S:RRB S>D:RBB",
    "RNB": "S>I:RBN S>D I>D:NBR",
    "RNN": "S>I:RNN S>D I>D:NBR",
    "NNN": "S>I:RNN S>D I>D:NNR",
    "NBR": "S>I:RRB I>D:RBB S>I D>S:RBN I>D S>D:NRB",
    "NNR": "S>I:RRB I>D:RBB S>I D>S:RBN I>D S>D:NNB",
}
"""By variant: `S>I:RNN` takes the tower of all smaller disks from S to I as RNN takes it from S to D; `S>D` moves the
largest disk. Where the tower shows blue, RNN means the variant with the colours swapped."""

VARIANTS = (*_ALGORITHMS, *(variant for variant in MIRRORED if variant not in _ALGORITHMS))
"""The variants that have an algorithm. All begin red, on S, but BNR; all end blue, on D, but those that end in R.

Those without one of their own play another one's from its end to its beginning, with S and D exchanged.
"""


class _TowerStep(NamedTuple):
    """The largest disk moves from post to post; or all smaller ones do, as a variant does, forwards or backwards."""

    source: str
    target: str
    variant: str | None = None


def mirrored(variant: str) -> str:
    """The variant that is this one played backwards; of NBR and NNR, which have no name of their own, "NBR'"."""
    for one, other in MIRRORED.items():
        if variant in (one, other):
            return other if variant == one else one
    return variant.removesuffix("'") if variant.endswith("'") else variant + "'"


@cache
def _steps(variant: str) -> tuple[_TowerStep, ...]:
    """The steps of an algorithm, from S to D."""
    if variant in _ALGORITHMS:
        words = [word.partition(":") for word in _ALGORITHMS[variant].split()]
        return tuple(_TowerStep(posts[0], posts[2], played or None) for posts, _, played in words)
    exchanged = {"S": "D", "I": "I", "D": "S"}
    return tuple(
        _TowerStep(exchanged[step.target], exchanged[step.source], step.variant and mirrored(step.variant))
        for step in reversed(_steps(mirrored(variant)))
    )


def construct(variant: str, disks: int) -> Iterator[str]:
    """The moves of an algorithm, lazily, by name; what waits takes a few steps for each disk."""
    ahead = [(_TowerStep("S", "D", variant), disks)]
    while ahead:
        step, size = ahead.pop()
        if step.variant is None:
            yield step.source + step.target
        elif size:
            [third] = {"S", "I", "D"} - {step.source, step.target}
            posts = {"S": step.source, "I": third, "D": step.target}
            for source, target, played in reversed(_steps(step.variant)):
                ahead.append((_TowerStep(posts[source], posts[target], played), size - 1))


def parts(variant: str) -> tuple[int, dict[str, int]]:
    """What an algorithm consists of: how often the largest disk moves, and how often each variant is played above it.

    A variant that is played backwards counts as the one that it mirrors, with which it shares all numbers.
    """
    towers: dict[str, int] = {}
    for step in _steps(variant):
        if step.variant:
            name = step.variant.removesuffix("'")
            towers[name] = towers.get(name, 0) + 1
    return sum(step.variant is None for step in _steps(variant)), towers


@cache
def moves_of_disk(variant: str, disk: int) -> int:
    """How often an algorithm moves a disk, 1 the largest; that does not depend on how many smaller ones there are."""
    if disk == 1:
        return sum(step.variant is None for step in _steps(variant))
    return sum(moves_of_disk(step.variant, disk - 1) for step in _steps(variant) if step.variant)
