"""What shortest solutions take, for any number of disks: by recurrence, by closed form, and counted in a solution.

The closed form of a total is s 3^n + c + w(x1) x1^n + w(x2) x2^n + w(x3) x3^n, where x1, x2, x3 are the roots of
x^3 = x + 2 and w is a polynomial. Such a sum over the roots is a rational number, the trace of w(x) x^n, so it is found
without any root. docs/hanoi.md derives s, c and w.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from puzzlebase.puzzles.families.hanoi.constructions import VARIANTS
from puzzlebase.puzzles.families.hanoi.oracle import HanoiSolver
from puzzlebase.puzzles.families.hanoi.rules import MAX_DISKS, SWAPPED, WORDS, HanoiRules
from puzzlebase.tools.formulas.record import Formulas, Quantity, Value

_SAME = {"RRB": "RBB", "NRB": "RBN", "BNR": "RNB", "NNB": "RNN"}
"""Variants that take what another one takes: it is played backwards, and where need be with colours swapped."""

_NAMED = tuple(
    dict.fromkeys(("NNN", *VARIANTS, *(name.translate(SWAPPED) for name in VARIANTS if not name.startswith("N"))))
)
"""The variants that have formulas: those of the literature, and those that begin blue with the colours swapped."""


class _Closed(NamedTuple):
    """The constants of a closed form; w is given by its coefficients of 1, x and x^2."""

    s: Fraction
    c: Fraction
    w: tuple[Fraction, ...] = (Fraction(0),) * 3
    least: int = 0
    """The first n for which it holds."""


def _closed(s: str, c: str, w: str, least: int = 0) -> _Closed:
    return _Closed(Fraction(s), Fraction(c), tuple(map(Fraction, w.split())), least)


_CLOSED = {
    "RBB": _closed("1/2", "-1/2", "0 0 0"),
    "RBN": _closed("5/11", "-1", "37/286 47/572 45/572"),
    "RNB": _closed("4/11", "-1", "45/286 119/572 47/572"),
    "RNN": _closed("7/22", "-3/2", "41/143 83/286 23/143"),
    "NNN": _closed("10/33", "-2", "87/286 211/572 129/572", least=1),
    "NBR": _closed("7/11", "-1", "5/143 45/286 37/286"),
    "NNR": _closed("13/22", "-3/2", "47/286 137/572 119/572"),
}


def _alike(variant: str) -> str:
    """The variant of `_CLOSED` that takes the same."""
    name = variant.translate(SWAPPED) if variant.startswith("B") else variant
    return _SAME.get(name, name)


@cache
def total_by_recurrence(variant: str, n: int) -> int:
    """The moves of n disks, from the moves of fewer; of a variant of `_CLOSED`."""
    if n == 0:
        return 0
    if n < _LEAST_FOR_RECURRENCE[variant]:
        return (1, 4)[n - 1]
    return _RECURRENCES[variant](total_by_recurrence, n)


_LEAST_FOR_RECURRENCE = {"RBB": 1, "RBN": 3, "RNB": 3, "RNN": 2, "NNN": 2, "NBR": 1, "NNR": 1}

_Total = Callable[[str, int], int]

_RECURRENCES: dict[str, Callable[[_Total, int], int]] = {
    "RBB": lambda a, n: 3 * a("RBB", n - 1) + 1,
    "RBN": lambda a, n: a("RBN", n - 2) + 2 * a("RBN", n - 3) + 3 ** (n - 1) + 3 ** (n - 3) + 2,
    "RNB": lambda a, n: a("RNB", n - 2) + 2 * a("RNB", n - 3) + 8 * 3 ** (n - 3) + 2,
    "RNN": lambda a, n: a("RNN", n - 1) + 2 * a("RBN", n - 2) + 3 ** (n - 2) + 2,
    "NNN": lambda a, n: a("RNN", n - 1) + a("RNN", n - 2) + a("RBN", n - 2) + 3 ** (n - 2) + 2,
    "NBR": lambda a, n: 2 * a("RBN", n - 1) + 3 ** (n - 1) + 1,
    "NNR": lambda a, n: a("RBN", n - 1) + a("RNN", n - 1) + 3 ** (n - 1) + 1,
}


def total_by_closed_form(variant: str, n: int) -> int | None:
    """The moves of n disks from n alone; of a variant of `_CLOSED`. None where the form does not hold."""
    closed = _CLOSED[variant]
    if n < closed.least:
        return None
    total: Fraction = closed.s * 3**n + closed.c + _trace(_times(closed.w, _power(n)))
    assert total.denominator == 1
    return total.numerator


_Polynomial = tuple[Fraction, ...]
"""Coefficients of 1, x and x^2: a polynomial modulo x^3 - x - 2."""


def _times(one: _Polynomial, other: _Polynomial) -> _Polynomial:
    product = [Fraction(0)] * 5
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            product[i + j] += left * right
    constant, first, second, third, fourth = product
    return constant + 2 * third, first + third + 2 * fourth, second + fourth  # x^3 = x + 2 and x^4 = x^2 + 2 x


def _power(n: int) -> _Polynomial:
    """x^n, by squaring."""
    if n == 0:
        return Fraction(1), Fraction(0), Fraction(0)
    half = _power(n // 2)
    square = _times(half, half)
    return _times(square, (Fraction(0), Fraction(1), Fraction(0))) if n % 2 else square


def _trace(value: _Polynomial) -> Fraction:
    """The sum of a polynomial's values at the three roots: their number is 3, their sum 0, that of their squares 2."""
    return 3 * value[0] + 2 * value[2]


def _quantities(variant: str, first: int, last: int) -> tuple[Quantity, ...]:
    name = variant.upper()
    alike, s = _alike(name), _CLOSED[_alike(name)].s
    totals = tuple(_total(name, alike, n) for n in range(first, last + 1))
    counted = _moves_by_disk(name, last)
    disks = tuple(_disk(alike, k, counted[k - 1]) for k in range(1, last + 1))
    goal = WORDS[HanoiRules(name, 1).shown_at_goal]
    return (
        Quantity("total", f"moves from the start to {goal}, of n disks; the ratio is to 3^n", totals, s),
        Quantity("disk", "moves of disk n, 1 the largest, of n disks or more; the ratio is to 3^(n-1)", disks, 2 * s),
    )


def _total(name: str, alike: str, n: int) -> Value:
    rules = HanoiRules(name, n)
    recurrence, goal = total_by_recurrence(alike, n), (rules.name, WORDS[rules.shown_at_goal])
    return Value(n, recurrence, total_by_closed_form(alike, n), None, goal, Fraction(recurrence, 3**n))


def _disk(alike: str, k: int, counted: int) -> Value:
    """What disk k adds to the total: it moves as often whatever the number of smaller disks."""
    recurrence = total_by_recurrence(alike, k) - total_by_recurrence(alike, k - 1)
    whole, less = total_by_closed_form(alike, k), total_by_closed_form(alike, k - 1)
    closed_form = None if whole is None or less is None else whole - less
    return Value(k, recurrence, closed_form, counted, None, Fraction(recurrence, 3 ** (k - 1)))


@lru_cache(2 * MAX_DISKS)
def _moves_by_disk(name: str, n: int) -> list[int]:
    """How often each disk moves in the oracle's solution of the start."""
    rules = HanoiRules(name, n)
    return HanoiSolver(rules, (rules.tower(2, rules.shown_at_goal),)).moves_by_disk(rules.start)


FORMULAS = Formulas(tuple(name.lower() for name in _NAMED), MAX_DISKS, _quantities)
