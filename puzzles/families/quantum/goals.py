"""Goals: every tile at home; perhaps with blocked positions; perhaps good enough, with a measure
within a limit.

A goal's text has one or both of `blocked:0,8` and `manhattan<=500`, with a space between. The five
measures are those of Adams' paper: each unit of a tile counts by its position, and the space counts
nothing. A low value is good, except of quadrants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from puzzlebase.puzzles import Goal, ImpossibleState, UnknownGoal, shorten
from puzzlebase.puzzles.families.quantum.board import QuantumRules
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph

SOLVED = "solved"

MANHATTAN, ROWS, COLUMNS, QUADRANTS, ENTROPY = MEASURES = (
    "manhattan",
    "rows",
    "columns",
    "quadrants",
    "entropy",
)
"""Steps to the home; to its row; to its column;
blocks of 2×2 that hold the unit and its home; 1 if away from home.
"""

_TEXT = re.compile(
    rf"(?:blocked:([0-9]{{1,2}}(?:,[0-9]{{1,2}})*))?(?: "
    rf"?\b({'|'.join(MEASURES)})(<=|>=)(0|[1-9][0-9]{{0,7}}))?"
)


@cache
def unit_counts(measure: str, graph: PositionGraph) -> Ints:
    """The count of a unit of each tile in each position,
    none of them blocked: int64[positions, tiles].
    """
    rows, columns = np.divmod(np.arange(graph.size), graph.width)
    down = np.abs(rows[:, None] - rows)
    across = np.abs(columns[:, None] - columns)
    if measure == QUADRANTS:  # positions of one side, by the blocks that hold them
        sides = (
            np.eye(side, side - 1) + np.eye(side, side - 1, -1)
            for side in (graph.height, graph.width)
        )
        counted = np.kron(*(inside @ inside.T for inside in sides)).astype(np.int64)
    else:
        counted = {ROWS: down, COLUMNS: across, ENTROPY: np.minimum(down + across, 1)}.get(
            measure, down + across
        )
    counted[:, graph.home] = 0
    counted.flags.writeable = False
    return counted


def goal_measure(units: Ints, counted: Ints) -> int:
    """The measure of a board, int64[positions, tiles], from the counts of its units."""
    return int((units * counted).sum())


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
        return goal_measure(units, self.counted) <= self.most

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
    read_goal(rules, text)
    return Goal(text, (rules.solved,), rules.solved)


@lru_cache(maxsize=64)
def read_goal(rules: QuantumRules, text: str) -> Aim:
    """Read a goal; raises UnknownGoal."""
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
    counted, most = sign * unit_counts(found[2], rules.graph), sign * int(found[4])
    best = int(counted.diagonal().sum()) * rules.k
    if best > most:
        raise UnknownGoal(
            f"no board has {found[2]} {found[3]} {found[4]}", f"a solved board has {abs(best)}"
        )
    return Aim(rules, graph, counted, most)
