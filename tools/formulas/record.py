"""What is known of solutions of any size: the same numbers by recurrence, by closed form, and exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Value:
    """One number, found in several ways; None for a way that does not give it.

    Attributes:
        n: the size it belongs to: how many disks or tiles, or which disk.
        recurrence: from smaller sizes.
        closed_form: from n alone.
        exact: counted by the family itself.
        goal: the puzzle, and its goal, whose start has this number as its distance.
        ratio: to what the number grows like.
    """

    n: int
    recurrence: int | None
    closed_form: int | None
    exact: int | None = None
    goal: tuple[str, str] | None = None
    ratio: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that solutions take, for some sizes.

    Attributes:
        name: what it is called, `total` or `T` say.
        meaning: the same in words.
        values: a number for each size.
        limit: what the ratios tend to, if there is a limit that is known.
    """

    name: str
    meaning: str
    values: tuple[Value, ...]
    limit: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Formulas:
    """What a family knows of solutions of any size.

    Attributes:
        variants: the variants that have formulas, the default first; empty where there is one kind of puzzle alone.
        largest: the largest size that is asked for.
        quantities: (variant, first size, last size) -> what solutions take.
    """

    variants: tuple[str, ...]
    largest: int
    quantities: Callable[[str, int, int], tuple[Quantity, ...]]
