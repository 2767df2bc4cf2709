"""The errors of builds: those of the disk and of memory become BuildError."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from puzzlebase.builder.progress import Reporter
from puzzlebase.errors import ErrorWithHint, is_out_of_memory, unwritable_remedy

CONTINUES = "run the same command again: it continues after the last complete layer"
STARTS_ANEW = "run the same command again: it starts anew"
_DOING = {"build": "building", "transfer": "fetching", "publish": "publishing"}


class BuildError(ErrorWithHint):
    """A build could not start or finish."""


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


def build_in_use_error(path: Path) -> BuildError:
    """The error of a build while another build of the same file is running."""
    return BuildError(
        f"another build of {path.stem!r} is running in {str(path.parent)!r}",
        "wait for it to end, or build into another folder with --data",
    )
