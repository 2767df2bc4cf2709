"""A file that one process at a time may hold."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import BinaryIO


class FileInUse(Exception):
    """Another process holds the file."""


def locked(path: Path, *, wait: bool = False) -> BinaryIO:
    """Open a file, made if there is none, that no other process can open so until it is closed or this one is killed.

    Raises FileInUse where another one holds it, or waits for that to end.
    """
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            held, named = os.fstat(file.fileno()), path.stat()
        except BlockingIOError:
            file.close()
            raise FileInUse(str(path)) from None
        except FileNotFoundError:
            file.close()
            continue
        except BaseException:
            file.close()
            raise
        if held.st_ino == named.st_ino:
            return file
        file.close()  # its former holder has finished and taken its name away
