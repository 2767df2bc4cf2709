"""Limits of an answer: its time, and the budget of its searches,
which call `spend` after each step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from puzzlebase.service.error_status import TooMuchWork

DEFAULT_SEARCH_MEMORY = 1 << 29  # bytes that one search may hold


@dataclass(frozen=True)
class SearchLimits:
    """The limits of the searches of one request."""

    states: int = 1_000_000_000  # expanded
    seconds: float = 30.0
    memory: int = DEFAULT_SEARCH_MEMORY  # bytes
    at_once: int = 2  # requests that may search at the same time

    def begin(self, on_progress: Callable[[int, int], None] | None = None) -> Budget:
        """Begin a budget within these limits."""
        return Budget(self.states, self.seconds, self.memory, on_progress)


class Budget:
    """The budget of one request's searches: states, and seconds from now.

    `on_progress` gets the states expanded so far and the proven
    lower bound of the state under search.
    """

    def __init__(
        self,
        states: float = inf,
        seconds: float = inf,
        memory: int = DEFAULT_SEARCH_MEMORY,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.memory, self.states, self.stopped = memory, 0, False
        self._max_states, self._seconds, self._on_progress = states, seconds, on_progress
        self.restart()

    def restart(self) -> None:
        """Let the seconds begin now, when what searches need is ready."""
        self._end = monotonic() + self._seconds

    def spend(self, states: int, lower_bound: int) -> bool:
        """Count the states that a search has expanded since its last call; True if it may go on."""
        self.states += states
        if self._on_progress:
            self._on_progress(self.states, lower_bound)
        return not self.over and self.states < self._max_states

    def end_after(self, states: int) -> None:
        """End all searches after so many states more, if the budget is not less."""
        self._max_states = min(self._max_states, self.states + states)

    @property
    def over(self) -> bool:
        """True if no search should begin any more:
        the time is up, or nobody waits for the answer.
        """
        return self.stopped or monotonic() >= self._end

    def stop(self) -> None:
        """End the running search and allow no other; safe to call from any thread."""
        self.stopped = True


class Deadline:
    """The time by which one answer must be ready, in seconds from now."""

    def __init__(self, seconds: float = inf) -> None:
        self._seconds = seconds
        self._end = monotonic() + seconds

    def check(self) -> None:
        """Raise TooMuchWork if the time is up.
        Every loop whose length depends on the request calls this.
        """
        if monotonic() > self._end:
            raise TooMuchWork(
                f"the answer takes longer than the {self._seconds:g} s that it may take",
                "ask for less: fewer states or moves, a lower offset, or no `all`; a long "
                "solution can be continued from any of its states",
            )


NO_DEADLINE = Deadline()
