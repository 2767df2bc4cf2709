"""Command lines in this process, since a process for each of some hundred would take minutes;
and what other processes print.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from puzzlebase.command_line.main import main
from puzzlebase.puzzles import discovery
from tests.waiting import PATIENCE


class Done(NamedTuple):
    """The exit status and the output of a command."""

    status: object
    stdout: str
    stderr: str


class Terminal(io.BytesIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """True."""
        return True


def command(
    data: Path | None,
    *words: str,
    given: str = "",
    folder: Path | None = None,
    stream: type[io.BytesIO] = io.BytesIO,
) -> Done:
    """Run `puzzlebase --data DATA WORDS` in a folder,
    with `given` as standard input; `stream` is Terminal for one.

    Then restore signal handlers and the environment, in which options stay as long as the process,
    and forget the puzzles that they led to. Without DATA, no folder is named.
    """
    out = io.TextIOWrapper(stream(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    status: object = 0
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ))
        stack.enter_context(
            mock.patch.object(
                sys, "argv", ["puzzlebase", *(["--data", str(data)] if data else []), *words]
            )
        )
        stack.enter_context(mock.patch.object(discovery, "_places", [*discovery._places]))
        stack.enter_context(
            mock.patch.object(sys, "stdin", io.TextIOWrapper(stream(given.encode()), "utf-8"))
        )
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
    if {"--puzzles", "--rules"} & {*words}:
        discovery.forget()
    return Done(status, *(_written(stream) for stream in (out, err)))


def ran(data: Path | None, *words: str, folder: Path | None = None) -> Done:
    """The same of a command that succeeds."""
    done = command(data, *words, folder=folder)
    assert not done.status, done.stdout + done.stderr
    return done


def printed(
    command: str | Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None
) -> str:
    """The standard output of a process that succeeds; a shell runs a command of one text."""
    done = subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.detach()
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
