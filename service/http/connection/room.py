"""Room for what requests bring and answers leave: a share of a worker's memory, counted as bytes come and go.

Whoever stalls makes room for others: when all of it is taken, those guests leave who have made no progress for a
second, the longest of them first. So a few clients that never end keep no one else out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Condition, RLock
from time import monotonic

_STALLED = 1.0
"""Seconds without progress after which a guest has to make room."""

_LEAVING = 5.0
"""Seconds that a thread waits for guests to stall and leave."""

_LOOK_AGAIN = 0.1


@dataclass(eq=False, slots=True)
class Guest:
    """Something under way that may have to make room: `leave` makes it give back its bytes, soon or at once."""

    leave: Callable[[], None]
    size: int = 0
    progressed: float = field(default_factory=monotonic)


class Room:
    """A share of `bound` bytes; safe to use from several threads.

    `report` is told the bytes taken, under the name of this `part`.
    """

    def __init__(self, part: str, bound: int, report: Callable[[Mapping[str, int]], None]) -> None:
        self.part = part
        self.bound = bound
        self.taken = 0
        self._report = report
        self._changed = Condition(RLock())
        self._guests: set[Guest] = set()
        self.give(0)

    def take(self, size: int, *, wait: bool = False) -> bool:
        """Count so many more bytes, if there is room or can be made. What is alone always has room.

        `wait` until guests have left, which the event loop must not.
        """
        with self._changed:
            until = monotonic() + (_LEAVING if wait else 0)
            while not self._fits(size):
                self._make_room(size)
                if not self._fits(size):
                    if monotonic() >= until:
                        return False
                    self._changed.wait(_LOOK_AGAIN)
            self.taken += size
            self._report({self.part: self.taken})
            return True

    def give(self, size: int) -> None:
        """Count so many bytes less."""
        with self._changed:
            self.taken -= size
            self._report({self.part: self.taken})
            self._changed.notify_all()

    def enter(self, guest: Guest) -> None:
        """From now on, this one may have to make room."""
        with self._changed:
            self._guests.add(guest)

    def leave(self, guest: Guest) -> None:
        """From now on, this one need not."""
        with self._changed:
            self._guests.discard(guest)

    def _fits(self, size: int) -> bool:
        return not self.taken or self.taken + size <= self.bound

    def _make_room(self, size: int) -> None:
        """Have stalled guests leave, as many as this takes."""
        stalled_since = monotonic() - _STALLED
        needed = self.taken + size - self.bound
        for guest in sorted(self._guests, key=lambda guest: guest.progressed):
            if needed <= 0 or guest.progressed > stalled_since:
                break
            needed -= guest.size
            self._guests.discard(guest)
            guest.leave()
