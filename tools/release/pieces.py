"""A file that is written piece by piece, and its checksum."""

from __future__ import annotations

import hashlib
from typing import BinaryIO

_PIECE = 1 << 20


class Hashed:
    """A file open for reading and writing, the bytes that are in it already among them; writes go to its end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.begin(keep=True)

    def begin(self, *, keep: bool = False) -> None:
        """Empty the file, or `keep` what is in it."""
        self._sum = hashlib.sha256()
        self.size = 0
        self._file.seek(0)
        if not keep:
            self._file.truncate()
        while some := self._file.read(_PIECE):
            self._add(some)

    def write(self, some: bytes) -> None:
        """Add bytes at the end."""
        self._file.write(some)
        self._add(some)

    def _add(self, some: bytes) -> None:
        self._sum.update(some)
        self.size += len(some)

    @property
    def sha256(self) -> str:
        """Of all bytes so far, hexadecimal."""
        return self._sum.hexdigest()
