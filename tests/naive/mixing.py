"""Random turns, one at a time: the distribution of a state as a dictionary of its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Choices = Callable[[str, str], Iterable[tuple[str, str]]]
"""The legal next moves and their states, of a state and its last move, "" before the first."""

Distribution = dict[tuple[str, str], Fraction]
"""The probabilities of states with their last moves."""


def turned(now: Distribution, choices: Choices) -> Distribution:
    """The distribution after one more turn, each choice equally likely."""
    after: Distribution = {}
    for (state, last), probability in now.items():
        every = list(choices(state, last))
        for move, to in every:
            after[to, move] = after.get((to, move), Fraction(0)) + probability / len(every)
    return after


def of_states(now: Distribution) -> dict[str, Fraction]:
    """The distribution of the state alone."""
    found: dict[str, Fraction] = {}
    for (state, _), probability in now.items():
        found[state] = found.get(state, Fraction(0)) + probability
    return found


def from_uniform(now: dict[str, Fraction], states: int) -> Fraction:
    """The total variation distance from the uniform distribution over some number of states."""
    missing = states - len(now)
    return (
        sum((abs(p - Fraction(1, states)) for p in now.values()), Fraction(0))
        + Fraction(missing, states)
    ) / 2
