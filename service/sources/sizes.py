"""How many bytes objects hold: their arrays, wherever these hang, each counted once.

Files that are mapped do not count: their pages are the system's, which has one copy for all processes.
"""

from __future__ import annotations

import gc
import sys
from mmap import mmap
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

_EACH = 64
"""Bytes that an element of a large collection is taken for: to look at each would take too long."""

_LARGE = 10_000


def bytes_held(*roots: object, counted: set[int] | None = None) -> int:
    """The bytes of the arrays, texts and collections that are reached from objects, not by way of modules or classes.

    Each is counted once, also where it is reached in several ways. `counted` has the ids of objects that an earlier
    call has counted, and gets those of this one.
    """
    total = 0
    seen = set() if counted is None else counted
    left: list[Any] = list(roots)
    while left:
        found = left.pop()
        if id(found) in seen or isinstance(found, ModuleType | type):
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
