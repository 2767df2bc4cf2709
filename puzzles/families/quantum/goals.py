"""Goals: every tile at home; perhaps with blocked positions; perhaps good enough, with a measure
within a limit.

A goal's text has one or both of `blocked:0,8` and `manhattan<=500`, with a space between.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from puzzlebase.puzzles import Goal, ImpossibleState, UnknownGoal, shorten
from puzzlebase.puzzles.families.quantum.board import QuantumRules
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph
from puzzlebase.puzzles.families.quantum.measures import (
    MEASURES,
    QUADRANTS,
    measure_counts,
    measure_of_units,
)

SOLVED = "solved"

_TEXT = re.compile(
    rf"(?:blocked:([0-9]{{1,2}}(?:,[0-9]{{1,2}})*))?(?: "
    rf"?\b({'|'.join(MEASURES)})(<=|>=)(0|[1-9][0-9]{{0,7}}))?"
)


@dataclass(frozen=True)
class Aim:
    """A goal: the graph of its positions, and for a goal that is good enough its measure.

    A unit counts `counted`, int64[positions, tiles], and all units count at most `most`; both are
    negated if more is better.
    """

    rules: QuantumRules
    graph: PositionGraph
    counted: Ints | None = None
    most: int = 0

    def reached(self, units: Ints) -> bool:
        """True if a board is solved."""
        if self.counted is None:
            return bool((units.diagonal() == self.rules.k).all())
        return measure_of_units(units, self.counted) <= self.most

    def check(self, units: Ints) -> None:
        """Raise ImpossibleState if a blocked position does not hold its own tile alone."""
        for position in sorted(self.graph.blocked):
            if (own := units[position, position]) != self.rules.k:
                raise ImpossibleState(
                    f"position {position} is blocked and holds {own} units of its tile, not "
                    f"{self.rules.k}",
                    "nothing enters or leaves a blocked position: it holds its own tile alone, or "
                    "do not block it",
                )


def goal_of(rules: QuantumRules, text: str) -> Goal:
    """Read a goal where there is no table; raises UnknownGoal, also for a state."""
    read_quantum_goal(rules, text)
    return Goal(text, (rules.solved,), rules.solved)


@lru_cache(maxsize=64)
def read_quantum_goal(rules: QuantumRules, text: str) -> Aim:
    """Read the text of a quantum goal; raises UnknownGoal."""
    if text == SOLVED:
        return Aim(rules, rules.graph)
    hint = (
        f"goals are {SOLVED}, or like blocked:0,8 or manhattan<=500 or 'blocked:0 "
        "entropy<=100' or quadrants>=10000"
    )
    found = _TEXT.fullmatch(text)
    if found is None or (found[2] and (found[3] == ">=") != (found[2] == QUADRANTS)):
        raise UnknownGoal(f"{shorten(text)!r} is no goal of {rules.name}", hint)
    blocked = frozenset(map(int, found[1].split(","))) if found[1] else frozenset[int]()
    graph = PositionGraph(rules.height, rules.width, rules.space, blocked)
    if blocked and max(blocked) >= rules.positions:
        raise UnknownGoal(
            f"{rules.name} has no position {max(blocked)}",
            f"positions are 0 to {rules.positions - 1}",
        )
    if rules.space in blocked:
        raise UnknownGoal(f"position {rules.space} is the space's home and cannot be blocked", hint)
    if not graph.connected:
        raise UnknownGoal(
            f"{shorten(text)!r} leaves positions that no path joins", "block fewer positions"
        )
    if not found[2]:
        return Aim(rules, graph)
    sign = -1 if found[2] == QUADRANTS else 1
    counted, most = sign * measure_counts(found[2], rules.graph), sign * int(found[4])
    best = int(counted.diagonal().sum()) * rules.k
    if best > most:
        raise UnknownGoal(
            f"no board has {found[2]} {found[3]} {found[4]}", f"a solved board has {abs(best)}"
        )
    return Aim(rules, graph, counted, most)
