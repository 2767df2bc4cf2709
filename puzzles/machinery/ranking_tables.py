"""A store for the tables that rank states, which take long to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]
Store = Callable[[str, Path, Callable[[], Arrays]], Arrays]
"""(name, folder of the sources that make them, how they are made) -> the arrays, made or read."""

_SOURCES = Path(__file__).parents[1]


class RankingTables:
    """The arrays of each name, from a store if there is one; safe to use from several threads."""

    def __init__(self) -> None:
        self._store: Store | None = None

    def keep_in(self, store: Store | None) -> None:
        """Ask this store from now on."""
        self._store = store

    @contextmanager
    def kept_in(self, store: Store | None) -> Iterator[None]:
        """Ask this store meanwhile."""
        former = self._store
        self.keep_in(store)
        try:
            yield
        finally:
            self.keep_in(former)

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name, made or from the store."""
        return self._store(name, _SOURCES, make) if self._store else make()


RANKING_TABLES = RankingTables()
"""Those of this process."""
