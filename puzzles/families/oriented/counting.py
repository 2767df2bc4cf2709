"""The lower bound of the wheels' God's numbers by counting sequences of turns, as in the answer of 2016."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import comb, factorial

from puzzlebase.puzzles.families.oriented import PUZZLER_STATES
from puzzlebase.tools.formulas.record import Formulas, Quantity, Value

_LARGEST = 64
_TURNS = 5  # of one wheel: the next turn is of the other wheel

_STATES = {
    "novice": comb(10, 4) * comb(11, 5),
    "challenger": comb(10, 5) * factorial(11) // (factorial(3) * factorial(4) ** 2),
    "avenger": factorial(11) * factorial(10) // (factorial(6) * factorial(5) * 2**5),
    "turnstile": factorial(11) * factorial(10) // (factorial(6) * 2**5),
    "puzzler": PUZZLER_STATES,
}
"""The states of each puzzle."""


def sequences(turns: int) -> int:
    """The number of sequences of at most `turns` turns, the wheels alternating."""
    found = last = 1
    for _ in range(turns):
        last *= _TURNS
        found += 2 * last
    return found


def least(variant: str) -> int:
    """The fewest turns that have as many sequences as there are states: God's number is at least this."""
    return next(turns for turns in count() if sequences(turns) >= _STATES[variant])


def _quantities(variant: str, first: int, last: int) -> tuple[Quantity, ...]:
    states = _STATES[variant]
    values = (
        Value(n, sequences(n), (_TURNS ** (n + 1) - 3) // 2, None, None, Fraction(sequences(n), states))
        for n in range(first, last + 1)
    )
    meaning = f"sequences of at most n turns; the ratio is to {states:,} states, and is less than 1 for fewer than "
    return (Quantity("sequences", f"{meaning}{least(variant)} turns: God's number is at least that", (*values,)),)


FORMULAS = Formulas(("turnstile", *(name for name in _STATES if name != "turnstile")), _LARGEST, _quantities)
