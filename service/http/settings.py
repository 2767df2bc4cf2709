"""The settings of workers, and the environment variable that carries them from `serve`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from puzzlebase.machine import spare_memory
from puzzlebase.service.sources.budget import SearchLimits

_VARIABLE = "PUZZLEBASE_SERVICE"

_LEAST_MEMORY = 512 << 20  # bytes
MOST_MEMORY = 4 << 30  # bytes of a worker's memory by default
# Bytes that a worker may take beside its memory, measured under attack and rounded up: libraries
# and kernels 180 MB, answers while they are made 150 MB, and what the server reads ahead, and
# DuckDB's files.
BESIDE_MEMORY = 512 << 20


def default_memory_setting(workers: int) -> int:
    """The setting of each worker's memory in bytes:
    its share of half of what the machine or its control group has left, within limits.
    """
    return min(max(spare_memory() // 2 // workers, _LEAST_MEMORY), MOST_MEMORY)


@dataclass(frozen=True)
class Settings:
    """Settings of each worker of a service."""

    data: Path = Path("data")  # the folder of tables
    memory: int = MOST_MEMORY  # bytes that the worker may hold
    log: bool = True  # a line for each request
    limits: SearchLimits = field(default_factory=SearchLimits)

    def to_environment(self) -> dict[str, str]:
        """The environment variable that carries the settings to processes that this one starts."""
        return {_VARIABLE: json.dumps(asdict(self), default=str)}

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that this process was started with, by default those of the class."""
        given = json.loads(os.environ.get(_VARIABLE, "{}"))
        return TypeAdapter(cls).validate_python(given)
