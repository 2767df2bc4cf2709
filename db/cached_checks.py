"""Cache the findings of a check of a file, in a file of shared_arrays.py, so that nobody repeats the check.

The finding is the header of a table, or only that a file has passed its trial. To open a file through DuckDB and check
its tables takes a third of the time from a process's start to its first answer. The name of the findings has the file's
identity, and a hash of the sources in this folder, so that no version trusts another's check.
"""

from __future__ import annotations

import os
from glob import escape
from hashlib import blake2b
from pathlib import Path
from time import time_ns
from typing import NamedTuple
from weakref import finalize

from puzzlebase import system
from puzzlebase.db import shared_arrays
from puzzlebase.db.shared_arrays import Arrays

_SETTLED = 2 * 10**9  # nanoseconds from the last write to caching a file: within a clock tick it may change again


class Identity(NamedTuple):
    """Traits of a file that change when it is replaced or written to, even if its time is set back."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> Identity:
        """The identity of a file by its status."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    @classmethod
    def at(cls, path: Path) -> Identity | None:
        """The identity of the file of this name; None if there is none."""
        try:
            return cls.of(path.stat())
        except OSError:
            return None

    @property
    def settled(self) -> bool:
        """True if the last write is so long ago that another change would show."""
        return time_ns() - self.modified >= _SETTLED


class HeldFile:
    """A file that can be opened later, even if another file has its name by then. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with system.regular(path, follow=True) as file:
            descriptor = os.dup(file.fileno())
        self._descriptor = descriptor
        finalize(self, os.close, descriptor)
        self.identity = Identity.of(os.fstat(descriptor))

    @property
    def is_current(self) -> bool:
        """True if the name still leads to this file, unchanged."""
        return Identity.at(self._path) == self.identity

    @property
    def path(self) -> Path:
        """A path that leads to this file while it is held; on Windows nothing takes the name of an open file."""
        return Path(f"/dev/fd/{self._descriptor}") if system.SERVES else self._path


def recall(folder: Path | None, path: Path, identity: Identity, kind: str) -> Arrays | None:
    """Recall the findings about a file, of the kind that a suffix names; None if no valid ones are cached."""
    try:
        found = folder and shared_arrays.read(_file(folder, path, identity, kind))
    except OSError:
        return None
    return found.arrays if found else None


def keep(folder: Path | None, path: Path, identity: Identity, kind: str, found: Arrays) -> bool:
    """Cache the findings about a file, in an existing folder; returns True if that succeeds."""
    if folder is None or not folder.is_dir():
        return False
    cached, former = _file(folder, path, identity, kind), f"{escape(stem_of(path))}-{'?' * 16}{kind}*"
    try:
        return shared_arrays.read_or_make(cached, lambda draft: draft.write(found), former, patience=0) is not None
    except OSError:
        return False


def _file(folder: Path, path: Path, identity: Identity, kind: str) -> Path:
    source = shared_arrays.source_hash(Path(__file__).parent)
    named = blake2b(repr((source, *identity)).encode(), digest_size=8).hexdigest()
    return folder / f"{stem_of(path)}-{named}{kind}"


def stem_of(path: Path) -> str:
    """The beginning of the names of a file's findings: several data folders may share a cache folder."""
    return f"{path.stem}-{blake2b(str(path.parent.resolve()).encode(), digest_size=4).hexdigest()}"
