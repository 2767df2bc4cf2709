"""Where the parts of a split table lie: in the places that were named, or beside the table."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PUZZLEBASE_PARTS"
"""Of the environment: folders or addresses of the web with commas between, which the option --parts sets."""


def part_places(data: Path) -> list[str]:
    """The places for a data folder, that of part 0 first."""
    named = [place.strip().rstrip("/") for place in os.environ.get(VARIABLE, "").split(",")]
    return [place for place in named if place] or [str(data)]
