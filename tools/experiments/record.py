"""A published experiment that can be run again, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One number of a published experiment, beside what the same method gives here and what is known now.

    Attributes:
        figure: the number of the figure that has it.
        board: the kind of board.
        quantity: what the number is.
        published: the number; None where the publication has none.
        low, mean, high: what the method gave here over all boards.
        new: the mean of the present solver; None where it has no such number.
    """

    figure: int
    board: str
    quantity: str
    published: float | None
    low: float
    mean: float
    high: float
    new: float | None

    @classmethod
    def of(
        cls,
        figure: int,
        board: str,
        quantity: str,
        published: float | None,
        ours: Sequence[float],
        new: Sequence[float] | None = None,
    ) -> Finding:
        """From the values over all boards."""
        mean = None if new is None else sum(new) / len(new)
        return cls(figure, board, quantity, published, min(ours), sum(ours) / len(ours), max(ours), mean)

    @property
    def within(self) -> bool | None:
        """Whether the published number lies between the lowest and the highest here; None where there is none."""
        return None if self.published is None else self.low <= self.published <= self.high


@dataclass(frozen=True, slots=True)
class Findings:
    """What an experiment found: numbers, and values over all boards, sorted, to draw as lines over `axis`."""

    numbers: tuple[Finding, ...]
    axis: str
    lines: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment that can be run again.

    Attributes:
        source: who published it, and where.
        run: (boards, seed, report) -> what it found; `report` is told what part of the work is done.
    """

    source: str
    run: Callable[[int, int, Callable[[float], None]], Findings]
