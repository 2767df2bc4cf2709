"""The store of ranking tables, which take long to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from puzzlebase.puzzles.contract.space import Arrays

Store = Callable[[str, Path | str, Callable[[], Arrays]], Arrays]
"""Makes or reads arrays, by their name, what they depend on (a folder of sources, or a digest), and their maker."""

_SOURCES = Path(__file__).parents[1]


@dataclass
class RankingTables:
    """The arrays of each name, from a store if there is one; safe to use from several threads."""

    store: Store | None = None

    @contextmanager
    def stored_in(self, store: Store | None) -> Iterator[None]:
        """Use this store inside the block of `with`."""
        former, self.store = self.store, store
        try:
            yield
        finally:
            self.store = former

    def arrays(self, name: str, make: Callable[[], Arrays], depends_on: Path | str = _SOURCES) -> Arrays:
        """The arrays of a name, from the store or newly made."""
        return self.store(name, depends_on, make) if self.store else make()


RANKING_TABLES = RankingTables()
"""The ranking tables of this process."""
