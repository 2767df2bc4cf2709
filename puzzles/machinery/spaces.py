"""The spaces in use and the last few before: one for each puzzle and goal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter
from threading import Lock, RLock
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Space

_Key = tuple[object, Hashable]  # the function that makes a space, and the value that it depends on

CACHED = 8  # spaces that stay alive without a reference
# of objects, methods, arrays and partial functions
_PLACES = "__dict__", "__self__", "base", "func", "args"


class Spaces:
    """A cache of spaces, each made at its first use; safe to use from several threads.

    Callers write one goal in many forms, for example with other letters for an Avenger's colours.
    All have one key and so one space. Making a space may take seconds and tens of megabytes.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._in_use: WeakValueDictionary[_Key, Space] = WeakValueDictionary()
        self._last: LRUCache[_Key, Space] = LRUCache(CACHED)
        self._arrays: WeakValueDictionary[int, npt.NDArray[Any]] = WeakValueDictionary()

    def remember(
        self,
        make: Callable[[Goal], Space],
        depends_on: Callable[[Goal], Hashable] = attrgetter("key"),
    ) -> Callable[[Goal], Space]:
        """Return `make`, called once for each value of `depends_on` while the space is in use."""
        making = RLock()

        def space(goal: Goal) -> Space:
            key = make, depends_on(goal)
            if found := self._find(key):
                return found
            with making:  # other puzzles' spaces can be made meanwhile
                found = self._find(key) or make(goal)
                with self._lock:
                    self._in_use[key] = self._last[key] = found
                    self._arrays |= {id(array): array for array in arrays_of_spaces(found)}
            return found

        return space

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays that spaces were made with and that are still in memory;
        each counts once.
        """
        with self._lock:
            return sum(array.nbytes for array in self._arrays.values())

    def free(self) -> None:
        """Drop the spaces without a reference."""
        with self._lock:
            self._last.clear()

    def _find(self, key: _Key) -> Space | None:
        with self._lock:
            return self._last.get(key) or self._in_use.get(key)


SPACES = Spaces()
"""The spaces of this process."""


def arrays_of_spaces(*values: object) -> list[npt.NDArray[Any]]:
    """The arrays that spaces and other values hold in their fields,
    and those that functions close over or are bound to.

    Mapped files do not count: the system has one copy of their pages for all processes.
    """
    met = dict[int, object]()
    left = [*values]
    while left:
        value = left.pop()
        if id(value) not in met:
            met[id(value)] = value
            left += _parts(value)
    return [
        value for value in met.values() if isinstance(value, np.ndarray) and value.flags.owndata
    ]


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, type | ModuleType):
        return []
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, tuple | list):
        return value
    closed = (cell.cell_contents for cell in getattr(value, "__closure__", None) or ())
    return [*closed, *(getattr(value, name, None) for name in _PLACES)]
