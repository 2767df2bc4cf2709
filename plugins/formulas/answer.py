"""The number of moves of solutions of any size:
by recurrence, by closed form and exactly, side by side.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from puzzlebase import hooks, puzzles
from puzzlebase.db.errors import MissingTable
from puzzlebase.errors import shorten
from puzzlebase.plugins.formulas.record import Formulas, Value
from puzzlebase.puzzles.contract.errors import NoSpace, UnknownPuzzle
from puzzlebase.sentinels import UNREACHED
from puzzlebase.service.answers.lookups import Integer
from puzzlebase.service.answers.record import Name, answer
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.service.sources.sources import Sources


class FormulaValue(TypedDict):
    """One number by several methods; null for a method that does not give it."""

    n: int
    """the size it belongs to, or which disk"""
    recurrence: Integer | None
    """from the values of smaller n"""
    closed_form: Integer | None
    """from n alone"""
    exact: Integer | None
    """from a table or an oracle; null if there is none"""
    source: str | None
    """where exact comes from: table or oracle, as in a lookup"""
    equal: bool | None
    """whether all values given are equal; null if fewer than two are given"""
    ratio: float | None
    """its ratio to what the meaning says"""


class FormulaQuantity(TypedDict):
    """Something that solutions take, for each size asked for."""

    name: str
    """what it is called"""
    meaning: str
    """what it counts, in words"""
    limit: str | None
    """what its ratio tends to, as a fraction; null if it has none"""
    values: list[FormulaValue]
    """a value for each size, or for each disk if it is about single disks"""


class FormulaAnswer(TypedDict):
    """The moves that solutions take, for some sizes."""

    family: str
    """name of the family"""
    variant: str | None
    """the variant; null if the family has one kind of puzzle"""
    quantities: list[FormulaQuantity]
    """each quantity that the family has formulas for"""


_EXTRA = "formulas"  # the key of Family.extra whose value names Formulas
DEFAULT_SIZES = "1-10"


@answer("folder", "Formulas", path="/v1/families/{family}/formula", statuses=(404, 500))
def formula(
    sources: Sources, family: str, variant: Name | None = None, disks: Name = DEFAULT_SIZES
) -> FormulaAnswer:
    """What solutions take for any size: by recurrence, by closed form and exactly.

    A variant may stand in the name of the family, as in `hanoi-nnn`. Raises UnknownPuzzle,
    InvalidRequest and DamagedTable.

    Args:
        variant: the variant, such as nnn, by default the family's first
        disks: how many disks, or tiles of a tower: numbers and ranges, as 1-5,10
    """
    word, dash, named = family.partition("-")
    known = {family.name: family for family in puzzles.all_families() if _EXTRA in family.extra}
    if word not in known:
        hint = f"families that have some are: {', '.join(known)}"
        raise UnknownPuzzle(f"there are no formulas for {shorten(family)!r}", hint)
    formulas: Formulas = hooks.load_attribute(known[word].extra[_EXTRA])
    chosen = _variant(word, formulas, variant, named if dash else None)
    # a range of disks gives all larger ones too
    wanted, several = _sizes(disks, formulas.largest), "," in disks
    return {
        "family": word,
        "variant": chosen or None,
        "quantities": [
            {
                "name": quantity.name,
                "meaning": quantity.meaning,
                "limit": None if quantity.limit is None else str(quantity.limit),
                "values": [
                    _value(sources, value)
                    for value in quantity.values
                    if value.n in wanted or not several
                ],
            }
            for quantity in formulas.quantities(chosen, min(wanted), max(wanted))
        ],
    }


def _variant(family: str, formulas: Formulas, asked: str | None, named: str | None) -> str:
    """The variant that is meant, empty for a family with one kind of puzzle."""
    if asked is not None and named is not None and asked != named:
        both = f"{family}-{shorten(named)} names one variant and {shorten(asked)!r} is another"
        raise InvalidRequest(both, "name the variant once")
    variant = named if asked is None else asked
    if variant is None:
        return formulas.variants[0] if formulas.variants else ""
    if variant not in formulas.variants:
        known = ", ".join(formulas.variants)
        hint = (
            f"its variants are: {known} (the first is the default)"
            if known
            else "leave the variant out"
        )
        raise InvalidRequest(f"{family} has no formulas for {shorten(variant)!r}", hint)
    return variant


def _sizes(sizes: str, largest: int) -> set[int]:
    wanted: set[int] = set()
    for part in sizes.split(","):
        match = re.fullmatch(r" *([0-9]{1,3})(?:-([0-9]{1,3}))? *", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= largest:
            hint = (
                f"give sizes from 1 to {largest}, or ranges such as 1-{largest}, "
                "with commas between"
            )
            raise InvalidRequest(f"{shorten(sizes)!r} are no sizes", hint)
        wanted |= {*range(first, last + 1)}
    return wanted


def _value(sources: Sources, value: Value) -> FormulaValue:
    exact, source = _distance(sources, value.goal)
    found = [each for each in (value.recurrence, value.closed_form, exact) if each is not None]
    return {
        "n": value.n,
        "recurrence": value.recurrence,
        "closed_form": value.closed_form,
        "exact": exact,
        "source": source,
        "equal": len(set(found)) == 1 if len(found) > 1 else None,
        "ratio": None if value.ratio is None else float(value.ratio),
    }


def _distance(sources: Sources, goal: tuple[str, str] | None) -> tuple[int | None, str | None]:
    """The distance of a goal's start, and the source that knows it; None and None without one."""
    source = None
    if goal is not None:
        with suppress(MissingTable, NoSpace):
            source = sources.find(*goal)
    if source is None:
        return None, None
    [distance] = source.distances_of([source.index(source.goal.start)])
    return (None, None) if distance == UNREACHED else (distance, source.origin.name)
