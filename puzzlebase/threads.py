"""Threads: share work among them, lower their priority, reuse their memory."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.machine import processors

# At 5, lookups beside searches were two thirds as many; at 15, a search may starve beside busy
# processes.
_NICENESS = 10
_OF_THREAD = threading.local()

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


def on_all_processors(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The results of the work on every item, in order, by threads if there are several items;
    raises what the work raises.
    """
    if len(items) < 2:
        return [*map(work, items)]
    with ThreadPoolExecutor(processors()) as pool:
        return [*pool.map(work, items)]


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


def lower_priority() -> None:
    """Give this thread a low priority, on Linux:
    on other systems the whole process would have it.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def thread_buffer(use: str, size: int) -> npt.NDArray[np.uint8]:
    """Memory that the thread's next call for this use reuses:
    page faults of fresh memory took a sixth of the time.
    """
    found: npt.NDArray[np.uint8] = getattr(_OF_THREAD, use, np.empty(0, np.uint8))
    if len(found) < size:
        found = np.empty(size, np.uint8)
        setattr(_OF_THREAD, use, found)
    return found[:size]
