"""How work is shared among threads."""

from __future__ import annotations

import os
from itertools import pairwise

import numpy as np


def default_threads() -> int:
    """One for each processor this process may use."""
    return len(os.sched_getaffinity(0))


def ranges(size: int, count: int) -> list[tuple[int, int]]:
    """0 .. size cut into `count` ranges, about equal, none empty."""
    ends = np.linspace(0, size, max(min(count, size), 1) + 1).astype(int).tolist()
    return list(pairwise(ends))
