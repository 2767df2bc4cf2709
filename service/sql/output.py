"""How results are shown. This file loads no library, so that the command line can make the record of its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Output:
    """Where results go: to people as text, at most `rows` rows of each, or the last one to at most one other format.

    `parquet` is the file to write; `write` is a tool's, and takes the QueryResult.
    """

    csv: bool = False
    json: bool = False
    parquet: Path | None = None
    write: Callable[[Any], None] | None = None
    rows: int = 100

    @property
    def formats(self) -> int:
        """How many formats other than text are asked for."""
        return sum(map(bool, (self.csv, self.json, self.parquet, self.write)))
