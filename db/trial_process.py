"""Calls in processes of their own, which may crash: a helper loads DuckDB once and forks for each call.

To start Python and load DuckDB takes 0.3 s of a processor, a fork some milliseconds. The helper starts with the first
call. It ends with its parent, or when no call came for a while.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from socket import SHUT_WR, recv_fds, send_fds, socket, socketpair
from subprocess import DEVNULL, Popen
from threading import Lock
from traceback import format_exception_only

_IDLE = 5.0  # seconds without a call, after which the helper ends
_ATTEMPTS = 3  # to hand a call over: the helper may be about to end
_RETURNED = b"returned"


class _Helper:
    """The process that forks, and the socket through which it is given one for each call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: Popen[bytes] | None = None
        self._calls: socket | None = None

    def give(self, call: socket) -> None:
        """Hand over a socket. Raises OSError where no process can be started."""
        with self._lock:
            if self._calls:
                with suppress(ConnectionError):
                    send_fds(self._calls, [b"1"], [call.fileno()])
                    return
                self._calls.close()
            if self._process:
                self._process.wait()  # it has closed its end
            self._calls = self._start()
            send_fds(self._calls, [b"1"], [call.fileno()])

    def _start(self) -> socket:
        paths = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"}  # a fork has one thread
        ours, theirs = socketpair()
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
        """Forget the helper, in a process that was forked from the one that has it."""
        if self._process and self._calls:
            self._process.returncode = 0  # another one waits for it
            self._calls.close()
        self._lock, self._process, self._calls = Lock(), None, None


_helper = _Helper()
os.register_at_fork(after_in_child=_helper.forked)


def run(function: Callable[..., None], kind: type, path: object, seconds: float) -> str | None:
    """Call a function of a module; how its process ended, None where it returned. Raises TimeoutError and OSError."""
    for _ in range(_ATTEMPTS):
        ours, theirs = socketpair()
        with ours:
            with theirs:
                ours.sendall(pickle.dumps((function, kind, path)))
                ours.shutdown(SHUT_WR)
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
    with socket(fileno=sys.stdin.fileno()) as calls, suppress(TimeoutError):
        calls.settimeout(idle)
        while (came := recv_fds(calls, 1, 1))[1]:
            with socket(fileno=came[1][0]) as call, call.makefile("rb") as content:
                function, *arguments = pickle.load(content)  # noqa: S301 -- from our parent
                if not os.fork():
                    calls.close()
                    _watch(call, function, arguments)
    os._exit(0)


def _watch(call: socket, function: Callable[..., None], arguments: list[object]) -> None:
    """Call a function in one more process, so that this one is there to say how it ended."""
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
