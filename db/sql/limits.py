"""The limits of one SQL statement. This file loads no library, so that the command line can show the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from os import cpu_count

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 1024


@dataclass(frozen=True, slots=True)
class StatementLimits:
    """What one statement may use: seconds, megabytes of DuckDB's own memory, and threads."""

    seconds: float = DEFAULT_SECONDS
    memory_mb: int = DEFAULT_MEMORY_MB
    threads: int = cpu_count() or 1


DEFAULT_LIMITS = StatementLimits()
