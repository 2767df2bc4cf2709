"""The ladder of difficulties: words and numbered levels,
each a range of distances; and percentiles.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, count, pairwise

from typing_extensions import TypedDict

from puzzlebase.errors import shorten
from puzzlebase.service.error_status import InvalidRequest

DIFFICULTIES = ("first", "easy", "medium", "hard", "hardest")
_NEARER = 10  # per cent of the states that may be nearer than a medium one
_ALONE = 6  # distances that are levels of their own, one by one
_PARTS = 8  # the most levels that the others share, but for the last


class DifficultyAnswer(TypedDict):
    """The distances that a word or the number of a level means."""

    name: str
    """the word, or the number of the level"""
    min: int
    """smallest distance of its states"""
    max: int
    """largest distance of its states"""
    percentile: float | None
    """per cent of the states with a distance that are at most as far as max;
    null without a table
    """


def difficulties(layers: Sequence[int]) -> list[DifficultyAnswer]:
    """The words that have a range of their own,
    easiest first, by the number of states at each distance.
    """
    hardest = len(layers) - 1
    most = hardest - 1 if hardest > 1 and layers[0] else hardest
    ends = 3, 6, max(7, difficulty_distance(_NEARER, layers)), most
    return _ranges(DIFFICULTIES, [*(min(end, most) for end in ends), hardest], layers)


def difficulty_levels(layers: Sequence[int]) -> list[DifficultyAnswer]:
    """The levels from 1, easiest first: near distances one by one,
    farther ones in ranges, the farthest alone.
    """
    hardest = len(layers) - 1
    others = hardest - 1 - _ALONE
    parts = min(others, _PARTS)
    ends = [_ALONE + others * part // parts for part in range(1, parts + 1)]
    return _ranges(
        map(str, count(1)), [*range(1, min(_ALONE + 1, hardest)), *ends, hardest], layers
    )


def _ranges(
    names: Iterable[str], ends: Sequence[int], layers: Sequence[int]
) -> list[DifficultyAnswer]:
    """The ranges of distances that have these ends, without empty ones."""
    return [
        {
            "name": name,
            "min": before + 1,
            "max": end,
            "percentile": difficulty_percentile(end, layers),
        }
        for name, (before, end) in zip(names, pairwise([0, *ends]), strict=False)
        if before < end
    ]


def difficulty_of(name: str, layers: Sequence[int]) -> DifficultyAnswer:
    """The difficulty of a word or a level;
    a word without a range means the one before it. Raises InvalidRequest.
    """
    names = DIFFICULTIES[: DIFFICULTIES.index(name) + 1] if name in DIFFICULTIES else (name,)
    meant = [
        each
        for each in (*difficulties(layers), *difficulty_levels(layers))
        if each["name"] in names
    ]
    if not meant:
        words = ", ".join(DIFFICULTIES)
        last = f"{len(difficulty_levels(layers))}, which is distance {len(layers) - 1}"
        raise InvalidRequest(
            f"no difficulty is {shorten(name)!r}",
            f"give one of {words}, or a level from 1 to {last}",
        )
    return meant[-1]


def word_of(distance: int, layers: Sequence[int]) -> str | None:
    """The word whose range has a distance; None for 0, and without a table's layers."""
    return next(
        (word["name"] for word in difficulties(layers) if word["min"] <= distance <= word["max"]),
        None,
    )


def difficulty_distance(percentile: float, layers: Sequence[int]) -> int:
    """The smallest distance that so many per cent of the states do not exceed."""
    # Correctly rounded: with numpy's two roundings, a percentile of 17 digits could mean the next
    # distance.
    up_to = [*accumulate(layers)]
    return bisect_left(up_to, percentile, key=lambda states: 100 * states / up_to[-1])


def difficulty_percentile(distance: int, layers: Sequence[int]) -> float | None:
    """The difficulty of a distance in per cent: of the states that are at most as far;
    None without a table, and if lost.
    """
    if distance < 0 or not (layers and layers[0]):
        return None
    return 100 * sum(layers[: distance + 1]) / sum(layers)
