"""A random walk from solved, turn by turn, and what is measured of its distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.tools.mixing.file import Turn

Probabilities = npt.NDArray[np.float64]
Result = TypeVar("Result")

_TOLERANCE = 1e-9


class Walk(ABC):
    """The distribution of a state after `turn` random turns; it begins with the goal states, each equally likely.

    `layers` are how many states lie at each distance.
    """

    def __init__(self, layers: tuple[int, ...], threads: int) -> None:
        self.layers = layers
        self.turn = 0
        self._threads = threads

    @abstractmethod
    def step(self) -> None:
        """Make one random turn."""

    @abstractmethod
    def _sums(self) -> tuple[Probabilities, float, int]:
        """Of the states at each distance the probability; sum of |p - uniform| over all states; states with p > 0."""

    def measure(self) -> Turn:
        """What is known after this turn; raises VerificationError where the probabilities do not sum to 1."""
        by_distance, apart, reached = self._sums()
        total = float(by_distance.sum())
        if abs(total - 1) > _TOLERANCE:
            raise VerificationError(f"after turn {self.turn} the probabilities sum to {total!r}")
        return Turn(self.turn, apart / 2, reached, tuple(by_distance.tolist()))

    @property
    def uniform(self) -> float:
        """The probability of each state when all are equally likely."""
        return 1 / sum(self.layers)

    def _shared(self, work: Callable[[int, int], Result], pieces: Iterable[tuple[int, int]]) -> list[Result]:
        """Have threads work on pieces, each (first, last), and give what they found, in order."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda piece: work(*piece), pieces))
