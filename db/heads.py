"""What the header of a table says, in a file of shared_arrays.py, so that the table need not be opened to answer.

To load DuckDB, open a file and check that it holds its own tables alone takes a third of the time from the start of a
process to an answer. A head is found by what changes when a file is replaced or written to: its time, size and inode.
A hash of the sources in this folder is in its name too, so that no version trusts what another one has checked.
"""

from __future__ import annotations

import os
from glob import escape
from hashlib import blake2b
from pathlib import Path
from time import time_ns
from typing import BinaryIO, NamedTuple
from weakref import finalize

from puzzlebase.db import shared_arrays
from puzzlebase.db.lock import regular
from puzzlebase.db.shared_arrays import Arrays

_SUFFIX = ".head"
_SETTLED = 2 * 10**9
"""Nanoseconds since a file was written to, before its head is kept: within a tick of the clock it may change again."""


class Signature(NamedTuple):
    """What changes when a file is replaced or written to."""

    changed: int
    size: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Signature:
        """The signature of a file by its status."""
        return cls(status.st_mtime_ns, status.st_size, status.st_ino)

    @classmethod
    def at(cls, path: Path) -> Signature | None:
        """The signature of the file of this name; None where there is none."""
        try:
            return cls.of(path.stat())
        except OSError:
            return None


class HeldFile:
    """A file that can be opened later, also when another one has taken its name by then. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with regular(path, follow=True) as file:
            descriptor = os.dup(file.fileno())
        self._descriptor = descriptor
        finalize(self, os.close, descriptor)
        self.signature = Signature.of(os.fstat(descriptor))

    @property
    def is_current(self) -> bool:
        """Whether the name still leads to this file, as it was."""
        return Signature.at(self._path) == self.signature

    @property
    def path(self) -> Path:
        """A path that leads to this file, as long as it is held."""
        return Path(f"/dev/fd/{self._descriptor}")


def find(folder: Path, path: Path, signature: Signature) -> Arrays | None:
    """The head that was kept of a file, None where there is none that is sound."""
    try:
        found = shared_arrays.read(_file(folder, path, signature))
    except OSError:
        return None
    return found and found.arrays


def keep(folder: Path, path: Path, signature: Signature, head: Arrays) -> bool:
    """Keep the head of a file in a folder that is there; not where it has been written to just now. Says if it is."""
    if not folder.is_dir() or time_ns() - signature.changed < _SETTLED:
        return False

    def write(file: BinaryIO) -> None:
        shared_arrays.write(file, head)

    former = f"{escape(stem_of(path))}-{'?' * 16}{_SUFFIX}*"
    try:
        return shared_arrays.read_or_make(_file(folder, path, signature), write, former, patience=0) is not None
    except OSError:
        return False


def _file(folder: Path, path: Path, signature: Signature) -> Path:
    named = blake2b(
        repr((shared_arrays.source_hash(Path(__file__).parent), *signature)).encode(), digest_size=8
    ).hexdigest()
    return folder / f"{stem_of(path)}-{named}{_SUFFIX}"


def stem_of(path: Path) -> str:
    """The beginning of the names of what is kept of a file: several data folders may have one folder for that."""
    return f"{path.stem}-{blake2b(str(path.parent.resolve()).encode(), digest_size=4).hexdigest()}"
