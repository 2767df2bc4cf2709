"""Publish a finished file under its final name;
turn errors of the disk and of memory into BuildError.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from puzzlebase.atomic_files import FileInUse, locked_file, put_in_place
from puzzlebase.builder.progress import Reporter
from puzzlebase.errors import ErrorWithHint, is_out_of_memory, unwritable_remedy


class BuildError(ErrorWithHint):
    """A build could not start or finish."""


CONTINUES = "run the same command again: it continues after the last complete layer"
STARTS_ANEW = "run the same command again: it starts anew"


def unfinished_files(path: Path) -> tuple[Path, Path]:
    """The two files beside a file that is being built:
    its finished layers, and the unfinished file.
    """
    return path.with_suffix(".journal"), path.with_suffix(".building")


def build_in_use(path: Path) -> BuildError:
    """The error of a build while another build of the same file is running."""
    return BuildError(
        f"another build of {path.stem!r} is running in {str(path.parent)!r}",
        "wait for it to end, or build into another folder with --data",
    )


@contextmanager
def build_lock(path: Path) -> Iterator[None]:
    """Keep other builds of the same file from running; raises BuildError if one is running."""
    name = unfinished_files(path)[0]
    try:
        file = locked_file(name)
    except FileInUse:
        raise build_in_use(path) from None
    try:
        yield
    finally:
        name.unlink(missing_ok=True)
        file.close()


@contextmanager
def unpublished_file(path: Path) -> Iterator[Path]:
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


_DOING = {"build": "building", "transfer": "fetching", "publish": "publishing"}


@contextmanager
def build_failures(
    path: Path,
    report: Reporter,
    remedy: str,
    what: Literal["build", "transfer", "publish"] = "build",
) -> Iterator[None]:
    """Turn errors of the disk and of memory into BuildError,
    which ends with `remedy`; report interrupts.
    """
    try:
        yield
    except KeyboardInterrupt:
        report.say(f"the {what} of {path.stem} was stopped; {remedy}")
        raise
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise BuildError(
            f"memory ran out while {_DOING[what]} {path.stem}: {error}", f"free some, then {remedy}"
        ) from error
    except OSError as error:
        message = (
            f"{str(error.filename or path.parent)!r} cannot be written: {error.strerror or error}"
        )
        raise BuildError(message, unwritable_remedy(error, remedy)) from error
