"""The fewest moves of Panex for towers of any height, by recurrence and by closed form.

The closed forms are sums of powers of 1 + sqrt(2) and of its conjugate,
computed in integers: a + b sqrt(2) is (a, b).
"""

from __future__ import annotations

from puzzlebase.plugins.formulas.record import Formulas, Quantity, Value
from puzzlebase.puzzles.families.panex.board import MAX_SIZE
from puzzlebase.puzzles.families.panex.constructions import PanexOperation, construction_length
from puzzlebase.puzzles.families.panex.goals import named_panex_goals

_LARGEST = 64

_DEFINED_FROM = {"S": 2, "S-bar": 2, "U": 5, "L": 5}


def formula_by_recurrence(name: str, n: int) -> int | None:
    """A quantity of Panex from those of smaller n,
    all but L from a construction's parts; None if it is not defined.
    """
    if n < _DEFINED_FROM.get(name, 1):
        return None
    if name != "L":
        return construction_length(PanexOperation("X" if name == "U" else name, n))
    before, last = 320, 796  # of n = 5 and 6
    for _ in range(n - 5):
        before, last = last, 2 * last + before + 32
    return before


def formula_by_closed_form(name: str, n: int) -> int | None:
    """A quantity of Panex from n alone; None if the form does not hold."""
    if n < (5 if name in ("X", "U", "L") else 3):
        return None
    if name in ("X", "U"):
        return 7 * _with_conjugate((7, -4), n) // 2 - 8 * n - 2  # what is halved is even
    if name == "L":
        return 7 * _with_conjugate((2, -1), n) - 16
    one: int = (7 * _with_conjugate((1, 0), n - 1) + 2 * (-1) ** n) // 4 - 1
    corner = one if n % 2 else one - 1
    return {"T": one, "T-bar": corner}.get(name, corner - 1)


def _with_conjugate(factor: tuple[int, int], n: int) -> int:
    """The sum of factor (1 + sqrt(2))^n and its conjugate."""
    a, b = factor
    for _ in range(n):
        a, b = a + 2 * b, a + b
    return 2 * a


_MEANINGS = {
    "T": ("centre", "moves of a tower from a side track to the centre"),
    "T-bar": ("centre-corner", "the same, where tile 1 ends on the far tower"),
    "S": ("sink", "moves that sink tile n below a tower in the centre"),
    "S-bar": ("sink-corner", "the same, where tile 1 begins on the far tower"),
    "X": (
        "exchange",
        "moves that exchange the towers; U for n >= 5 (research/panex_theorem/README.md)",
    ),
    "U": (None, "moves of the construction of 1983 that exchanges the towers: solve --method seed"),
    "L": (None, "moves that are needed to exchange the tiles n alone"),
}


def _quantities(_variant: str, first: int, last: int) -> tuple[Quantity, ...]:
    quantities = []
    for name, (goal, meaning) in _MEANINGS.items():
        values = []
        for n in range(first, last + 1):
            known = n <= MAX_SIZE and any(goal == each.name for each in named_panex_goals(n))
            asked = (f"panex-{n}", goal) if known and goal else None
            values.append(
                Value(
                    n, formula_by_recurrence(name, n), formula_by_closed_form(name, n), goal=asked
                )
            )
        quantities.append(Quantity(name, meaning, tuple(values)))
    return tuple(quantities)


FORMULAS = Formulas((), _LARGEST, _quantities)
