"""Share work among threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Result = TypeVar("Result")


def cut_ranges(size: int, count: int) -> list[tuple[int, int]]:
    """Cut 0 .. size into at most `count` ranges of about equal length, none of them empty."""
    ends = np.linspace(0, size, max(min(count, size), 1) + 1).astype(int).tolist()
    return list(pairwise(ends))


def for_all(
    pool: ThreadPoolExecutor, work: Callable[[Item], object], items: Iterable[Item]
) -> None:
    """Do the work on every item in threads, and wait for all; raises what the work raises."""
    deque(pool.map(work, items), maxlen=0)


def in_order(
    pool: ThreadPoolExecutor, work: Callable[[Item], Result], items: Iterable[Item], ahead: int
) -> Iterator[Result]:
    """Yield the results of the work in order,
    at most `ahead` of them made or begun before they are asked for.
    """
    begun: deque[Future[Result]] = deque()
    for item in items:
        begun.append(pool.submit(work, item))
        if len(begun) > ahead:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()
