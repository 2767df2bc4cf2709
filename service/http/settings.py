"""What `serve` has its workers do, and the environment variables that carry it to them."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from puzzlebase.db.machine import spare_memory
from puzzlebase.service.sources.budget import SearchLimits

_DATA = "PUZZLEBASE_DATA"
_MEMORY = "PUZZLEBASE_MEMORY"
_LOG = "PUZZLEBASE_LOG"
_WARM = "PUZZLEBASE_WARM"
_SEARCH = "PUZZLEBASE_SEARCH_"  # and the name of a search limit, in capitals


MOST_MEMORY = 4 << 30
"""Bytes that a worker takes at the most unless it is told how many."""

BESIDE_MEMORY = 512 << 20
"""Bytes that a worker may take beside its memory, measured under attack and rounded up.

Libraries, kernels and what they allocate: 180 MB. Answers while they are made, in up to four threads: 150 MB. What
the server reads ahead and keeps for its connections. The files that DuckDB reads.
"""

_LEAST_MEMORY = 512 << 20


def default_memory(workers: int) -> int:
    """Bytes for each worker: half of what the machine or its control group has left, shared, within reason."""
    return min(max(spare_memory() // 2 // workers, _LEAST_MEMORY), MOST_MEMORY)


@dataclass(frozen=True)
class Settings:
    """What each worker of a service does.

    `data` is the folder of tables, `memory` the bytes that the worker may hold, `log` asks for a line for each request,
    `warm` names the puzzles without a table for which searches are made ready at the start.
    """

    data: Path = Path("data")
    memory: int = MOST_MEMORY
    log: bool = True
    limits: SearchLimits = field(default_factory=SearchLimits)
    warm: tuple[str, ...] = ()

    def to_environment(self) -> dict[str, str]:
        """The variables that say it."""
        limits = {f"{_SEARCH}{name.upper()}": str(value) for name, value in asdict(self.limits).items()}
        return {
            _DATA: str(self.data),
            _MEMORY: str(self.memory),
            _LOG: "1" if self.log else "",
            _WARM: ",".join(self.warm),
            **limits,
        }

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that this process was started with; the default for a variable that is not set or empty."""
        given = {name: text for name, text in os.environ.items() if text}
        limits = {
            limit: type(default)(given.get(f"{_SEARCH}{limit.upper()}", default))
            for limit, default in asdict(SearchLimits()).items()
        }
        return cls(
            Path(given.get(_DATA, cls.data)),
            int(given.get(_MEMORY, cls.memory)),
            _LOG in given,
            SearchLimits(**limits),
            tuple(given[_WARM].split(",")) if _WARM in given else (),
        )
