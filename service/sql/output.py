"""How results are shown. This file loads no library, so that the command line can make the record of its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Output:
    """Where results go: to people as text, at most `rows` rows of each, or the last one to at most one other format.

    `write` is a tool's, and takes the Result.
    """

    csv: bool = False
    json: bool = False
    write: Callable[[Any], None] | None = None
    rows: int = 100
