"""What shortest solutions take, for any number of disks: by recurrence, by closed form, and counted in a solution.

The closed form of a total is s 3^n + c + w(x1) x1^n + w(x2) x2^n + w(x3) x3^n, where x1, x2, x3 are the roots of
x^3 = x + 2 and w is a polynomial. Such a sum over the roots is a rational number, the trace of w(x) x^n, so it is found
without any root. docs/hanoi.md derives s, c and w.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

from puzzlebase.puzzles.families.hanoi.constructions import VARIANTS
from puzzlebase.puzzles.families.hanoi.oracle import HanoiSolver
from puzzlebase.puzzles.families.hanoi.rules import MAX_DISKS, MIRRORED, SWAPPED, WORDS, HanoiRules
from puzzlebase.tools.formulas.record import Formulas, Quantity, Value

_NAMED = tuple(
    dict.fromkeys(("NNN", *VARIANTS, *(name.translate(SWAPPED) for name in VARIANTS if not name.startswith("N"))))
)
"""The variants that have formulas: those of the literature, and those that begin blue with the colours swapped."""

_CLOSED = {
    "RBB": "1/2 -1/2 0 0 0",
    "RBN": "5/11 -1 37/286 47/572 45/572",
    "RNB": "4/11 -1 45/286 119/572 47/572",
    "RNN": "7/22 -3/2 41/143 83/286 23/143",
    "NNN": "10/33 -2 87/286 211/572 129/572",
    "NBR": "7/11 -1 5/143 45/286 37/286",
    "NNR": "13/22 -3/2 47/286 137/572 119/572",
}
"""The constants of a closed form: s, c, and the coefficients of 1, x and x^2 in w. That of NNN holds from n = 1 on."""


def _alike(variant: str) -> str:
    """The variant of `_CLOSED` that takes the same."""
    name = variant.translate(SWAPPED) if variant.startswith("B") else variant
    return MIRRORED.get(name, name)


_RECURRENCES: dict[str, tuple[int, Callable[[Callable[[str, int], int], int], int]]] = {
    "RBB": (1, lambda a, n: 3 * a("RBB", n - 1) + 1),
    "RBN": (3, lambda a, n: a("RBN", n - 2) + 2 * a("RBN", n - 3) + 3 ** (n - 1) + 3 ** (n - 3) + 2),
    "RNB": (3, lambda a, n: a("RNB", n - 2) + 2 * a("RNB", n - 3) + 8 * 3 ** (n - 3) + 2),
    "RNN": (2, lambda a, n: a("RNN", n - 1) + 2 * a("RBN", n - 2) + 3 ** (n - 2) + 2),
    "NNN": (2, lambda a, n: a("RNN", n - 1) + a("RNN", n - 2) + a("RBN", n - 2) + 3 ** (n - 2) + 2),
    "NBR": (1, lambda a, n: 2 * a("RBN", n - 1) + 3 ** (n - 1) + 1),
    "NNR": (1, lambda a, n: a("RBN", n - 1) + a("RNN", n - 1) + 3 ** (n - 1) + 1),
}
"""From which n on a recurrence holds, and a(n) by it. Before that 0, 1, 4 moves are needed."""


@cache
def total_by_recurrence(variant: str, n: int) -> int:
    """The moves of n disks, from the moves of fewer; of a variant of `_CLOSED`."""
    least, recurrence = _RECURRENCES[variant]
    return (0, 1, 4)[n] if n < least else recurrence(total_by_recurrence, n)


def total_by_closed_form(variant: str, n: int) -> int | None:
    """The moves of n disks from n alone; of a variant of `_CLOSED`. None where the form does not hold."""
    if n == 0 and variant == "NNN":
        return None
    s, c, *w = map(Fraction, _CLOSED[variant].split())
    constant, _, square = _times((w[0], w[1], w[2]), _power(n))
    total: Fraction = s * 3**n + c + 3 * constant + 2 * square  # there are 3 roots, whose squares have the sum 2
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


def _quantities(variant: str, first: int, last: int) -> tuple[Quantity, ...]:
    name = variant.upper()
    alike, goal = _alike(name), WORDS[HanoiRules(name, 1).shown_at_goal]
    s = Fraction(_CLOSED[alike].split()[0])
    recurrence = [total_by_recurrence(alike, n) for n in range(last + 1)]
    closed_form = [total_by_closed_form(alike, n) for n in range(last + 1)]
    totals = tuple(
        Value(n, recurrence[n], closed_form[n], None, (HanoiRules(name, n).name, goal), Fraction(recurrence[n], 3**n))
        for n in range(first, last + 1)
    )
    disks = []
    for k, counted in enumerate(_moves_by_disk(name, last), 1):
        moves, whole, less = recurrence[k] - recurrence[k - 1], closed_form[k], closed_form[k - 1]
        closed = None if whole is None or less is None else whole - less
        disks.append(Value(k, moves, closed, counted, None, Fraction(moves, 3 ** (k - 1))))
    return (
        Quantity("total", f"moves from the start to {goal}, of n disks; the ratio is to 3^n", totals, s),
        Quantity(
            "disk", "moves of disk n, 1 the largest, of n disks or more; the ratio is to 3^(n-1)", (*disks,), 2 * s
        ),
    )


@lru_cache(2 * MAX_DISKS)
def _moves_by_disk(name: str, n: int) -> list[int]:
    """How often each disk moves in the oracle's solution of the start."""
    rules = HanoiRules(name, n)
    return HanoiSolver(rules, (rules.tower(2, rules.shown_at_goal),)).moves_by_disk(rules.start)


FORMULAS = Formulas(tuple(name.lower() for name in _NAMED), MAX_DISKS, _quantities)
