"""The recursive algorithms, and the moves of shortest solutions by recurrence and by closed form.

Uri Levy ("Magnetic Towers of Hanoi and their Optimal Solutions") has the algorithms of RBB and RRB,
and the two steps NNN and NNR of NNN. README.md derives the others, and the closed forms.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from puzzlebase.plugins.formulas.record import Formulas, Quantity, Value
from puzzlebase.puzzles.families.hanoi.rules import MAX_DISKS, MIRRORED, SWAPPED, WORDS, HanoiRules

ALGORITHMS = {
    "RBB": "S>I:RBB S>D I>S:RRB S>D:RBB",
    "RRB": "S>D:RRB D>I:RBB S>D I>D:RRB",
    "RBN": "S>I:RNB S>D I>S:RRB S>D:RBB",
    "RNB": "S>I:RBN S>D I>D:NBR",
    "RNN": "S>I:RNN S>D I>D:NBR",
    "NNN": "S>I:RNN S>D I>D:NNR",
    "NBR": "S>I:RRB I>D:RBB S>I D>S:RBN I>D S>D:NRB",
    "NNR": "S>I:RRB I>D:RBB S>I D>S:RBN I>D S>D:NNB",
}
"""By variant: `S>I:RNN` takes the tower of all smaller disks from S to I as RNN takes it from S to
D, `S>D` moves the largest disk. Where the tower shows blue, RNN means the variant with the colours
swapped. A colour asked of a post that is neutral does not matter: a neutral post takes all disks
that a coloured one takes.
"""

VARIANTS = (*ALGORITHMS, *(variant for variant in MIRRORED if variant not in ALGORITHMS))
"""The variants that have an algorithm. All begin red, on S,
except BNR. All end blue, on D, except those that end in R.

A variant without its own algorithm plays another one's backwards, with S and D exchanged.
"""

_NAMED = tuple(
    dict.fromkeys(
        (
            "NNN",
            *VARIANTS,
            *(name.translate(SWAPPED) for name in VARIANTS if not name.startswith("N")),
        )
    )
)
"""The variants that have formulas: those of the literature,
and the mirror images, which begin blue.
"""

_CLOSED = {
    "RBB": "1/2 -1/2 0 0 0",
    "RBN": "5/11 -1 37/286 47/572 45/572",
    "RNB": "4/11 -1 45/286 119/572 47/572",
    "RNN": "7/22 -3/2 41/143 83/286 23/143",
    "NNN": "10/33 -2 87/286 211/572 129/572",
    "NBR": "7/11 -1 5/143 45/286 37/286",
    "NNR": "13/22 -3/2 47/286 137/572 119/572",
}
"""The constants s, c, and the coefficients of 1, x and x^2 in w. The total of n disks, of NNN from
n = 1 on, is s 3^n + c + w(x1) x1^n + w(x2) x2^n + w(x3) x3^n. The roots of x^3 = x + 2 are x1, x2
and x3.
"""


_CLASSICAL, _LARGEST_CLASSICAL = "classical", 12
_OF_CLASSICAL = "S>I:classical S>D I>D:classical"  # disks have one side


@cache
def total_by_recurrence(variant: str, n: int) -> int:
    """The moves of n disks of a variant of VARIANTS, or classical,
    summed over the algorithm's parts, of n - 1 disks.
    """
    if n == 0:
        return 0
    known = ALGORITHMS | {_CLASSICAL: _OF_CLASSICAL}
    words = known[variant if variant in known else MIRRORED[variant]].split()
    towers = (word.partition(":")[2] for word in words)
    return sum(total_by_recurrence(tower, n - 1) if tower else 1 for tower in towers)


def total_by_closed_form(variant: str, n: int) -> int | None:
    """The moves of n disks of a variant of `_CLOSED`, or classical,
    from n alone. None if the form does not hold.
    """
    if variant == _CLASSICAL:
        return (1 << n) - 1
    if n == 0 and variant == "NNN":
        return None
    s, c, *w = map(Fraction, _CLOSED[variant].split())
    total: Fraction = (
        s * 3**n
        + c
        + sum(coefficient * _power_sum(n + power) for power, coefficient in enumerate(w))
    )
    assert total.denominator == 1
    return total.numerator


@cache
def _power_sum(n: int) -> int:
    """The sum x1^n + x2^n + x3^n, by x^3 = x + 2."""
    return (3, 0, 2)[n] if n < 3 else _power_sum(n - 2) + 2 * _power_sum(n - 3)


def _quantities(variant: str, first: int, last: int) -> tuple[Quantity, ...]:
    alike, base, limit, goal, largest = variant, 2, Fraction(1), "solved", _LARGEST_CLASSICAL
    if variant != _CLASSICAL:
        name = variant.upper()
        swapped = name.translate(SWAPPED) if name.startswith("B") else name
        alike, goal = MIRRORED.get(swapped, swapped), WORDS[HanoiRules(name, 1).shown_at_goal]
        base, limit, largest = 3, Fraction(_CLOSED[alike].split()[0]), last
    recurrence = [total_by_recurrence(alike, n) for n in range(last + 1)]
    closed_form = [total_by_closed_form(alike, n) for n in range(last + 1)]
    totals = []
    for n in range(first, last + 1):
        asked = (f"hanoi-{variant}-{n}", goal) if n <= largest else None
        totals.append(
            Value(n, recurrence[n], closed_form[n], asked, Fraction(recurrence[n], base**n))
        )
    moved = []
    for k in range(1, last + 1):
        moves, whole, less = recurrence[k] - recurrence[k - 1], closed_form[k], closed_form[k - 1]
        closed = None if whole is None or less is None else whole - less
        moved.append(Value(k, moves, closed, ratio=Fraction(moves, base ** (k - 1))))
    total = f"moves from the start to {goal}, of n disks; the ratio is to {base}^n"
    each = f"moves of disk n, 1 the largest, of n disks or more; the ratio is to {base}^(n-1)"
    return Quantity("total", total, (*totals,), limit), Quantity(
        "disk", each, (*moved,), limit * (base - 1)
    )


FORMULAS = Formulas((*(name.lower() for name in _NAMED), _CLASSICAL), MAX_DISKS, _quantities)
