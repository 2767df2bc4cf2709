"""Files that are replaced only by complete ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A new name beside `path` to write to. At the end it replaces `path`; after an error it is deleted."""
    unfinished = path.with_name(f"{path.name}.{token_hex(8)}.writing")
    try:
        yield unfinished
        put(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def put(unfinished: Path, path: Path, *, lasting: bool = False) -> None:
    """Have a complete file take the place of `path` in one step; `lasting`: it outlives a failure of the power."""
    if lasting:
        _flush(unfinished)
    unfinished.replace(path)
    if lasting:
        _flush(path.parent)


def write_at(file: BinaryIO, data: bytes | memoryview, offset: int) -> None:
    """Write all of the data at an offset; raises OSError. Of what a full disk refused, a part may be there."""
    left = memoryview(data)
    while left:
        written = os.pwrite(file.fileno(), left, offset)
        left, offset = left[written:], offset + written


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
