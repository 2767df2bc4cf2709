"""The hardest states of a puzzle, which a query finds in its table."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from puzzlebase.db.sql.limits import DEFAULT_LIMITS, StatementLimits

if TYPE_CHECKING:
    from puzzlebase.service.sources.table import OpenTable

# The kinds of hardest states, and which states of a kind are named.
KINDS = {
    "antipodes": "states farthest from the goal",
    "one-solution": "unsolved states with exactly one shortest solution; the farthest of them",
    "one-good-move": "states with exactly one optimal move among several, "
    "so that every other one is a mistake; the farthest of them",
    "local-maxima": "states with no move that leads farther from the goal; the nearest of them",
}

MOST_EXAMINED = 4_000_000
MOST_NAMED = 100  # states of a kind


class KindOfStates(TypedDict):
    """The states of one kind, counted, and some of them by name."""

    kind: str
    meaning: str  # its states, and which of them are named
    # false if the numbers are those of a sample, so that other states may be farther, or nearer
    exact: bool
    # their number at all distances; None, as the next two, if a sample cannot tell
    states: int | None
    by_distance: list[int] | None  # their number at distance 0, 1, 2, ... from the goal
    distance: int | None  # of those that are named; None where there are none
    count: int | None  # of the states at this distance; 0 if there are none
    named: list[str]  # some of these, at most MOST_NAMED


class HardestAnswer(TypedDict):
    """The hardest states of a puzzle and goal."""

    puzzle: str
    goal: str
    sample: int | None  # number of random states that were examined; None if all were
    kinds: list[KindOfStates]


def hardest(
    source: OpenTable, most: int = MOST_EXAMINED, limits: StatementLimits = DEFAULT_LIMITS
) -> HardestAnswer:
    """Examine all states of a table,
    or `most` random ones of a larger table; raises LimitReached.
    """
    from puzzlebase.service.sql.tables import session_over_tables

    path = source.table.header.path
    query = files(__package__).joinpath("hardest.sql").read_text("utf-8")
    variables = f"SET VARIABLE most = {most}; SET VARIABLE named = {MOST_NAMED};"
    with session_over_tables(path.parent, limits) as session:
        session.set_puzzle(path.stem)
        (result,) = session.run(variables + query)
        columns, rows = result.rows()
        found: dict[str, Any] = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
    return {
        "puzzle": source.puzzle.name,
        "goal": source.goal.name,
        "sample": most if most < source.table.info.states else None,
        "kinds": [found[name] | {"meaning": meaning} for name, meaning in KINDS.items()],
    }
