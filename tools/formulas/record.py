"""The formulas of a family: numbers of solutions of any size by recurrence, by closed form, and exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Value:
    """One number of size n (disks, tiles, or one disk's number), by several methods; None where one does not give it.

    `exact` is the family's own count. `goal` is a puzzle and its goal: the distance of its start is this number.
    `ratio` is the number's ratio to the function that it grows like.
    """

    n: int
    recurrence: int | None
    closed_form: int | None
    exact: int | None = None
    goal: tuple[str, str] | None = None
    ratio: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that solutions take, `total` or `T` say; the ratios of its values tend to `limit`, if that is known."""

    name: str
    meaning: str
    values: tuple[Value, ...]
    limit: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a family for sizes up to `largest`; `quantities` is (variant, first size, last size) -> them.

    The first of `variants` is the default; there are none where there is one kind of puzzle alone.
    """

    variants: tuple[str, ...]
    largest: int
    quantities: Callable[[str, int, int], tuple[Quantity, ...]]
