"""Work in a thread for each processor: numpy and zlib let several run at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from puzzlebase.system import processors

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def in_order(function: Callable[[_Item], _Made], items: Iterable[_Item], ahead: int) -> Iterator[_Made]:
    """Map items in threads, in their order; at most `ahead` of them wait to be made or taken."""
    waiting: deque[Future[_Made]] = deque()
    with ThreadPoolExecutor(processors(), "publish") as pool:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
