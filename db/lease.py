"""Leases keep the pages of a mapped file unchanged since they were read, even if somebody writes to the file.

While a process has a lease, Linux delays everybody who opens the file for writing, or cuts it, until the lease ends, or
45 s (/proc/sys/fs/lease-break-time). A file that is open for writing, or mapped so, gives no lease. A thread looks for
waiters every half second. It then puts a copy of the mapped pages at the same addresses, so that arrays of them stay
valid. Private pages are not enough, since cutting a file removes them too. Readers of files too large to copy ask
`held` before they read; the lease ends when the last array is gone.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import mmap
import os
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from typing import BinaryIO
from weakref import finalize, ref

import numpy as np

from puzzlebase import system
from puzzlebase.system import fcntl

_LOOKED = 0.5  # seconds between two looks at all leases
_MAYMOVE_FIXED = 3  # of mremap(2)
_FAILED = ctypes.c_void_p(-1).value


class Lease:
    """A lease of a file that is open for reading, which lasts as long as references to the mapped pages.

    Raises BlockingIOError if the file is open for writing, and OSError if its file system has no leases.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        if not system.LEASES:
            raise OSError(errno.ENOTSUP, "this system has no leases", str(path))
        fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)  # which is ignored: the default signal ends the process
        _take(file)
        self._path = path
        self._descriptor = os.dup(file.fileno())
        self._mapped: Callable[[], mmap.mmap | None] = lambda: None
        self.writing = Lock()  # for a writer to the mapped pages, which are this process's own

    @property
    def held(self) -> bool:
        """True if nobody has been able to change the file until now, nor will be for seconds."""
        return bool(fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK)

    def keep(self, mapped: mmap.mmap, *, copied: bool) -> None:
        """Hold the lease until the mapped pages are gone; have them `copied` if somebody waits."""
        finalize(mapped, self._end).atexit = False
        if copied:
            self._mapped = ref(mapped)
            _LOOKED_AFTER.add(self)
            with _LOCK:
                if not _THREADS:
                    _THREADS.append(Thread(target=_look, name="leases", daemon=True))
                    _THREADS[0].start()

    def _end(self) -> None:
        if self in _LOOKED_AFTER:
            _LOOKED_AFTER.discard(self)
            with suppress(OSError):  # it was lost
                fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
            _ENDED.append(self._descriptor)  # the thread may be using it now
        else:
            os.close(self._descriptor)

    def copy(self) -> None:
        """Put a copy in place of the mapped pages, if anybody still uses them. Raises OSError."""
        if mapped := self._mapped():
            with self.writing:
                _replace(mapped)

    def give_up(self) -> None:
        """Copy the mapped pages and let the others write; if that comes too late, the process ends."""
        log = logging.getLogger(__name__)
        mapped = self._mapped()
        if mapped is None:  # nobody uses them any more, and the lease is about to end
            return
        try:
            self.copy()
            _LOOKED_AFTER.discard(self)
            fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)  # an error if they no longer wait
        except OSError as error:
            log.critical("%s was changed before it was copied, which ends this process: %s", self._path, error)
            os._exit(1)
        log.warning("%s is opened for writing; this process goes on with a copy", self._path)


def _replace(mapped: mmap.mmap) -> None:
    """Replace a mapping by memory of this process with the same content, in one step for all readers."""
    size, at = len(mapped), np.frombuffer(mapped, np.uint8).ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    for function in (libc.mmap, libc.mremap):
        function.restype = ctypes.c_void_p
    pointer, long = ctypes.c_void_p, ctypes.c_size_t
    private, all_of_it = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE
    copy = libc.mmap(pointer(), long(size), all_of_it, private, -1, ctypes.c_long(0))
    if copy != _FAILED:
        ctypes.memmove(copy, at, size)
        copy = libc.mremap(pointer(copy), long(size), long(size), _MAYMOVE_FIXED, pointer(at))
    if copy == _FAILED:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _take(file: BinaryIO) -> None:
    for again in (0.01, 0.05, 0.0):  # an examination of the file's lock has it open for a moment
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except BlockingIOError:
            if not again:
                raise
            sleep(again)
        else:
            return


_LOOKED_AFTER: set[Lease] = set()
_ENDED: deque[int] = deque()  # descriptors of ended leases, for the thread to close
_LOCK = Lock()
_THREADS: list[Thread] = []


def _look() -> None:
    while True:
        sleep(_LOOKED)
        for descriptor in [_ENDED.popleft() for _ in range(len(_ENDED))]:
            os.close(descriptor)
        for lease in [*_LOOKED_AFTER]:
            if not lease.held:
                lease.give_up()


def _forked() -> None:
    """Copy all mapped pages: leases stay with the parent process, and no thread looks for waiters here."""
    for lease in [*_LOOKED_AFTER]:
        lease.copy()
    _LOOKED_AFTER.clear()
    _THREADS.clear()


system.after_fork(_forked)
