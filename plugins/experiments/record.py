"""A published experiment that can be run again, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict


class Finding(TypedDict):
    """One number of a published experiment: as published, by the same method here, and as it is known now."""

    figure: int
    """the figure that has it"""
    board: str
    """the kind of board"""
    quantity: str
    """what the number is"""
    published: float | None
    """the published number; null if there is none"""
    low: float
    """the least that the method gave here"""
    mean: float
    """what it gave in the mean"""
    high: float
    """the most that it gave"""
    within: bool | None
    """whether the published number is between low and high"""
    new: float | None
    """what the present solver needs or reaches, in the mean"""


def finding(
    figure: int, board: str, quantity: str, published: float | None, ours: Sequence[float], new: Sequence[float] = ()
) -> Finding:
    """Make a finding from the values over all boards: of the published method, and of the present solver."""
    return {
        "figure": figure,
        "board": board,
        "quantity": quantity,
        "published": published,
        "low": min(ours),
        "mean": sum(ours) / len(ours),
        "high": max(ours),
        "within": None if published is None else min(ours) <= published <= max(ours),
        "new": sum(new) / len(new) if new else None,
    }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings of an experiment, and values over all boards, sorted, to draw as lines over `axis`."""

    numbers: list[Finding]
    axis: str
    lines: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment that can be run again."""

    source: str  # who published it, and where
    run: Callable[[int, int], Outcome]  # by the number of boards, and a seed
