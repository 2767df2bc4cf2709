"""A run of `puzzlebase` as a process of its own: its output, and the time and memory it took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile


@dataclass(frozen=True)
class Done:
    """Standard output, the seconds in all, and the peak of resident memory in bytes."""

    output: str
    seconds: float
    peak: int


def run(words: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> Done:
    """Run it to its end; raises RuntimeError with its error output when it fails.

    A child's peak begins at the peak of the process that starts it, so it is its own only while
    this process is the smaller one.
    """
    command = [sys.executable, "-m", "puzzlebase", *map(str, words)]
    began = time.perf_counter()
    with TemporaryFile("w+", encoding="utf-8") as printed:
        with subprocess.Popen(  # noqa: S603 (our own command)
            command,
            env=os.environ | (environment or {}),
            stdout=printed,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stderr
            complaint = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        if child.returncode:
            raise RuntimeError(
                f"{' '.join(command)} ended with status {child.returncode}:\n{complaint}"
            )
        printed.seek(0)
        return Done(printed.read(), seconds, usage.ru_maxrss * 1024)
