"""What a statement of a session may take, and the errors of one that cannot be run.

Apart from the session itself, for what asks these before it loads Arrow, or never does.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import cpu_count

from db.errors import TableError

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 1024


class QueryError(Exception):
    """A statement that makes no sense, or may not be run; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class LimitReached(TableError):
    """A statement that needs more time or memory than it may have."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may take: seconds, megabytes of DuckDB's own, threads."""

    seconds: float = DEFAULT_SECONDS
    memory_mb: int = DEFAULT_MEMORY_MB
    threads: int = cpu_count() or 1


DEFAULT_LIMITS = Limits()
