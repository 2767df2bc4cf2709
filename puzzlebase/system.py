"""Calls of the operating system that Linux, macOS or Windows lacks, each with a replacement.

A system is known only by the names that it has. So a test can take a name away and see the effect.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO


def _module(name: str) -> Any:
    """A module of the standard library; None if this system has none of that name."""
    with suppress(ImportError):
        return import_module(name)
    return None


fcntl, resource, msvcrt = map(_module, ("fcntl", "resource", "msvcrt"))
SERVES = fcntl is not None and hasattr(os, "fork")  # else `serve` is refused
# The memory of a process is freed by its last thread: at 15, beside busy processes, a stop took seconds longer.
_NICENESS = 5
_LOCKED = 1 << 40  # the byte of a file that Windows locks: nobody can read or write it, and no file has so many
_LOOKED = 0.05  # seconds between two looks at a lock that another process holds
_SEEKING = threading.Lock()


def processors() -> int:
    """The number of processors that this process may use; if the system does not tell, the number of all."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def limit(name: str) -> int | None:
    """The limit of this process, by a name of `resource`; None without one."""
    most: int = resource.getrlimit(getattr(resource, name))[0] if hasattr(resource, name) else -1
    return most if most >= 0 and most != resource.RLIM_INFINITY else None


def flags(*names: str) -> int:
    """The flags of os.open of these names that this system knows. With them Windows keeps line ends as they are."""
    return sum({getattr(os, name, 0) for name in (*names, "O_BINARY", "O_CLOEXEC", "O_NOINHERIT")})


def regular(path: Path, access: int = os.O_RDONLY, *, follow: bool = False) -> BinaryIO:
    """Open a regular file; raises OSError at once for anything else, and for a link unless told to follow."""
    access |= flags("O_NONBLOCK", *([] if follow else ["O_NOFOLLOW"]))
    descriptor = os.open(path, access, 0o644)  # of a new file: its user may write, and all may read
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(descriptor, "r+b" if access & os.O_RDWR else "rb")


def lock(file: BinaryIO, *, wait: bool) -> None:
    """Lock a file until it is closed. Raises BlockingIOError if another process holds it, unless told to wait."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    while True:
        try:
            with _SEEKING:
                _at(file.fileno(), _LOCKED, lambda: msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1))
        except OSError as error:
            if not wait:
                raise BlockingIOError(error.errno, "another process holds it") from error
            sleep(_LOOKED)
        else:
            return


def read_at(file: int, buffer: memoryview, offset: int) -> int:
    """Fill a buffer from an offset, and return how many bytes were read; safe from threads."""
    if hasattr(os, "preadv"):
        return os.preadv(file, [buffer], offset)
    with _SEEKING:
        found = bytes(_at(file, offset, lambda: os.read(file, len(buffer))))
    buffer[: len(found)] = found
    return len(found)


def write_at(file: int, data: memoryview, offset: int) -> int:
    """Write bytes at an offset, and return the number written; safe to use from several threads."""
    if hasattr(os, "pwrite"):
        return os.pwrite(file, data, offset)
    with _SEEKING:
        return int(_at(file, offset, lambda: os.write(file, data)))


def _at(file: int, offset: int, do: Callable[[], Any]) -> Any:
    """Do something at an offset of a file, and go back, for a reader with a buffer."""
    former = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, offset, os.SEEK_SET)
    try:
        return do()
    finally:
        os.lseek(file, former, os.SEEK_SET)


def remove(file: BinaryIO, path: Path) -> None:
    """Remove a file that this process has locked, and close it after that, on Windows before."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        file.close()
        with suppress(PermissionError):  # another process has it by now
            path.unlink(missing_ok=True)
    file.close()


def rename(file: BinaryIO, path: Path, to: Path) -> None:
    """Rename a file that this process has written, in one step; on Windows it is closed first."""
    file.flush()
    try:
        path.replace(to)
    except PermissionError:
        file.close()
        path.replace(to)


def reserve(file: BinaryIO, offset: int, size: int) -> None:
    """Reserve disk space for a part of a file, if the system can. Raises OSError."""
    if size and hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), offset, size)


def mapped(file: BinaryIO, size: int) -> mmap.mmap:
    """Map a file; what is written to the pages stays in the process.

    Kernels are compiled for writable arrays, and written pages need memory. So without the second flag, which Python
    names since 3.13, Linux refuses to map a file larger than all memory.
    """
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY)
    private = mmap.MAP_PRIVATE | getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
    return mmap.mmap(file.fileno(), size, private, mmap.PROT_READ | mmap.PROT_WRITE)


def advise(pages: mmap.mmap, advice: str, *where: int) -> None:
    """Advise the system on the reading of a mapped file, by a name of `mmap`, if it knows that advice."""
    with suppress(OSError, AttributeError):
        pages.madvise(getattr(mmap, advice), *where)


def lower_priority() -> None:
    """Give this thread a low priority, on Linux: on other systems the whole process would have it."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
