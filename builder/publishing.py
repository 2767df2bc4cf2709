"""From a file that is being made to one that readers see, and what can come between."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.progress import Reporter
from builder.spill import SpillInUse, locked


class BuildError(Exception):
    """A build that could not start or finish; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def leftovers(path: Path) -> tuple[Path, Path]:
    """The finished layers and the unfinished file of what is being built, which lie beside it."""
    return path.with_suffix(".spill"), path.with_suffix(".building")


def in_use(path: Path) -> BuildError:
    """The error of a build that another one is in the way of."""
    return BuildError(
        f"another build of {path.stem!r} is running in {str(path.parent)!r}",
        "wait for it to end, or build into another folder with --data",
    )


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other builds of the same file away meanwhile; raises BuildError where one is under way."""
    name = leftovers(path)[0]
    try:
        file = locked(name)
    except SpillInUse:
        raise in_use(path) from None
    try:
        yield
    finally:
        name.unlink(missing_ok=True)
        file.close()


@contextmanager
def unpublished(path: Path) -> Iterator[Path]:
    """A name beside the final one; what lies there at the end takes the final name, or goes if there was an error."""
    unfinished = leftovers(path)[1]
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        for leftover in (unfinished, unfinished.with_name(unfinished.name + ".wal")):
            leftover.unlink(missing_ok=True)


GOES_ON = "run the same command again: it goes on behind the last complete layer"
ANEW = "run the same command again: it begins anew"


@contextmanager
def failures(path: Path, report: Reporter, then: str) -> Iterator[None]:
    """What machines do to a build, in words: a stop, a full disk, memory that ran out; `then` says how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        report.say(f"the build of {path.stem} was stopped; {then}")
        raise
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "can't start new thread" not in str(error):
            raise
        raise BuildError(f"memory ran out while building {path.stem}: {error}", f"free some, then {then}") from error
    except OSError as error:
        message = f"{str(error.filename or path.parent)!r} cannot be written: {error.strerror or error}"
        raise BuildError(message, f"make room on the disk, then {then}") from error
