"""Reference implementation of permutation puzzles:
cycles followed letter by letter, in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.naive import Neighbours

Cycles = Sequence[Sequence[int]]


def turned(state: str, cycles: Cycles, times: int = 1) -> str:
    """The state after a generator; in a cycle (a, b, c) the letter in place a goes to b."""
    for _ in range(times):
        letters = list(state)
        for cycle in cycles:
            for at, place in enumerate(cycle):
                letters[cycle[(at + 1) % len(cycle)]] = state[place]
        state = "".join(letters)
    return state


def order(cycles: Cycles) -> int:
    """The order of a generator: the number of applications until every letter is back."""
    numbered = "".join(map(chr, range(1000)))
    count = 1
    while turned(numbered, cycles, count) != numbered:
        count += 1
    return count


def permutation_neighbours(generators: Mapping[str, Cycles], *, powers: bool) -> Neighbours:
    """Every state one move away, with the generator and its power."""
    times = {
        name: list(range(1, order(cycles))) if powers else sorted({1, order(cycles) - 1})
        for name, cycles in generators.items()
    }

    def neighbours(state: str) -> Iterable[tuple[str, str]]:
        for name, cycles in generators.items():
            for count in times[name]:
                yield f"{name}*{count}", turned(state, cycles, count)

    return neighbours
