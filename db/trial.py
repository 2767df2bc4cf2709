"""A file from elsewhere is read once as a whole by a process of its own, which may crash in place of this one.

DuckDB has a checksum of each of its blocks; whoever makes bytes and checksum fit may have DuckDB read beyond what it
holds. What was read once is read the same way again, so one trial is enough: a file in the folder of data_folder.py
says of which file it was. What this process or a build has written needs none.
"""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

from puzzlebase.db import checked, trial_process
from puzzlebase.db.checked import Identity
from puzzlebase.db.data_folder import cache_folder

_SUFFIX = ".tried"
_MOST_MEMORY = 8 << 30  # bytes of addresses that a trial may take: DuckDB takes 256 MB of memory
_SECONDS = 300
_BYTES_A_SECOND = 5 << 20  # of a file, on the slowest disk: a trial that takes longer than both has failed


_TRIED: set[Identity] = set()  # files that passed while this process runs, for where no folder is
_WRITTEN: set[tuple[int, int]] = set()  # device and inode of each file that this process has written


def wrote(path: Path) -> None:
    """Have a file of this process's own read without a trial by this process, under any name."""
    _WRITTEN.add(Identity.of(path.stat())[:2])


def passed(path: Path) -> None:
    """Have a file read without a trial from now on by all processes, if there is a folder to say so."""
    identity = Identity.of(path.stat())
    _TRIED.add(identity)
    checked.keep(cache_folder(path.parent), path, identity, _SUFFIX, {})


def trouble(path: Path, kind: type) -> str | None:
    """The fault found in the trial of a file, read as this kind of StoredFile; None where there is none.

    What is no regular file is not opened: a pipe would be waited for. Raises OSError where there is no file.
    """
    if not path.is_file():
        return "is no regular file"
    identity = Identity.of(path.stat())
    if identity in _TRIED or identity[:2] in _WRITTEN:
        return None
    if checked.recall(cache_folder(path.parent), path, identity, _SUFFIX) is not None:
        _TRIED.add(identity)
        return None
    limit = _seconds(identity.size)
    try:
        found = trial_process.run(try_file, kind, path.absolute(), limit)
    except TimeoutError:
        return f"was not read within {limit} s"
    if found:
        return f"cannot be read: {found}"
    passed(path)
    return None


def _seconds(size: int) -> int:
    return _SECONDS + size // _BYTES_A_SECOND


def try_file(kind: type, path: Path) -> None:
    """Read all of a file, in a process that then ends. An error that its readers would meet is none here."""
    from puzzlebase.db.errors import TableError  # noqa: PLC0415 -- only in the process that tries a file

    seconds = _seconds(path.stat().st_size)
    signal.alarm(seconds + 1)  # nobody waits for it any more
    processor = seconds * (os.cpu_count() or 1)
    limits = (resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_CPU, processor)
    for limit, most in limits:
        allowed = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if allowed == resource.RLIM_INFINITY else min(most, allowed), allowed))
    wrote(path)
    with suppress(TableError), kind(path) as file:
        for read in file.everything():
            with suppress(TableError):
                read()
