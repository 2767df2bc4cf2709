"""Files that are replaced only by complete ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A new name beside `path` to write to. At the end it replaces `path`; after an error it is deleted."""
    unfinished = path.with_name(f"{path.name}.{token_hex(8)}.writing")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
