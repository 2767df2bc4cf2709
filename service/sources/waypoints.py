"""States that long solutions pass, so that the next part of a solution does not begin at its first move."""

from __future__ import annotations

from threading import Lock

from cachetools import LRUCache

_SPACING = 10_000  # moves
_KEPT = 1_000
"""Waypoints of one table that are remembered: callers choose the states that they begin from."""


class Waypoints:
    """Every 10,000th state of the solutions followed lately, of one table; any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: LRUCache[tuple[int, int], int] = LRUCache(_KEPT)

    def last_before(self, start: int, moves: int) -> tuple[int, int]:
        """The last known waypoint at most so many moves from the start: its moves from there, and its index."""
        with self._lock:
            for made in range(moves // _SPACING * _SPACING, 0, -_SPACING):
                if (start, made) in self._states:
                    return made, self._states[start, made]
        return 0, start

    def pass_by(self, start: int, made: int, index: int) -> None:
        """Note the state that so many moves of the solution of `start` lead to, if it is a waypoint."""
        if made % _SPACING == 0:
            with self._lock:
                self._states[start, made] = index
