"""When an answer must be ready."""

from __future__ import annotations

from math import inf
from time import monotonic

from puzzlebase.service.error_status import TooMuchWork


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
