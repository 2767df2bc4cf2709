"""A published experiment that can be run again, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict


class Finding(TypedDict):
    """One number of a published experiment: as published, by the same method here, and as it is known now."""

    figure: Annotated[int, Field(description="the figure that has it")]
    board: Annotated[str, Field(description="the kind of board")]
    quantity: Annotated[str, Field(description="what the number is")]
    published: Annotated[float | None, Field(description="the published number; null if there is none")]
    low: Annotated[float, Field(description="the least that the method gave here")]
    mean: Annotated[float, Field(description="what it gave in the mean")]
    high: Annotated[float, Field(description="the most that it gave")]
    within: Annotated[bool | None, Field(description="whether the published number is between low and high")]
    new: Annotated[float | None, Field(description="what the present solver needs or reaches, in the mean")]


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
    run: Callable[[int, int, Callable[[float], None]], Outcome]  # boards, seed, report of the part done, 0 to 1
