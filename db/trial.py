"""A file from elsewhere is read once as a whole by a process of its own, which may crash in place of this one.

DuckDB has a checksum of each of its blocks. It tells damage; whoever makes bytes and checksum fit may have DuckDB read
beyond what it holds, and end the process. What was read once is read the same way again, so one trial is enough: a
file in the folder of cache_folder.py says of which file it was, by what changes when that is replaced or written to.
What this process or a build has written needs none.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from contextlib import suppress
from glob import escape
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from puzzlebase.db import shared_arrays
from puzzlebase.db.cache_folder import cache_folder
from puzzlebase.db.heads import stem_of

_SUFFIX = ".tried"
_TRY = f"import sys; from pathlib import Path; from {__name__} import try_file; "
_TRY += "try_file(*sys.argv[1:3], Path(sys.argv[3]))"
_MOST_MEMORY = 8 << 30
"""Bytes of addresses that a trial may take: DuckDB takes 256 MB of memory."""
_SECONDS = 300
_BYTES_A_SECOND = 5 << 20
"""Of a file, on the slowest disk: a trial that takes longer than both has failed."""


class _Identity(NamedTuple):
    """The traits of a file that change when it is replaced or written to, even if its time is set back."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def at(cls, path: Path) -> _Identity:
        status = path.stat()
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


_TRIED: set[_Identity] = set()
"""Files that passed while this process runs, for where no folder is."""
_WRITTEN: set[tuple[int, int]] = set()
"""Device and inode of each file that this process has written."""


def wrote(path: Path) -> None:
    """Have a file of this process's own read without a trial by this process, under any name."""
    _WRITTEN.add(_Identity.at(path)[:2])


def passed(path: Path) -> None:
    """Have a file read without a trial from now on by all processes, if there is a folder to say so."""
    identity, folder = _Identity.at(path), cache_folder(path.parent)
    _TRIED.add(identity)
    if folder and folder.is_dir():
        with suppress(OSError):
            shared_arrays.read_or_make(
                _file(folder, path, identity),
                lambda file: shared_arrays.write(file, {}),
                f"{escape(stem_of(path))}-{'?' * 16}{_SUFFIX}*",
                patience=0,
            )


def trouble(path: Path, kind: type) -> str | None:
    """The fault found in the trial of a file, read as this kind of StoredFile; None where there is none.

    What is no regular file is not opened: a pipe would be waited for. Raises OSError where there is no file.
    """
    if not path.is_file():
        return "is no regular file"
    identity = _Identity.at(path)
    if identity in _TRIED or identity[:2] in _WRITTEN:
        return None
    folder = cache_folder(path.parent)
    with suppress(OSError):
        if folder and shared_arrays.read(_file(folder, path, identity)):
            _TRIED.add(identity)
            return None
    found = _tried(path, kind, identity.size)
    if found is None:
        passed(path)
    return found


def _tried(path: Path, kind: type, size: int) -> str | None:
    """Try a file of so many bytes; what went wrong."""
    command = [sys.executable, "-P", "-c", _TRY, kind.__module__, kind.__name__, str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    limit = _seconds(size)
    try:
        done = subprocess.run(  # noqa: S603 -- our own program
            command,
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=limit,
            env=environment,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return f"was not read within {limit:.0f} s"
    if done.returncode < 0:
        return f"cannot be read: a process that tried it ended with signal {-done.returncode}"
    if done.returncode:
        return f"cannot be read: a process that tried it ended with: {done.stderr.strip().rpartition(os.linesep)[-1]}"
    return None


def _seconds(size: int) -> float:
    return _SECONDS + size / _BYTES_A_SECOND


def _file(folder: Path, path: Path, identity: _Identity) -> Path:
    source = shared_arrays.source_hash(Path(__file__).parent)
    named = blake2b(repr((source, *identity)).encode(), digest_size=8).hexdigest()
    return folder / f"{stem_of(path)}-{named}{_SUFFIX}"


def try_file(module: str, kind: str, path: Path) -> None:
    """Read all of a file, in a process that then ends. An error that its readers would meet is none here."""
    from puzzlebase.db.errors import TableError  # noqa: PLC0415 -- only in the process that tries a file

    processor = int(_seconds(path.stat().st_size)) * (os.cpu_count() or 1)  # it ends where nobody waits for it any more
    limits = (resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_CPU, processor)
    for limit, most in limits:
        allowed = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if allowed == resource.RLIM_INFINITY else min(most, allowed), allowed))
    wrote(path)
    with suppress(TableError), getattr(import_module(module), kind)(path) as file:
        for read in file.everything():
            with suppress(TableError):
                read()
    os._exit(0)  # what DuckDB frees at the end is of no use
