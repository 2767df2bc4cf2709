"""The unfinished file of a build, which gets its final name at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puzzlebase.atomic_files import FileInUse, locked_file, put_in_place
from puzzlebase.builder.errors import build_in_use_error


def unfinished_files(path: Path) -> tuple[Path, Path]:
    """The two files beside a file that is being built:
    its finished layers, and the unfinished file.
    """
    return path.with_suffix(".journal"), path.with_suffix(".building")


@contextmanager
def lock_unfinished(path: Path) -> Iterator[None]:
    """Lock the unfinished file from other builds; raises BuildError if one is running."""
    name = unfinished_files(path)[0]
    try:
        file = locked_file(name)
    except FileInUse:
        raise build_in_use_error(path) from None
    try:
        yield
    finally:
        name.unlink(missing_ok=True)
        file.close()


@contextmanager
def publish_unfinished(path: Path) -> Iterator[Path]:
    """Yield the name of the unfinished file;
    at the end it takes the final name, after an error it is deleted.
    """
    unfinished = unfinished_files(path)[1]
    try:
        yield unfinished
        put_in_place(unfinished, path, lasting=True)
    finally:
        for leftover in (unfinished, unfinished.with_name(unfinished.name + ".wal")):
            leftover.unlink(missing_ok=True)
