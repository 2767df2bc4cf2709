"""Random states: uniform over a distance, a range of distances or all, and reproducible."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from db import BLOCK_SIZE, MissingTable, remedy, table_path
from puzzles import Indices
from service.answers.answer import Answer, common
from service.problems import InvalidRequest
from service.sources.search import OpenSearch
from service.sources.source import Source
from service.sources.table import OpenTable

WALK = 200
"""Random moves at the end of a walk."""

MAX_SCRAMBLE = 10_000
"""Moves of the longest scramble that an answer holds."""


class RandomAnswer(Answer):
    """A random state, as it looks when the scramble is played from solved."""

    drawn: Annotated[
        str,
        Field(
            description="uniform over all states so far, or, for want of a table, by a walk that ends with random moves"
        ),
    ]
    percentile: Annotated[
        float | None, Field(description="per cent of the states that are at most as far; null without a table")
    ]
    scramble: Annotated[
        list[str] | None,
        Field(description=f"a shortest line of moves from solved to the state; null for more than {MAX_SCRAMBLE:,}"),
    ]


def random(
    source: Source,
    *,
    least: int | None = None,
    greatest: int | None = None,
    percentile: float | None = None,
    key: str | None = None,
) -> RandomAnswer:
    """A state drawn uniformly from those `least` to `greatest` moves away, or at a percentile of difficulty.

    A percentile is the smallest distance such that so many per cent of the states are at most so
    far. With an equal `key` the draw is equal. Raises InvalidRequest where no state is so far.

    Where there is no table, only a state out of all can be drawn: MissingTable for anything else. It
    is as uniform where states have indices; of an oracle's it is where a walk ends.
    """
    if not isinstance(source, OpenTable):
        if (least, greatest, percentile) != (None, None, None):
            raise MissingTable(
                f"no table tells which states of {source.puzzle.name} are how far",
                f"ask without a distance, or {remedy(table_path(Path(), source.puzzle.name))}",
            )
        key = None if key is None else f"{source.puzzle.name} {source.goal.name} {key}"
        return _from_all(source, key) if isinstance(source, OpenSearch) else _from_a_walk(source, key)
    layers = np.array(source.table.info.layers)
    if not len(layers):
        raise InvalidRequest(f"no state of {source.puzzle.name} can reach this goal", "choose another goal")
    upto = np.cumsum(layers)
    if percentile is not None:
        least = greatest = int(np.searchsorted(100 * (upto / upto[-1]), percentile))
    least = 0 if least is None else least
    farthest = len(layers) - 1
    greatest = farthest if greatest is None else greatest
    if least > min(greatest, farthest):
        raise InvalidRequest(
            f"no state of {source.puzzle.name} has a distance from {least} to {greatest}",
            f"distances go from 0 to {farthest}",
        )
    greatest = min(greatest, farthest)
    total = int(layers[least : greatest + 1].sum())
    if key is not None:
        key = f"{source.puzzle.name} {source.goal.name} {least} {greatest} {key}"
    index = int(locate(source, least, greatest, np.array([_draw(total, key)]))[0])
    distance = source.distance(index)
    state, scramble = _as_scrambled(source, index, distance)
    return {
        **common(source, state, distance),
        "drawn": "uniform",
        "percentile": float(100 * (upto[distance] / upto[-1])),
        "scramble": scramble,
    }


def _from_all(source: OpenSearch, key: str | None) -> RandomAnswer:
    """Any state of the space, searched."""
    index = _draw(source.space.size, key)
    distance = source.distance(index)
    state, scramble = _as_scrambled(source, index, distance)
    return {**common(source, state, distance, index), "drawn": "uniform", "percentile": None, "scramble": scramble}


def _from_a_walk(source: Source, key: str | None) -> RandomAnswer:
    """Where random moves lead, none taken back at once, from a random place on a solution of the goal's start.

    From the goal itself such a walk would not get far: the largest pieces hardly ever move.
    """
    key = secrets.token_hex() if key is None else key
    state = source.goal.start
    left = source.distance(source.index(state))
    state, _ = source.part(state, left, _draw(left + 1, key) if left > 0 else 0)
    before = state
    for step in range(WALK):
        after = [text for text in source.played_by_rules(state) if text and text != before]
        if not after:
            break
        before, state = state, after[_draw(len(after), f"{key} {step}")]
    index = source.index(state)
    distance = source.distance(index)
    scramble = _taken_back(source, state, source.line(index, distance)) if 0 <= distance <= MAX_SCRAMBLE else None
    return {**common(source, state, distance, index), "drawn": "walk", "percentile": None, "scramble": scramble}


def _taken_back(source: Source, state: str, line: Iterable[int]) -> list[str]:
    """The moves that lead along a solution from its end to the state it solves."""
    moves = []
    for move in line:
        after = source.puzzle.play(state, source.puzzle.moves[move].name)
        moves.append(source.puzzle.moves[source.played_by_rules(after).index(state)].name)
        state = after
    return moves[::-1]


def key(seed: str | None = None, day: date | None = None) -> str | None:
    """What makes a draw the same each time: a seed, or a day; None where neither is given."""
    if day is not None:
        return f"day {day.isoformat()}"
    return None if seed is None else f"seed {seed}"


def locate(source: OpenTable, least: int, greatest: int, ranks: npt.NDArray[np.int64]) -> Indices:
    """The states of the given ranks among those at a distance from `least` to `greatest`, by index.

    The census tells which range of states a rank falls into; only that range is read.
    """
    counts = source.table.census.between(least, greatest)
    upto = np.cumsum(counts)
    ranges = np.searchsorted(upto, ranks, side="right")
    found = np.empty(len(ranks), np.int64)
    for number in np.unique(ranges).tolist():
        here = ranges == number
        first = number * BLOCK_SIZE
        distances = source.distances(np.arange(first, min(first + BLOCK_SIZE, source.space.size)))
        wanted = np.flatnonzero((distances >= least) & (distances <= greatest))
        found[here] = first + wanted[ranks[here] - (upto[number] - counts[number])]
    return found


def _draw(total: int, key: str | None) -> int:
    """A number below `total`: from the system's randomness, or 256 bits of a hash of the key, so free of bias."""
    if key is None:
        return secrets.randbelow(total)
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).digest(), "big") % total


def _as_scrambled(source: OpenTable | OpenSearch, index: int, distance: int) -> tuple[str, list[str] | None]:
    """A state as it looks when its scramble is played from solved, and that scramble, if it has one to show."""
    if not 0 <= distance <= MAX_SCRAMBLE:
        return source.puzzle.text(index, source.goal), None
    state, scramble = _scramble(source, index, distance)
    for move in scramble:
        state = source.puzzle.play(state, move)
    return state, scramble


def _scramble(source: OpenTable | OpenSearch, index: int, distance: int) -> tuple[str, list[str]]:
    """The solved state that a shortest solution of `index` ends in, and that solution taken back."""
    path = [index]
    for left in range(distance, 0, -1):
        path.append(source.optimal_moves(path[-1], left)[0][1])
    path.reverse()
    moves = []
    for state, after in pairwise(path):
        move = int(np.flatnonzero(source.space.expand(np.array([state]))[0] == after)[0])
        moves.append(source.puzzle.moves[move].name)
    named = (text for text in source.goal.states if source.index(text) == path[0])
    return next(named, source.puzzle.text(path[0], source.goal)), moves
