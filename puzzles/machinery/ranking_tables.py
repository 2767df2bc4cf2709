"""The store of ranking tables, which take long to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial

from puzzlebase.puzzles.contract.space import Arrays

Store = Callable[[str, Callable[[], Arrays]], Arrays]
"""Reads the arrays of a name, or makes them by their maker."""


class RankingTables:
    """The arrays of each name, from a store if there is one; safe to use from several threads."""

    def __init__(self) -> None:
        self._store: ContextVar[Store | None] = ContextVar("store", default=None)

    @contextmanager
    def stored_in(self, store: Store | None) -> Iterator[None]:
        """Use this store inside the block of `with`,
        in this thread: two data folders have a store each.
        """
        former = self._store.set(store)
        try:
            yield
        finally:
            self._store.reset(former)

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name, from the store or newly made."""
        return self.later(name, make)()

    def later(self, name: str, make: Callable[[], Arrays]) -> Callable[[], Arrays]:
        """A function that gives the arrays of a name,
        from the store of now, once they are asked for.
        """
        store = self._store.get()
        return cache(partial(store, name, make) if store else make)


RANKING_TABLES = RankingTables()
"""The ranking tables of this process."""
