"""How many things each cache of this folder keeps; all are bounded, since callers choose the names and goals.

These are bounds by number. The bytes of tables, layers, oracles, spaces and searches together are bounded by memory.py,
and those of one search by budget.py.
"""

TABLE_SOURCES = 256
"""Tables by the puzzle and the goal that a request named."""

SOLVERS = 16
"""Solvers of one oracle, by goal. To make one takes milliseconds."""

WAYPOINTS = 1_000
"""States that long solutions of one table pass."""
