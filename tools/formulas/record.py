"""Formulas of a family: numbers of solutions of any size by recurrence, by closed form, and exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Value:
    """One number of size n (disks, tiles, or which disk), by several methods; None where a method does not give it.

    `exact` is what the family counted itself. `goal` is a puzzle and its goal, whose start has this number as its
    distance. `ratio` is to what the number grows like.
    """

    n: int
    recurrence: int | None
    closed_form: int | None
    exact: int | None = None
    goal: tuple[str, str] | None = None
    ratio: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that solutions take, `total` or `T` say; `limit` is what the ratios tend to, if that is known."""

    name: str
    meaning: str
    values: tuple[Value, ...]
    limit: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a family, for sizes up to the largest: (variant, first size, last size) -> quantities.

    The default is the first of `variants`, which are empty where there is one kind of puzzle alone.
    """

    variants: tuple[str, ...]
    largest: int
    quantities: Callable[[str, int, int], tuple[Quantity, ...]]
