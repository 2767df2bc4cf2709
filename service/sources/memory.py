"""One bound for all that a worker holds: tables,
layers, oracles, spaces, and the searches under way.

All that is held can be made again, so the least recently used goes first; what keeps others in
memory goes before them. A request that cannot fit at all is refused.
"""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock
from time import monotonic
from typing import ClassVar, TypeVar

from puzzlebase.puzzles.machinery.spaces import SPACES
from puzzlebase.service.error_status import Overloaded
from puzzlebase.system import return_freed_memory


class Holding(ABC):
    """An object that a worker holds and can make again."""

    used: float = 0.0  # the time of its last use, by `time.monotonic`
    keeps_others: ClassVar[bool] = (
        False  # True if it refers to what others hold, so that only both together free it
    )

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """The bytes that it takes now, without those of spaces and of mapped files."""

    @abstractmethod
    def free(self) -> None:
        """Free its memory after the last answer from it, if that is possible now."""


AHolding = TypeVar("AHolding", bound=Holding)


class Memory:
    """The account of one worker, bound in bytes; safe to use from several threads."""

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._lock = RLock()
        self._holdings: list[Holding] = []
        self._reserved = 0

    def hold(self, holding: Holding) -> None:
        """Enter a holding, and evict others if the total is over the bound."""
        with self._lock:
            holding.used = monotonic()
            self._holdings.append(holding)
            self._evict_for(0, keep=holding)

    def the(self, kind: type[AHolding]) -> AHolding:
        """The only holding of a class, made at the first call. This is a use of it."""
        with self._lock:
            for holding in self._holdings:
                if isinstance(holding, kind):
                    holding.used = monotonic()
                    return holding
            made = kind()
            self.hold(made)
        return made

    def forget(self, holding: Holding) -> None:
        """Remove a holding that nobody will use again."""
        with self._lock, suppress(ValueError):
            self._holdings.remove(holding)

    def make_room(self, size: int) -> None:
        """Evict the least recently used until so many bytes are free,
        or nothing is left to evict.
        """
        with self._lock:
            self._evict_for(size)

    @contextmanager
    def reserve(self, size: int) -> Iterator[None]:
        """Reserve bytes until the block ends; raises Overloaded if they do not fit."""
        with self._lock:
            if not self._evict_for(size):
                raise Overloaded(
                    "the service's memory is in use",
                    "try again in a moment, or serve with more --memory",
                )
            self._reserved += size
        try:
            yield
        finally:
            with self._lock:
                self._reserved -= size
            return_freed_memory()

    @property
    def held(self) -> int:
        """The bytes held and reserved, with those of spaces."""
        with self._lock:
            return (
                self._reserved + SPACES.nbytes + sum(holding.nbytes for holding in self._holdings)
            )

    def _evict_for(self, size: int, keep: Holding | None = None) -> bool:
        """Evict the least recently used until so many bytes are free; True if they are."""
        if self._fits(size):
            return True
        SPACES.free()
        for oldest in sorted(
            self._holdings, key=lambda holding: (not holding.keeps_others, holding.used)
        ):
            if oldest is not keep:  # a holding of few bytes may be all that keeps a space in memory
                oldest.free()
                if self._fits(size):
                    break
        else:
            if self.bound:  # else a command would search all that Python has loaded
                gc.collect()  # what only refers to itself
        return_freed_memory()
        return self._fits(size)

    def _fits(self, size: int) -> bool:
        return 0 < self.bound >= self.held + size
