"""What an answer may take: its time, and what searches may spend, who ask `spend` after each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from puzzlebase.puzzles import Spend
from puzzlebase.service.error_status import TooMuchWork

DEFAULT_SEARCH_MEMORY = 1 << 29
"""Bytes that one search may hold."""


@dataclass(frozen=True)
class SearchLimits:
    """What the searches of one request may spend."""

    states: int = 1_000_000_000  # expanded
    seconds: float = 30.0
    memory: int = DEFAULT_SEARCH_MEMORY  # bytes
    at_once: int = 2  # requests that may search at the same time

    def begin(self, on_progress: Callable[[int, int], None] | None = None) -> Budget:
        """A budget within these limits, from now on."""
        return Budget(self.states, self.seconds, self.memory, on_progress)


class Budget:
    """What the searches of one request may still spend: states, and seconds counted from when this is made.

    `on_progress` is told the states expanded so far and the lower bound proven of the state that is searched now.
    """

    def __init__(
        self,
        states: float = inf,
        seconds: float = inf,
        memory: int = DEFAULT_SEARCH_MEMORY,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.memory, self.states, self.stopped = memory, 0, False
        self._max_states, self._end = states, monotonic() + seconds
        self._on_progress = on_progress

    def spend(self, states: int, lower_bound: int) -> bool:
        """Count the states that a search has expanded since it last asked; whether it may go on."""
        self.states += states
        if self._on_progress:
            self._on_progress(self.states, lower_bound)
        return not self.over and self.states < self._max_states

    def within(self, share: float) -> Spend:
        """`spend` for a search that is to leave something for others: it may spend a share of what is left."""
        now = monotonic()
        end, most = now + share * (self._end - now), self.states + share * (self._max_states - self.states)

        def spend(states: int, lower_bound: int) -> bool:
            return self.spend(states, lower_bound) and monotonic() < end and self.states < most

        return spend

    @property
    def over(self) -> bool:
        """Whether no other search should begin: the time is up, or nobody waits for the answer any more."""
        return self.stopped or monotonic() >= self._end

    def stop(self) -> None:
        """End the search that is running and let no other begin; any thread may call this."""
        self.stopped = True


class Deadline:
    """The time by which one answer must be ready, counted from when this is made."""

    def __init__(self, seconds: float = inf) -> None:
        self._seconds = seconds
        self._end = monotonic() + seconds

    def check(self) -> None:
        """Raise TooMuchWork if the time is up. Call this in every loop whose length the caller chooses."""
        if monotonic() > self._end:
            raise TooMuchWork(
                f"the answer takes longer than the {self._seconds:g} s that it may take",
                "ask for less: fewer states or moves, a lower offset, or no `all`; a long solution can be continued "
                "from any of its states",
            )


NO_DEADLINE = Deadline()
