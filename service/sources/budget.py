"""What searches may spend, and where they give up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

MEMORY = 1 << 29


@dataclass(frozen=True)
class SearchLimits:
    """What the searches of one request may spend, and how many requests may search at once.

    `states` are those expanded, `memory` is in bytes.
    """

    states: int = 1_000_000_000
    seconds: float = 30.0
    memory: int = MEMORY
    at_once: int = 2


class Budget:
    """What the searches of a request may still spend: states, and seconds from now on.

    `tell` hears of the states expanded so far and the bound proven of the state searched now.
    """

    def __init__(
        self,
        states: float = inf,
        seconds: float = inf,
        memory: int = MEMORY,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        self.memory = memory
        self.states = 0
        self._most = states
        self._until = monotonic() + seconds
        self._tell = tell
        self.stopped = False

    def spend(self, states: int, lower_bound: int) -> bool:
        """Whether a search that has expanded so many more states may go on."""
        self.states += states
        if self._tell:
            self._tell(self.states, lower_bound)
        return not self.over and self.states < self._most

    @property
    def over(self) -> bool:
        """Whether no search need begin: nobody waits for it any more, or the time is up."""
        return self.stopped or monotonic() >= self._until

    def stop(self) -> None:
        """Have the search under way end, and let no other begin; from any thread."""
        self.stopped = True
