"""The store of ranking tables, which take long to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]
Store = Callable[[str, Path, Callable[[], Arrays]], Arrays]
"""Makes or reads arrays, by their name, the folder of the sources that make them, and the function that does."""

_SOURCES = Path(__file__).parents[1]


@dataclass
class RankingTables:
    """The arrays of each name, from a store if there is one; safe to use from several threads."""

    store: Store | None = None

    @contextmanager
    def stored_in(self, store: Store | None) -> Iterator[None]:
        """Ask this store meanwhile."""
        former, self.store = self.store, store
        try:
            yield
        finally:
            self.store = former

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name, made or from the store."""
        return self.store(name, _SOURCES, make) if self.store else make()


RANKING_TABLES = RankingTables()
"""The ranking tables of this process."""
