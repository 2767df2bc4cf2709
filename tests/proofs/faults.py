"""kill -9 at chosen moments of a build, and what must be true afterwards.

`python -m tests.proofs.faults` kills a build of the avenger at 20 seeded moments: at random times
within each phase, and right before and right after the former table is replaced.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from unittest.mock import patch

from rich.console import Console

from puzzlebase.builder import Reporter, TableJob
from puzzlebase.builder.progress import Phase
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path
from puzzlebase.puzzles import find
from tests.waiting import PATIENCE

PHASES = (
    "space",
    "breadth-first search",
    "write",
    "certificate of the orbits",
    "certificate of the states",
)
CALLS = ("before the replacement", "after the replacement")
"""Moments between two system calls."""

_STRIKES = 20


def strike(name: str, data: Path, moment: str, delay: float | None = None) -> None:
    """Start a build in a process of its own, which kills itself in a phase,
    at a line that it reports, or at a call.

    In a phase it does so when the first work is done or, with `delay`, so many seconds after its
    beginning, and at its end at the latest. No other process could tell when these moments are.
    """
    command = [
        sys.executable,
        "-m",
        "tests.proofs.faults",
        name,
        str(data),
        moment,
        *([] if delay is None else [str(delay)]),
    ]
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def recover(name: str, data: Path, digest: str, version: str = "test") -> str:
    """Build again to the end,
    check that the table has the digest and no other file is left; what the build said.
    """
    puzzle = find(name)
    printed = Printed()
    path = TableJob(puzzle, puzzle.goal(), data, version, 2, printed).build()
    with TableFile(path) as file:
        assert file.digest == digest
    assert {*data.iterdir()} - {data / "cache"} == {path}
    return printed.text


class Printed(Reporter):
    """A reporter that keeps every line."""

    def __init__(self) -> None:
        super().__init__(Console(stderr=True, quiet=True))
        self.text = ""

    def say(self, line: str) -> None:
        """Keep a line."""
        self.text += line + "\n"


class _Struck(Printed):
    """A reporter that kills its own process, as `strike` says."""

    def __init__(self, moment: str, delay: float | None) -> None:
        super().__init__()
        self._moment = moment
        self._delay = delay

    def say(self, line: str) -> None:
        """Kill this process at a line that begins with the moment;
        at a phase's end the line begins with its title.
        """
        if line.startswith(self._moment):
            _kill()

    @contextmanager
    def phase(self, title: str, total: int, unit: str) -> Iterator[Phase]:
        """Kill this process during the phase that is the moment."""
        with super().phase(title, total, unit) as phase:
            if title != self._moment:
                yield phase
            elif self._delay is not None:
                Timer(self._delay, _kill).start()
                yield phase
            else:
                with patch.object(phase, "advance", _kill), patch.object(phase, "reached", _kill):
                    yield phase


def _kill(_units: int = 0) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _child(name: str, data: Path, moment: str, delay: float | None) -> None:
    """A build that kills itself."""
    renamed = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal renamed
        if event == "os.rename" and str(arguments[1]) == str(table_path(data, name)):
            renamed = True
            if moment == CALLS[0]:
                _kill()
        elif renamed and event == "open" and moment == CALLS[1]:
            _kill()

    sys.addaudithook(hook)
    puzzle = find(name)
    TableJob(puzzle, puzzle.goal(), data, "test", 2, _Struck(moment, delay)).build()


def main() -> None:
    """Kill a build 20 times, half of them where a former table lies, and print what each left."""
    chosen = random.Random(20)
    name = "avenger"
    with TemporaryDirectory() as folder:
        sound = TableJob(
            find(name), find(name).goal(), Path(folder, "sound"), "test", 2, printed := Printed()
        ).build()
        with TableFile(sound) as file:
            digest = file.digest
        for number in range(_STRIKES):
            moment = (PHASES + CALLS)[number % len(PHASES + CALLS)]
            delay = chosen.uniform(0, printed.seconds.get(moment, 0.0))
            data = Path(folder, str(number))
            data.mkdir()
            path = table_path(data, name)
            former = sound.read_bytes() if number % 2 else None
            if former is not None:
                path.write_bytes(former)
            strike(name, data, moment, delay)
            left = path.read_bytes() if path.exists() else None
            if moment == CALLS[1]:
                with TableFile(path) as file:
                    assert file.digest == digest
            else:
                assert left == former
            beside = sorted(file.name for file in data.iterdir() if file != path)
            again = recover(name, data, digest)
            on = next(
                (line for line in again.splitlines() if "an earlier run" in line), "from the start"
            )
            print(f"{number + 1:2} killed {delay:.2f} s into {moment}: ", end="")  # noqa: T201
            print(  # noqa: T201
                f"{'former table' if former else 'no table'}, beside it {beside}; then {on}: "
                "equal digest"
            )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _child(
            sys.argv[1],
            Path(sys.argv[2]),
            sys.argv[3],
            float(sys.argv[4]) if len(sys.argv) > 4 else None,
        )
    else:
        main()
