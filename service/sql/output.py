"""How results are shown. This file loads no library, so that the command line can make the record of its options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Output:
    """Where results go: to people as text, at most `rows` rows of each, or the last one to at most one other format.

    `parquet` and `chart` are the files to write; `title`, `unit`, `log` and `dark` are how the chart is drawn.
    """

    csv: bool = False
    json: bool = False
    parquet: Path | None = None
    chart: Path | None = None
    title: str = ""
    unit: str = ""
    log: bool = False
    dark: bool = False
    rows: int = 100

    @property
    def formats(self) -> int:
        """How many formats other than text are asked for."""
        return sum(map(bool, (self.csv, self.json, self.parquet, self.chart)))
