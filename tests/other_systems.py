"""Linux as if it were another system:
a `sitecustomize.py` takes names away from every process that a test starts.
"""

from __future__ import annotations

import os
from pathlib import Path

_BEGIN = """
import asyncio, ctypes, fcntl, importlib, mmap, multiprocessing, os, pathlib, resource, select
import selectors, shutil, signal, socket, ssl, subprocess, sys, tempfile, termios, threading, time
import psutil
"""

MACOS = """
MACOS = {
    *("MADV_NORMAL", "MADV_RANDOM", "MADV_SEQUENTIAL"),
    *("MADV_WILLNEED", "MADV_DONTNEED", "MADV_FREE"),
}
ADVICE = {name for name in dir(mmap) if name.startswith("MADV_")}
GONE = {
    mmap: ADVICE - MACOS | {"MAP_POPULATE", "MAP_STACK"},
    os: {
        *("copy_file_range", "eventfd", "memfd_create", "pidfd_open", "posix_fadvise"),
        *("posix_fallocate", "process_cpu_count", "sched_getaffinity", "sched_setaffinity"),
        *("splice", "O_PATH", "O_TMPFILE"),
    },
    socket: {
        *("TCP_INFO", "TCP_USER_TIMEOUT", "TCP_QUICKACK"),
        *("SO_PEERCRED", "SOCK_CLOEXEC", "SOCK_NONBLOCK"),
    },
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

LEAST = f"""{MACOS}
GONE = {{mmap: {{"MADV_RANDOM", "MADV_WILLNEED", "MAP_NORESERVE"}}, os: {{"setpriority"}}}}
for module, names in GONE.items():
    for name in names & {{*dir(module)}}:
        delattr(module, name)
"""
"""Names that any system lacks."""


def environment(folder: Path, program: str) -> dict[str, str]:
    """The environment of processes that run a program when they begin;
    its file lies in the folder.
    """
    (folder / "sitecustomize.py").write_text(_BEGIN + program, "utf-8")
    paths = str(folder), os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
