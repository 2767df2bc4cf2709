"""Publish a finished file under its final name, and translate errors of the disk and of memory into BuildError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from puzzlebase.builder.progress import Reporter
from puzzlebase.db.errors import unwritable_remedy
from puzzlebase.db.machine import ran_out
from puzzlebase.db.regular import FileInUse, locked, put
from puzzlebase.db.trial import passed


class BuildError(Exception):
    """A build could not start or finish; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


CONTINUES = "run the same command again: it continues after the last complete layer"
STARTS_ANEW = "run the same command again: it starts anew"


def leftovers(path: Path) -> tuple[Path, Path]:
    """The two files beside the one that is being built: its finished layers, and the unfinished file."""
    return path.with_suffix(".journal"), path.with_suffix(".building")


def in_use(path: Path) -> BuildError:
    """The error of a build while another build of the same file is running."""
    return BuildError(
        f"another build of {path.stem!r} is running in {str(path.parent)!r}",
        "wait for it to end, or build into another folder with --data",
    )


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other builds of the same file from running meanwhile; raises BuildError where one is running."""
    name = leftovers(path)[0]
    try:
        file = locked(name)
    except FileInUse:
        raise in_use(path) from None
    try:
        yield
    finally:
        name.unlink(missing_ok=True)
        file.close()


@contextmanager
def unpublished(path: Path) -> Iterator[Path]:
    """Give the name of the unfinished file; at the end it takes the final name, or it is deleted after an error."""
    unfinished = leftovers(path)[1]
    try:
        yield unfinished
        published(unfinished, path)
    finally:
        for leftover in (unfinished, unfinished.with_name(unfinished.name + ".wal")):
            leftover.unlink(missing_ok=True)


_DOING = {"build": "building", "transfer": "fetching", "split": "splitting"}


def published(unfinished: Path, path: Path) -> None:
    """Have a whole file take its final name, in one step that lasts. A table of ours needs no trial under it."""
    put(unfinished, path, lasting=True)
    if path.suffix == ".duckdb":
        passed(path)


@contextmanager
def failures(
    path: Path, report: Reporter, remedy: str, what: Literal["build", "transfer", "split"] = "build"
) -> Iterator[None]:
    """Translate errors of the disk and of memory into BuildError, which ends with `remedy`; report interrupts."""
    try:
        yield
    except KeyboardInterrupt:
        report.say(f"the {what} of {path.stem} was stopped; {remedy}")
        raise
    except (MemoryError, RuntimeError) as error:
        if not ran_out(error):
            raise
        raise BuildError(
            f"memory ran out while {_DOING[what]} {path.stem}: {error}", f"free some, then {remedy}"
        ) from error
    except OSError as error:
        message = f"{str(error.filename or path.parent)!r} cannot be written: {error.strerror or error}"
        raise BuildError(message, unwritable_remedy(error, remedy)) from error
