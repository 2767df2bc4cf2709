"""The settings of workers, and the environment variable that carries them from `serve`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from puzzlebase.db.machine import spare_memory
from puzzlebase.service.sources.budget import SearchLimits

_VARIABLE = "PUZZLEBASE_SERVICE"

MOST_MEMORY = 4 << 30  # bytes that a worker takes at the most unless it is told how many
BESIDE_MEMORY = 512 << 20
"""Bytes that a worker may take beside its memory, measured under attack and rounded up.

Libraries and kernels: 180 MB. Answers while they are made: 150 MB. What the server reads ahead, and DuckDB's files.
"""

_LEAST_MEMORY = 512 << 20


def default_memory(workers: int) -> int:
    """Bytes for each worker: half of what the machine or its control group has left, shared, within reason."""
    return min(max(spare_memory() // 2 // workers, _LEAST_MEMORY), MOST_MEMORY)


@dataclass(frozen=True)
class Settings:
    """Settings of each worker of a service.

    `data` is the folder of tables, `memory` the bytes that the worker may hold, `log` asks for a line for each request,
    `warm` names the puzzles without a table for which searches are made ready at the start.
    """

    data: Path = Path("data")
    memory: int = MOST_MEMORY
    log: bool = True
    limits: SearchLimits = field(default_factory=SearchLimits)
    warm: tuple[str, ...] = ()

    def to_environment(self) -> dict[str, str]:
        """The variable that carries them to processes that this one starts."""
        return {_VARIABLE: json.dumps(asdict(self), default=str)}

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that this process was started with, by default those above."""
        given = json.loads(os.environ.get(_VARIABLE, "{}"))
        return TypeAdapter(cls).validate_python(given)
