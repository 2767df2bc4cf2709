"""Random states: uniform over a distance, a range of distances or all, and reproducible."""

from __future__ import annotations

import hashlib
import secrets
from datetime import date
from itertools import pairwise
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from db import BLOCK_SIZE
from puzzles import Indices
from service.answers import Answer, common
from service.problems import InvalidRequest
from service.tables import OpenTable

MAX_SCRAMBLE = 10_000
"""Moves of the longest scramble that an answer holds."""


class RandomAnswer(Answer):
    """A random state, as it looks when the scramble is played from solved."""

    percentile: Annotated[float, Field(description="per cent of the states that are at most as far")]
    scramble: Annotated[
        list[str] | None,
        Field(description=f"a shortest line of moves from solved to the state; null for more than {MAX_SCRAMBLE:,}"),
    ]


def random(
    opened: OpenTable,
    *,
    least: int | None = None,
    greatest: int | None = None,
    percentile: float | None = None,
    key: str | None = None,
) -> RandomAnswer:
    """A state drawn uniformly from those `least` to `greatest` moves away, or at a percentile of difficulty.

    A percentile is the smallest distance such that so many per cent of the states are at most so
    far. With an equal `key` the draw is equal. Raises InvalidRequest where no state is so far.
    """
    layers = np.array(opened.table.info.layers)
    if not len(layers):
        raise InvalidRequest(f"no state of {opened.puzzle.name} can reach this goal", "choose another goal")
    upto = np.cumsum(layers)
    if percentile is not None:
        least = greatest = int(np.searchsorted(100 * (upto / upto[-1]), percentile))
    least = 0 if least is None else least
    farthest = len(layers) - 1
    greatest = farthest if greatest is None else greatest
    if least > min(greatest, farthest):
        raise InvalidRequest(
            f"no state of {opened.puzzle.name} has a distance from {least} to {greatest}",
            f"distances go from 0 to {farthest}",
        )
    greatest = min(greatest, farthest)
    total = int(layers[least : greatest + 1].sum())
    if key is not None:
        key = f"{opened.puzzle.name} {opened.goal.name} {least} {greatest} {key}"
    index = int(locate(opened, least, greatest, np.array([_draw(total, key)]))[0])
    distance = opened.distance(index)
    state, scramble = opened.puzzle.text(index, opened.goal), None
    if distance <= MAX_SCRAMBLE:
        state, scramble = _scramble(opened, index, distance)
        for move in scramble:
            state = opened.puzzle.play(state, move)
    return {
        **common(opened, state, distance),
        "percentile": float(100 * (upto[distance] / upto[-1])),
        "scramble": scramble,
    }


def key(seed: str | None = None, day: date | None = None) -> str | None:
    """What makes a draw the same each time: a seed, or a day; None where neither is given."""
    if day is not None:
        return f"day {day.isoformat()}"
    return None if seed is None else f"seed {seed}"


def locate(opened: OpenTable, least: int, greatest: int, ranks: npt.NDArray[np.int64]) -> Indices:
    """The states of the given ranks among those at a distance from `least` to `greatest`, by index.

    The census tells which range of states a rank falls into; only that range is read.
    """
    counts = opened.table.census.between(least, greatest)
    upto = np.cumsum(counts)
    ranges = np.searchsorted(upto, ranks, side="right")
    found = np.empty(len(ranks), np.int64)
    for number in np.unique(ranges).tolist():
        here = ranges == number
        first = number * BLOCK_SIZE
        distances = opened.distances(np.arange(first, min(first + BLOCK_SIZE, opened.space.size)))
        wanted = np.flatnonzero((distances >= least) & (distances <= greatest))
        found[here] = first + wanted[ranks[here] - (upto[number] - counts[number])]
    return found


def _draw(total: int, key: str | None) -> int:
    """A number below `total`: from the system's randomness, or 256 bits of a hash of the key, so free of bias."""
    if key is None:
        return secrets.randbelow(total)
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).digest(), "big") % total


def _scramble(opened: OpenTable, index: int, distance: int) -> tuple[str, list[str]]:
    """The solved state that a shortest solution of `index` ends in, and that solution taken back."""
    path = [index]
    for left in range(distance, 0, -1):
        path.append(opened.closer(path[-1], left)[0][1])
    path.reverse()
    moves = []
    for state, after in pairwise(path):
        move = int(np.flatnonzero(opened.space.expand(np.array([state]))[0] == after)[0])
        moves.append(opened.puzzle.moves[move].name)
    named = (text for text in opened.goal.states if opened.index(text) == path[0])
    return next(named, opened.puzzle.text(path[0], opened.goal)), moves
