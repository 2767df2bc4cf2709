"""A budget of bytes for bodies and large answers: a share of a worker's memory.

When it is spent, clients without progress for a second are dropped, the longest idle first. So nobody shuts others out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, RLock
from time import monotonic

_STALLED = 1.0  # seconds without progress after which a client may be dropped
_DROPPING = 5.0  # seconds that a thread waits for clients to stall and be dropped
_LOOK_AGAIN = 0.1


@dataclass(eq=False, slots=True)
class Client:
    """A client whose bytes are counted; `drop` makes it give them back, soon or at once."""

    drop: Callable[[], object]
    size: int = 0
    progressed: float = field(default_factory=monotonic)


class ByteBudget:
    """A budget of `bound` bytes for several threads. `report` gets the bytes taken, under `part`."""

    def __init__(self, part: str, bound: int, report: Callable[[Mapping[str, int]], None]) -> None:
        self.part = part
        self.bound = bound
        self.taken = 0
        self._report = report
        self._changed = Condition(RLock())
        self._clients: set[Client] = set()
        self.give(0)

    def take(self, size: int, *, wait: bool = False) -> bool:
        """Take bytes if they fit, perhaps after clients are dropped; a single client always fits. True if taken.

        `wait` for clients to stall and be dropped; the event loop must not wait.
        """
        with self._changed:
            until = monotonic() + (_DROPPING if wait else 0)
            while not self._fits(size):
                self._drop_stalled(size)
                if not self._fits(size):
                    if monotonic() >= until:
                        return False
                    self._changed.wait(_LOOK_AGAIN)
            self.taken += size
            self._report({self.part: self.taken})
            return True

    def give(self, size: int) -> None:
        """Give bytes back."""
        with self._changed:
            self.taken -= size
            self._report({self.part: self.taken})
            self._changed.notify_all()

    @contextmanager
    def watching(self, client: Client) -> Iterator[None]:
        """Allow a client to be dropped inside the block."""
        with self._changed:
            self._clients.add(client)
        try:
            yield
        finally:
            with self._changed:
                self._clients.discard(client)

    def _fits(self, size: int) -> bool:
        return not self.taken or self.taken + size <= self.bound

    def _drop_stalled(self, size: int) -> None:
        """Drop as many stalled clients as are needed so that so many bytes fit."""
        stalled_since = monotonic() - _STALLED
        needed = self.taken + size - self.bound
        for client in sorted(self._clients, key=lambda client: client.progressed):
            if needed <= 0 or client.progressed > stalled_since:
                break
            needed -= client.size  # one that was dropped before gives them back when the event loop comes to it
            if client.size:
                client.drop()
