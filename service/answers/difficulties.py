"""Names for how hard a state is: percentiles, as `random` takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field
from typing_extensions import TypedDict

DIFFICULTIES = {"easy": 0.1, "medium": 10.0, "hard": 75.0, "hardest": 100.0}
"""The percentile of each. The states of most puzzles lie far from solved, so that few of them are easy."""


class DifficultyAnswer(TypedDict):
    """A name for a distance."""

    name: Annotated[str, Field(description="name of the difficulty")]
    percentile: Annotated[float, Field(description="per cent of the states that are at most so far")]
    distance: Annotated[int | None, Field(description="distance of its states; null without a table")]


def difficulties(layers: Sequence[int] | None) -> list[DifficultyAnswer]:
    """The difficulties, with their distances where the number of states at each distance is known."""
    up_to = np.cumsum(layers) if layers else None
    return [
        {"name": name, "percentile": percentile, "distance": None if up_to is None else distance_of(name, up_to)}
        for name, percentile in DIFFICULTIES.items()
    ]


def distance_of(difficulty: str, up_to: npt.NDArray[np.int64]) -> int:
    """The distance of a difficulty, for states up to each distance; 0 only where there is no other."""
    return min(max(distance_at(DIFFICULTIES[difficulty], up_to), 1), len(up_to) - 1)


def distance_at(percentile: float, up_to: npt.NDArray[np.int64]) -> int:
    """The smallest distance such that so many per cent of the states are at most as far."""
    return int(np.searchsorted(100 * (up_to / up_to[-1]), percentile))
