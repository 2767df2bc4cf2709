"""One bound for what a worker holds: tables, layers, oracles, spaces, and the searches under way.

What can be made again is a holding. When a new one needs room, those that were used longest ago are freed, and their
memory goes back to the system. What cannot fit at all is refused.
"""

from __future__ import annotations

import ctypes
import gc
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from threading import RLock
from time import monotonic

from puzzlebase.puzzles.machinery.spaces import SPACES
from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.sources.sizes import bytes_held

_RESIDENT_SHARE = 3 / 4
"""Of the bound: a table that takes more is read block by block."""

_BLOCKS_SHARE = 1 / 8
"""Of the bound: what the blocks of such a table may take."""

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE_BLOCK = 1 << 20

_MEASURED_FOR = 10.0
"""Seconds until sizes are taken anew: what is held grows by what answers add to it."""


class Holding(ABC):
    """Something that a worker holds and can make again."""

    part: str
    """What /metrics counts it as."""

    used: float = 0.0
    """When it was last used, by `time.monotonic`."""

    size: int = 0
    """Bytes when they were last counted, those of spaces left out."""

    @property
    @abstractmethod
    def held(self) -> object:
        """The objects whose bytes are counted."""

    @abstractmethod
    def free(self) -> None:
        """Make its memory free after the last answer from it, if that can be done now."""


class Memory:
    """The account of one worker; safe to use from several threads.

    `bound` is in bytes. `report` is told the bytes held, by what they are held for, when they have changed.
    """

    def __init__(self, bound: int, report: Callable[[Counter[str]], None] = lambda _parts: None) -> None:
        self.bound = bound
        self._report = report
        self._lock = RLock()
        self._holdings: list[Holding] = []
        self._reserved: Counter[str] = Counter()
        self._spaces = 0
        self._measured_spaces: set[int] = set()
        self._measured = -inf

    def hold(self, holding: Holding) -> None:
        """Enter a holding, and let others go if all together are over the bound."""
        with self._lock:
            holding.used = monotonic()
            self._holdings.append(holding)
            self._measured = -inf
            self._make_room(0, keep=holding)
            self._report(self.parts())

    def forget(self, holding: Holding) -> None:
        """Strike out a holding that nobody will use again."""
        with self._lock, suppress(ValueError):
            self._holdings.remove(holding)

    def for_blocks(self, wanted: int) -> int:
        """How many bytes a table may hold whose blocks take so many: all of them, or those used last."""
        if wanted > self.bound * _RESIDENT_SHARE:
            return int(self.bound * _BLOCKS_SHARE)
        with self._lock:
            self._make_room(wanted)
            self._measured = -inf
        return wanted

    @contextmanager
    def reserve(self, part: str, size: int) -> Iterator[None]:
        """Count bytes that are about to be taken, until the block ends; raises Overloaded where they do not fit."""
        with self._lock:
            if not self._make_room(size):
                raise Overloaded("the service's memory is in use", "try again in a moment, or serve with more --memory")
            self._reserved[part] += size
            self._report(self.parts())
        try:
            yield
        finally:
            with self._lock:
                self._reserved[part] -= size
                self._report(self.parts())
            give_back()

    def parts(self) -> Counter[str]:
        """The bytes held, by what they are held for."""
        with self._lock:
            self._measure()
            parts = Counter(self._reserved)
            parts["spaces"] = self._spaces
            for holding in self._holdings:
                parts[holding.part] += holding.size
        return parts

    def _measure(self) -> None:
        """Count the bytes anew where something has come or gone, or the last count is old."""
        spaces = SPACES.in_use()
        ids = {*map(id, spaces)}
        if ids == self._measured_spaces and monotonic() - self._measured < _MEASURED_FOR:
            return
        counted: set[int] = set()
        self._spaces = bytes_held(spaces, counted=counted)
        for holding in self._holdings:
            holding.size = bytes_held(holding.held, counted=counted)
        self._measured_spaces = ids
        self._measured = monotonic()

    def _make_room(self, size: int, keep: Holding | None = None) -> bool:
        """Free what was used longest ago until so many bytes are free; whether they are."""
        if self._fits(size):
            return True
        SPACES.free()
        for oldest in sorted(self._holdings, key=lambda holding: holding.used):
            if oldest is not keep:  # one that counts few bytes may be all that keeps a space in memory
                oldest.free()
                self._measured = -inf
                if self._fits(size):
                    break
        else:
            gc.collect()  # what only refers to itself
            self._measured = -inf
        give_back()
        return self._fits(size)

    def _fits(self, size: int) -> bool:
        return self.parts().total() + size <= self.bound


def give_back() -> None:
    """Return freed memory to the system; the C library would keep it."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def return_large_blocks() -> None:
    """From now on, have each large block go back to the system when it is freed.

    The GNU C library does so at first, and after the first such block no longer: a worker that held 64 MB of unread
    answers took 208 MB for them.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
