"""Share work among threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


def default_threads() -> int:
    """One for each processor that this process may use; where the system does not tell, for each there is."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ranges(size: int, count: int) -> list[tuple[int, int]]:
    """Cut 0 .. size into at most `count` ranges of about equal length, none of them empty."""
    ends = np.linspace(0, size, max(min(count, size), 1) + 1).astype(int).tolist()
    return list(pairwise(ends))


def for_all(pool: ThreadPoolExecutor, work: Callable[[Item], object], items: Iterable[Item]) -> None:
    """Do the work on every item and wait until all is done; raises what the work raises."""
    deque(pool.map(work, items), maxlen=0)
