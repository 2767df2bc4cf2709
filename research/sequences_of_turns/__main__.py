"""Count sequences of turns of color wheels:
God's number is at least the turns that have as many as there are states.

`python -m research.sequences_of_turns turnstile 13 14`, at the top of the project.
"""

from __future__ import annotations

import sys
from itertools import count
from math import comb, factorial

_TURNS = 5  # of one wheel: the next turn is of the other wheel

STATES = {
    "novice": comb(10, 4) * comb(11, 5),
    "challenger": comb(10, 5) * factorial(11) // (factorial(3) * factorial(4) ** 2),
    "avenger": factorial(11) * factorial(10) // (factorial(6) * factorial(5) * 2**5),
    "turnstile": factorial(11) * factorial(10) // (factorial(6) * 2**5),
    "puzzler": 123_744_973_968_000,
}
"""The states of each puzzle."""


def sequences(turns: int) -> int:
    """The number of sequences of at most `turns` turns, the wheels alternating."""
    found = last = 1
    for _ in range(turns):
        last *= _TURNS
        found += 2 * last
    return found


def least(name: str) -> int:
    """The fewest turns that have as many sequences as there are states."""
    return next(turns for turns in count() if sequences(turns) >= STATES[name])


def main(name: str, *turns: int) -> None:
    """Print the bound, and the sequences of some numbers of turns."""
    print(
        f"{name}: fewer than {least(name)} turns have fewer sequences than "
        f"its {STATES[name]:,} states"
    )
    for number in turns:
        print(f"  {sequences(number):,} sequences of at most {number} turns")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
