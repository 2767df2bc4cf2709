"""Calls of the operating system, and replacements for those that macOS lacks.

A system is known only by the names that it has. So a test can take a name away and see the effect.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
    import resource
except ImportError:
    raise ImportError("puzzlebase runs on Linux and macOS, and on Windows in WSL") from None

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE_BLOCK = 1 << 20


def resource_limit(name: str) -> int | None:
    """The limit of this process, by a name of `resource`; None without one."""
    most: int = resource.getrlimit(getattr(resource, name))[0]
    return None if most == resource.RLIM_INFINITY else most


def open_regular_file(path: Path, access: int = os.O_RDONLY, *, follow: bool = False) -> BinaryIO:
    """Open a regular file; raises OSError at once for anything else,
    and for a link unless told to follow.
    """
    access |= os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, access, 0o644)  # of a new file: its user may write, and all may read
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(descriptor, "r+b" if access & os.O_RDWR else "rb")


def lock(file: BinaryIO, *, wait: bool) -> None:
    """Lock a file until it is closed.
    Raises BlockingIOError if another process holds it, unless told to wait.
    """
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def reserve(file: BinaryIO, size: int) -> None:
    """Reserve disk space for a file, if the system can. Raises OSError."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)


def write_at(file: BinaryIO, data: bytes | memoryview, offset: int) -> None:
    """Write all of the data at an offset; raises OSError.
    If the disk is full, a part may have been written.
    """
    left = memoryview(data)
    while left:
        written = os.pwrite(file.fileno(), left, offset)
        left, offset = left[written:], offset + written


def return_freed_memory() -> None:
    """Return freed memory to the system, which the C library would keep."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def return_large_blocks() -> None:
    """Have the GNU C library return each large block that is freed:
    by default it returned few, and 64 MB took 208.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
