"""Trials: a separate process reads an unknown file once as a whole, and may crash in place of this one.

Bytes that fit DuckDB's checksum of their block may make it read out of bounds. It reads the same bytes the same way
again, so one trial is enough: a file in the cache folder of paths.py records that it passed. A file that this process
or a build has written needs none. Starting Python and loading DuckDB takes 0.3 s of a processor, a fork some
milliseconds. So a helper loads DuckDB once, at the first trial, and forks for each. It ends with its parent, or when no
trial came for a while.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import Lock
from traceback import format_exception_only

from puzzlebase import system
from puzzlebase.db import cached_checks
from puzzlebase.db.cached_checks import Identity
from puzzlebase.db.errors import TableError, UnreadableTable
from puzzlebase.db.paths import cache_folder
from puzzlebase.system import resource

_SUFFIX = ".tried"
_MOST_MEMORY = 8 << 30  # bytes of addresses that a trial may take: DuckDB takes 256 MB of memory
_SECONDS = 300
_BYTES_A_SECOND = 5 << 20  # of a file, on the slowest disk: a trial that takes longer than both has failed
_IDLE = 5.0  # seconds without a trial, after which the helper ends
_ATTEMPTS = 3  # to hand a trial over: the helper may be about to end
_RETURNED = b"returned"

_TRIED: set[Identity] = set()  # files that passed while this process runs, used if there is no folder
_WRITTEN: set[tuple[int, int]] = set()  # device and inode of each file that this process has written


def wrote(path: Path) -> None:
    """Exempt a file that this process wrote from trials by this process, under any name."""
    _WRITTEN.add(Identity.of(path.stat())[:2])


def passed(path: Path) -> None:
    """Exempt a file from trials by all processes from now on, if there is a folder to record it."""
    identity = Identity.of(path.stat())
    _TRIED.add(identity)
    cached_checks.keep(cache_folder(path.parent), path, identity, _SUFFIX, {})


def trouble(path: Path, kind: type) -> str | None:
    """Try a file as this kind of StoredFile; returns the fault, None without one.

    Raises OSError for no file, and UnreadableTable.
    """
    if not path.is_file():  # a pipe would be waited for
        return "is no regular file"
    if not os.access(path, os.R_OK):
        raise UnreadableTable(f"no permission to read {str(path)!r}", f"allow it: chmod a+r {path}")
    identity = Identity.of(path.stat())
    if not system.SERVES or identity in _TRIED or identity[:2] in _WRITTEN:
        return None  # a crash harms a service most; and a trial without a fork takes a second
    if cached_checks.recall(cache_folder(path.parent), path, identity, _SUFFIX) is not None:
        _TRIED.add(identity)
        return None
    limit = _seconds(identity.size)
    try:
        found = run(_try_file, kind, path.absolute(), limit)
    except TimeoutError:
        return f"was not read within {limit} s"
    if found:
        return f"cannot be read: {found}"
    passed(path)
    return None


def _seconds(size: int) -> int:
    return _SECONDS + size // _BYTES_A_SECOND


def _try_file(kind: type, path: Path) -> None:
    """Read all of a file, in a process that then ends. Errors that readers of the file would get are no fault."""
    seconds = _seconds(path.stat().st_size)
    signal.alarm(seconds + 1)  # nobody waits for it any more
    processor = seconds * (os.cpu_count() or 1)
    limits = (resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_CPU, processor)
    for limit, most in limits:
        allowed = resource.getrlimit(limit)[1]
        with suppress(OSError, ValueError):  # macOS refuses some
            resource.setrlimit(limit, (most if allowed == resource.RLIM_INFINITY else min(most, allowed), allowed))
    wrote(path)
    with suppress(TableError), kind(path) as file:
        for read in file.everything():
            with suppress(TableError):
                read()


class _Helper:
    """The process that forks, and the socket that hands it another socket for each call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: Popen[bytes] | None = None
        self._calls: socket.socket | None = None

    def give(self, call: socket.socket) -> None:
        """Hand over a socket. Raises OSError if no process can be started."""
        with self._lock:
            if self._calls:
                with suppress(ConnectionError):
                    socket.send_fds(self._calls, [b"1"], [call.fileno()])
                    return
                self._calls.close()
            if self._process:
                self._process.wait()  # it has closed its end
            self._calls = self._start()
            socket.send_fds(self._calls, [b"1"], [call.fileno()])

    def _start(self) -> socket.socket:
        paths = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"}  # a fork has one thread
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = Popen(  # noqa: S603 -- our own program
                [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({_IDLE})"],
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is for its parent
            )
        return ours

    def forked(self) -> None:
        """Forget the helper, in a process forked from its owner."""
        if self._process and self._calls:
            self._process.returncode = 0  # another thread waits for it
            self._calls.close()
        self._lock, self._process, self._calls = Lock(), None, None


_helper = _Helper()
system.after_fork(_helper.forked)


def run(function: Callable[..., None], kind: type, path: object, seconds: float) -> str | None:
    """Call a function in a process of its own; returns its end in words, None if it returned. Raises OSError."""
    for _ in range(_ATTEMPTS):
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                ours.sendall(pickle.dumps((function, kind, path)))
                ours.shutdown(socket.SHUT_WR)
                _helper.give(theirs)
            ours.settimeout(seconds)
            with ours.makefile("rb") as answers, suppress(ConnectionError):
                if answer := answers.read():
                    return None if answer == _RETURNED else f"a process that tried it ended with{answer.decode()}"
    return "the process that should have tried it ended"


def serve(idle: float) -> None:
    """Fork for each socket that comes through standard input; end the process after so many idle seconds."""
    import duckdb  # noqa: F401, PLC0415 -- loaded once
    import numpy.ma  # noqa: F401, PLC0415 -- which DuckDB loads with the first array

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=sys.stdin.fileno()) as calls, suppress(TimeoutError):
        calls.settimeout(idle)
        while (came := socket.recv_fds(calls, 1, 1))[1]:
            with socket.socket(fileno=came[1][0]) as call, call.makefile("rb") as content:
                function, *arguments = pickle.load(content)  # noqa: S301 -- from our parent
                if not os.fork():
                    calls.close()
                    _watch(call, function, arguments)
    os._exit(0)


def _watch(call: socket.socket, function: Callable[..., None], arguments: list[object]) -> None:
    """Call a function in one more process, so that this one can report its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if child := os.fork():
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if ended < 0:
            call.sendall(f" signal {-ended}".encode())
    else:
        try:
            function(*arguments)
            call.sendall(_RETURNED)
        except BaseException as error:  # noqa: BLE001 -- of any kind
            call.sendall(f": {format_exception_only(error)[-1].strip()}".encode(errors="replace"))
    os._exit(0)  # what DuckDB frees at the end is of no use
