"""The formulas of a family: numbers of solutions of any size by recurrence,
by closed form, and exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Value:
    """One number by several methods; None for a method that does not give it."""

    n: int  # disks, tiles, or one disk's number
    recurrence: int | None
    closed_form: int | None
    goal: tuple[str, str] | None = (
        None  # a puzzle and its goal: the distance of its start is this number
    )
    ratio: Fraction | None = None  # to the function that the number grows like


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that solutions take, `total` or `T` say."""

    name: str
    meaning: str
    values: tuple[Value, ...]
    limit: Fraction | None = None  # of the ratios, if it is known


@dataclass(frozen=True, slots=True)
class Formulas:
    """The formulas of a family."""

    variants: tuple[str, ...]  # the default first; none where there is one kind of puzzle alone
    largest: int  # size
    # of a variant, from the first to the last size
    quantities: Callable[[str, int, int], tuple[Quantity, ...]]
