"""The limits of one SQL statement, in a file that loads no library:
the command line shows the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass

from puzzlebase.machine import processors

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 1024


@dataclass(frozen=True, slots=True)
class StatementLimits:
    """The seconds, the megabytes of DuckDB's own memory,
    and the threads that one statement may use.
    """

    seconds: float = DEFAULT_SECONDS
    memory_mb: int = DEFAULT_MEMORY_MB
    threads: int = processors()


DEFAULT_LIMITS = StatementLimits()
