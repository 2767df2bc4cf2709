"""Names for how hard a state is: percentiles, as `random` takes them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated

from typing_extensions import TypedDict

from puzzlebase.service.answers.lookups import means

# The percentile of each. Most states of most puzzles lie far from solved, so few of them are easy.
DIFFICULTIES = {"easy": 0.1, "medium": 10.0, "hard": 75.0, "hardest": 100.0}


class DifficultyAnswer(TypedDict):
    """A name for a distance."""

    name: Annotated[str, means("name of the difficulty")]
    percentile: Annotated[float, means("per cent of the states that are at most as far")]
    distance: Annotated[int | None, means("distance of its states; null without a table")]


def difficulties(layers: Sequence[int] | None) -> list[DifficultyAnswer]:
    """The difficulties, with distances where `layers`, the number of states at each distance, is known."""
    return [
        {"name": name, "percentile": percentile, "distance": distance_of(name, layers) if layers else None}
        for name, percentile in DIFFICULTIES.items()
    ]


def distance_of(difficulty: str, layers: Sequence[int]) -> int:
    """The distance of a difficulty; 0 only where there is no other."""
    return min(max(distance_at(DIFFICULTIES[difficulty], layers), 1), len(layers) - 1)


def distance_at(percentile: float, layers: Sequence[int]) -> int:
    """The smallest distance that so many per cent of the states do not exceed."""
    # Correctly rounded: with numpy's two roundings, a percentile of 17 digits could mean the next distance.
    up_to = [*accumulate(layers)]
    return bisect_left(up_to, percentile, key=lambda states: 100 * states / up_to[-1])


def percentile_of(distance: int, layers: Sequence[int]) -> float:
    """The per cent of the states that are at most as far."""
    return 100 * sum(layers[: distance + 1]) / sum(layers)
