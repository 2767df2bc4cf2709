"""Arrays that take long to make, each in a file: one process makes them, all others map them.

A file is named after the arrays and a hash of the sources that make them, so that no other version reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from glob import escape
from pathlib import Path
from typing import BinaryIO

from puzzlebase.db import shared_arrays
from puzzlebase.db.shared_arrays import Arrays

_SUFFIX = ".numbering"


class ArrayStore:
    """The arrays of each name, in a folder, which is made when there is something to write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, name: str, sources: Path, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name. They are made where they are in no file, and kept if that is possible."""
        made: list[Arrays] = []

        def write(file: BinaryIO) -> None:
            made.append(make())
            shared_arrays.write(file, made[0])

        path = self._folder / f"{name}-{shared_arrays.source_hash(sources)}{_SUFFIX}"
        try:
            found = shared_arrays.read_or_make(path, write, f"{escape(name)}-{'?' * 16}{_SUFFIX}*")
        except OSError as error:  # a folder that cannot be written, a full disk: they are made at each start
            logging.getLogger(__name__).info("%s is not used: %s", path, error.strerror or error)
            found = None
        if found:
            return found.arrays
        return made[0] if made else make()
