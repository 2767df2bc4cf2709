"""The hardest states once more: every shortest solution counted,
over dictionaries of texts; see __init__.py.
"""

from __future__ import annotations

from math import inf

from tests.naive import Neighbours


def kinds(known: dict[str, int], neighbours: Neighbours) -> dict[str, set[str]]:
    """All states of each kind; `known` are the distances of all states that can reach the goal."""
    most = max(known.values())
    solutions: dict[str, int] = {}
    found: dict[str, set[str]] = {
        "antipodes": {state for state, distance in known.items() if distance == most},
        "one-solution": set(),
        "one-good-move": set(),
        "local-maxima": set(),
    }
    for state in sorted(known, key=known.__getitem__):
        after = [to for _, to in neighbours(state)]
        nearer = [to for to in after if known.get(to, inf) < known[state]]
        solutions[state] = sum(solutions[to] for to in nearer) if known[state] else 1
        if known[state] and solutions[state] == 1:
            found["one-solution"].add(state)
        if len(nearer) == 1 and len(after) > 1:
            found["one-good-move"].add(state)
        if after and all(known.get(to, inf) <= known[state] for to in after):
            found["local-maxima"].add(state)
    return found
