"""How many things each cache of this folder keeps; all are bounded, since callers choose the names and goals.

By far the largest cache is that of distances: each open table holds up to `db.DEFAULT_MEMORY` bytes of them,
or as many as `puzzlebase serve --memory` says. What a search may hold is in budget.py.
"""

TABLE_SOURCES = 256
"""Tables by the puzzle and the goal that a request named."""

SOLVERS = 16
"""Solvers of one oracle, by goal. To make one takes milliseconds."""

WAYPOINTS = 1_000
"""States that long solutions of one table pass."""
