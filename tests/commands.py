"""Run command lines in this process. To start a process for each of some hundred would take minutes."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from puzzlebase import part_places
from puzzlebase.command_line.main import main
from puzzlebase.kept_folder import VARIABLE


class Done(NamedTuple):
    """How a command ended and what it printed."""

    status: object
    stdout: str
    stderr: str


def command(data: Path | None, *words: str, given: str = "", folder: Path | None = None) -> Done:
    """Run `puzzlebase --data DATA WORDS` in a folder, with `given` as standard input.

    Then restore signal handlers, the folder of the cache and the places of parts, which `--cache` and `--parts` set for
    the whole process. Without DATA, no folder is named.
    """
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    chosen = {name: os.environ.get(name) for name in (VARIABLE, part_places.VARIABLE)}
    status: object = 0
    with ExitStack() as stack:
        stack.enter_context(
            mock.patch.object(sys, "argv", ["puzzlebase", *(["--data", str(data)] if data else []), *words])
        )
        stack.enter_context(mock.patch.object(sys, "stdin", io.StringIO(given)))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        if folder:
            stack.enter_context(chdir(folder))
        try:
            main()
        except SystemExit as end:
            status = end.code
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for name, value in chosen.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
    return Done(status, *(_written(stream) for stream in (out, err)))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.detach()
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
