"""Where files of shared_arrays.py lie: in the folder that was named, or in one beside the tables."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PUZZLEBASE_CACHE"
"""Of the environment: the folder, which the option --cache sets; NOWHERE for none at all."""

NOWHERE = "none"

BESIDE_TABLES = "cache"
"""The folder in a data folder, unless another one is named."""


def cache_folder(data: Path) -> Path | None:
    """The folder for a data folder; None where nothing is to be kept."""
    named = os.environ.get(VARIABLE)
    if named == NOWHERE:
        return None
    return Path(named) if named else data / BESIDE_TABLES
