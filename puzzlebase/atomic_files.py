"""Regular files: held by one process at a time, replaced only by complete files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from puzzlebase import system


class FileInUse(Exception):
    """Another process holds the file."""


def locked_file(path: Path, *, wait: bool = False) -> BinaryIO:
    """Open a file, and make it if missing.
    No other process can open it so until it is closed or this process ends.

    Raises FileInUse if another process has it,
    unless told to wait, and OSError for no regular file.
    """
    while True:
        file = system.open_regular_file(path, os.O_RDWR | os.O_CREAT)
        try:
            system.lock(file, wait=wait)
            held, named = os.fstat(file.fileno()), path.lstat()
            if held.st_ino == named.st_ino:
                return file
            file.close()  # its former holder has finished and removed its name
        except FileNotFoundError:
            file.close()
        except BaseException as error:
            file.close()
            if isinstance(error, BlockingIOError):
                raise FileInUse(str(path)) from None
            raise


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give a new name beside `path` to write to;
    at the end it replaces `path`, after an error it is deleted.
    """
    unfinished = path.with_name(f"{path.name}.{token_hex(8)}.writing")
    try:
        yield unfinished
        put_in_place(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def put_in_place(unfinished: Path, path: Path, *, lasting: bool = False) -> None:
    """Put a complete file in place of `path` in one step;
    if `lasting`, it outlives a power failure.
    """
    if lasting:
        _flush(unfinished)
    unfinished.replace(path)
    if lasting:
        _flush(path.parent)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
