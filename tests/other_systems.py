"""Linux as if it were another system: a `sitecustomize.py` takes names away from every process that a test starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.serving import COMMAND

_BEGIN = """
import asyncio, ctypes, fcntl, importlib, mmap, multiprocessing, os, pathlib, resource, select, selectors, shutil
import signal, socket, ssl, subprocess, sys, tempfile, termios, threading, time, psutil
"""

MACOS = """
MACOS = {"MADV_NORMAL", "MADV_RANDOM", "MADV_SEQUENTIAL", "MADV_WILLNEED", "MADV_DONTNEED", "MADV_FREE"}
GONE = {
    mmap: {name for name in dir(mmap) if name.startswith("MADV_")} - MACOS | {"MAP_POPULATE", "MAP_STACK"},
    os: {
        *("copy_file_range", "eventfd", "memfd_create", "pidfd_open", "posix_fadvise", "posix_fallocate"),
        *("process_cpu_count", "sched_getaffinity", "sched_setaffinity", "splice", "O_PATH", "O_TMPFILE"),
    },
    socket: {"TCP_INFO", "TCP_USER_TIMEOUT", "TCP_QUICKACK", "SO_PEERCRED", "SOCK_CLOEXEC", "SOCK_NONBLOCK"},
    fcntl: {"F_ADD_SEALS", "F_GET_SEALS", "F_SETPIPE_SZ", "F_OFD_SETLK"},
    resource: {"prlimit"},
    select: {"epoll"},
    signal: {"pidfd_send_signal", "sigtimedwait"},
}
for module, names in GONE.items():
    for name in names & {*dir(module)}:
        delattr(module, name)


def refuse(*_):
    raise ValueError("current limit exceeds maximum limit")


resource.setrlimit = refuse
"""
"""Names that macOS lacks; and its refusal of the limit that it states itself."""

WINDOWS = """
import builtins, io

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}  # which our files alone do without here
GONE = {
    os: {
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_SYNC", "O_TMPFILE", "O_PATH", "fork", "preadv"),
        *("pwrite", "pwritev", "fchown", "register_at_fork", "mkfifo", "setpriority", "sched_getaffinity"),
        *("setsid", "posix_fallocate", "posix_fadvise", "killpg", "nice", "copy_file_range", "memfd_create"),
    },
    mmap: {name for name in dir(mmap) if name.startswith(("MADV_", "MAP_", "PROT_"))},
    mmap.mmap: {"madvise"},
    signal: {"SIGALRM", "SIGCHLD", "SIGHUP", "SIGPIPE", "SIGURG", "SIGUSR1", "alarm", "setitimer", "pthread_sigmask"},
    socket: {"AF_UNIX", "send_fds", "recv_fds", "TCP_INFO", "TCP_USER_TIMEOUT"},
}
shutil._use_fd_functions = False
open_file, fsync, flags_of = os.open, os.fsync, fcntl.fcntl
flock, exclusive = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
F_GETFL = fcntl.F_GETFL
for module, names in GONE.items():
    for name in names & {*dir(module)}:
        if module is not mmap.mmap:
            delattr(module, name)


class Locking:
    LK_NBLCK = 2

    @staticmethod
    def locking(file, mode, count):
        assert (mode, count) == (2, 1)
        assert os.lseek(file, 0, os.SEEK_CUR) > 1 << 32, "nobody could read what is locked"
        try:
            flock(file, exclusive)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None


def import_of_ours(name, given, usual):
    if (given or {}).get("__name__", "").startswith("puzzlebase"):
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}")
        if name == "msvcrt":
            return Locking
    return usual()


import_name, import_module = builtins.__import__, importlib.import_module
builtins.__import__ = lambda name, given=None, *more, **named: import_of_ours(
    name, given, lambda: import_name(name, given, *more, **named))
importlib.import_module = lambda name, package=None: import_of_ours(
    name, sys._getframe(1).f_globals, lambda: import_module(name, package))


def closed_before(usual):
    def checked(*paths, **more):
        for each in map(os.path.realpath, paths):
            files = {os.path.realpath(f"/proc/self/fd/{file}") for file in os.listdir("/proc/self/fd")}
            if any(file == each or file.startswith(f"{each}/") for file in files):
                raise PermissionError(13, "Access is denied: the file is open", each)
        return usual(*paths, **more)
    return checked


for name in ("rename", "replace", "unlink", "remove"):
    setattr(os, name, closed_before(getattr(os, name)))


def no_folder(path, *more, **named):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return open_file(path, *more, **named)


def writable(file):
    if not flags_of(file, F_GETFL) & (os.O_RDWR | os.O_WRONLY):
        raise OSError(9, "Bad file descriptor")
    fsync(file)


os.open, os.fsync = no_folder, writable


def ends_lines_anew(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *more, **named):
    if newline is None and "b" not in mode and not mode.startswith("r"):
        newline = "\\r\\n"
    return open_text(file, mode, buffering, encoding, errors, newline, *more, **named)


open_text = io.open
io.open = builtins.open = ends_lines_anew
"""
"""Names and modules that Windows lacks, files that it neither renames nor removes while they are open, and its lines.

Libraries keep the modules: here they are those of Linux. Locks of `msvcrt` are made of Linux's.
"""


def without(names: str) -> str:
    """A program that takes names away, each as module.name, as far as they are there."""
    return "\n".join(
        f"if hasattr({module}, {name!r}): del {module}.{name}"
        for module, _, name in (each.rpartition(".") for each in names.split())
    )


def environment(folder: Path, program: str) -> dict[str, str]:
    """The environment of processes that run a program when they begin; its file lies in the folder."""
    (folder / "sitecustomize.py").write_text(_BEGIN + program, "utf-8")
    paths = str(folder), os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


PROGRAM = [sys.executable, "-m", "puzzlebase"]
__all__ = ["COMMAND", "MACOS", "PROGRAM", "WINDOWS", "environment", "without"]
