"""One bound for all that a worker holds: tables, layers, oracles, spaces, and the searches under way.

Holdings can be made again: the least recently used is evicted first. A request that cannot fit at all is refused.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from mmap import mmap
from threading import RLock
from time import monotonic
from types import FunctionType, ModuleType
from typing import Any, TypeVar
from weakref import ProxyTypes

import numpy as np

from puzzlebase.puzzles.machinery.spaces import SPACES
from puzzlebase.service.error_status import Overloaded

_RESIDENT_SHARE = 3 / 4  # of the bound: a table that takes more is read block by block
_BLOCKS_SHARE = 1 / 8  # of the bound: for the blocks of such a table
_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE_BLOCK = 1 << 20
_LARGE = 10_000  # elements of a collection above which not each is measured
_EACH = 64  # bytes that each of these counts as
_MEASURED_FOR = 10.0  # seconds until sizes are measured again, since answers add to holdings


class Holding(ABC):
    """An object that a worker holds and can make again."""

    part: str  # its name in /metrics
    used: float = 0.0  # the time of its last use, by `time.monotonic`
    size: int = 0  # bytes at the last count, without those of spaces

    @property
    @abstractmethod
    def held(self) -> object:
        """The objects whose bytes are counted."""

    @abstractmethod
    def free(self) -> None:
        """Free its memory after the last answer from it, if that is possible now."""


AHolding = TypeVar("AHolding", bound=Holding)


class Memory:
    """The account of one worker, bound in bytes; safe to use from several threads. `report` gets changed `parts`."""

    def __init__(self, bound: int, report: Callable[[Counter[str]], None] = lambda _parts: None) -> None:
        self.bound = bound
        self._report = report
        self._lock = RLock()
        self._holdings: list[Holding] = []
        self._reserved: Counter[str] = Counter()
        self._spaces, self._measured = 0, -inf
        self._measured_spaces: set[int] = set()

    def hold(self, holding: Holding) -> None:
        """Enter a holding, and evict others if the total is over the bound."""
        with self._lock:
            holding.used = monotonic()
            self._holdings.append(holding)
            self._measured = -inf
            self._evict_for(0, keep=holding)
            self._report(self.parts())

    def the(self, kind: type[AHolding]) -> AHolding:
        """The only holding of a class, made at the first call."""
        with self._lock:
            for holding in self._holdings:
                if isinstance(holding, kind):
                    return holding
            made = kind()
            self.hold(made)
        return made

    def forget(self, holding: Holding) -> None:
        """Remove a holding that nobody will use again."""
        with self._lock, suppress(ValueError):
            self._holdings.remove(holding)

    def for_blocks(self, wanted: int) -> int:
        """The bytes that a table with blocks of `wanted` bytes may hold: all of them, or a cache of recent blocks."""
        if wanted > self.bound * _RESIDENT_SHARE:
            return int(self.bound * _BLOCKS_SHARE)
        with self._lock:
            self._evict_for(wanted)
            self._measured = -inf
        return wanted

    @contextmanager
    def reserve(self, part: str, size: int) -> Iterator[None]:
        """Reserve bytes until the block ends; raises Overloaded if they do not fit."""
        with self._lock:
            if not self._evict_for(size):
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
        """The bytes held, by part."""
        with self._lock:
            self._measure()
            parts = Counter(self._reserved)
            parts["spaces"] = self._spaces
            for holding in self._holdings:
                parts[holding.part] += holding.size
        return parts

    def _measure(self) -> None:
        """Count the bytes anew if something has come or gone, or the last count is old. Where none may stay, do not."""
        spaces = SPACES.in_use()
        ids = {*map(id, spaces)}
        if not self.bound or (ids == self._measured_spaces and monotonic() - self._measured < _MEASURED_FOR):
            return
        counted: set[int] = set()
        self._spaces = bytes_held(spaces, counted=counted)
        for holding in self._holdings:
            holding.size = bytes_held(holding.held, counted=counted)
        self._measured_spaces = ids
        self._measured = monotonic()

    def _evict_for(self, size: int, keep: Holding | None = None) -> bool:
        """Evict the least recently used until so many bytes are free; True if they are."""
        if self._fits(size):
            return True
        SPACES.free()
        for oldest in sorted(self._holdings, key=lambda holding: holding.used):
            if oldest is not keep:  # a holding of few bytes may be all that keeps a space in memory
                oldest.free()
                self._measured = -inf
                if self._fits(size):
                    break
        else:
            if self.bound:  # else a command would search all that Python has loaded
                gc.collect()  # what only refers to itself
            self._measured = -inf
        give_back()
        return self._fits(size)

    def _fits(self, size: int) -> bool:
        return 0 < self.bound >= self.parts().total() + size


def give_back() -> None:
    """Return freed memory to the system, which the C library would keep."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def return_large_blocks() -> None:
    """Have the GNU C library return each large block that is freed: by default it returned few, and 64 MB took 208."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)


def bytes_held(*roots: object, counted: set[int] | None = None) -> int:
    """The bytes of arrays, texts and collections that objects lead to, except through modules or classes.

    Each counts once; `counted` has the ids of objects that earlier calls have counted, and gets those of this call.
    Mapped files do not count: the system has one copy of their pages for all processes.
    """
    total = 0
    seen = set() if counted is None else counted
    left: list[Any] = list(roots)
    while left:
        found = left.pop()
        if id(found) in seen or type(found) in ProxyTypes or isinstance(found, ModuleType | type):
            continue
        seen.add(id(found))
        if isinstance(found, np.ndarray):
            base = found.base.obj if isinstance(found.base, memoryview) else found.base
            if isinstance(base, np.ndarray | bytes | bytearray):
                left.append(base)
            elif not isinstance(base, mmap):
                total += found.nbytes
        elif isinstance(found, FunctionType):
            left += [found.__closure__, found.__defaults__, found.__kwdefaults__]  # and not the module around it
        elif isinstance(found, list | tuple | dict | set | frozenset) and len(found) > _LARGE:
            total += sys.getsizeof(found) + _EACH * len(found)
        else:
            total += sys.getsizeof(found)
            left += gc.get_referents(found)
    return total
