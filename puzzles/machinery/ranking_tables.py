"""Tables of rows and columns that take long to make, kept in a file: one process makes them, all others map them.

The file is named after the puzzle and a hash of the sources in this folder, so that no other version reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import BinaryIO

from puzzlebase import kept
from puzzlebase.kept import Arrays

_SUFFIX = ".numbering"


class Numberings:
    """The arrays of each name, in a folder if there is one; safe to use from several threads and processes."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def keep_in(self, folder: Path | None) -> None:
        """Read and write files in this folder from now on; it is made when there is something to write."""
        self._folder = folder

    @contextmanager
    def kept_in(self, folder: Path | None) -> Iterator[None]:
        """Read and write files in this folder meanwhile."""
        former = self._folder
        self.keep_in(folder)
        try:
            yield
        finally:
            self.keep_in(former)

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name. They are made where they are in no file, and kept if that is possible."""
        if self._folder is None:
            return make()
        made: list[Arrays] = []

        def write(file: BinaryIO) -> None:
            made.append(make())
            kept.write(file, made[0])

        path = self._folder / f"{name}-{kept.source_hash(Path(__file__).parent)}{_SUFFIX}"
        try:
            found = kept.read_or_make(path, write, f"{escape(name)}-{'?' * 16}{_SUFFIX}*")
        except OSError as error:  # a folder that cannot be written, a full disk: they are made at each start
            logging.getLogger(__name__).info("%s is not used: %s", path, error.strerror or error)
            found = None
        if found:
            return found.arrays
        return made[0] if made else make()


NUMBERINGS = Numberings()
"""Those of this process."""
