"""kill -9 at chosen moments of a build, and what must be true afterwards.

`python -m tests.faults` strikes a build of the avenger at 20 seeded moments: at random times within
each phase, and right before and behind the replacement of the former table.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from builder import Reporter, build
from db import TableFile, table_path
from puzzles import find

PHASES = ("space", "breadth-first search", "write", "census", "certificate of the orbits", "certificate of the states")
CALLS = ("before the replacement", "behind the replacement")
"""Moments between two system calls, at which the build kills itself: a parent would be too late."""

_STRIKES = 20


def strike(name: str, data: Path, moment: str, delay: float = 0.0) -> bool:
    """Start a build in a process of its own and kill it `delay` seconds into a phase, or at a call.

    Returns whether it was killed, and not finished already.
    """
    command = [sys.executable, "-m", "tests.faults", name, str(data), moment]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout
        for line in child.stdout:
            if line.strip() == moment:
                time.sleep(delay)
                child.send_signal(signal.SIGKILL)
    assert child.returncode in (0, -signal.SIGKILL)
    return child.returncode != 0


def recover(name: str, data: Path, digest: str, version: str = "test") -> str:
    """Build again to the end; the table has the digest and nothing else is left. Returns what the build said."""
    puzzle = find(name)
    said = Said()
    path = build(puzzle, puzzle.goal(), data, version, 2, said)
    with TableFile(path) as file:
        assert file.digest == digest
    assert list(data.iterdir()) == [path]
    return said.text


class Said(Reporter):
    """A reporter that keeps what it is told, and prints the name of each phase that begins."""

    def __init__(self, *, aloud: bool = False) -> None:
        super().__init__(Console(stderr=True, quiet=True))
        self.text = ""
        self._aloud = aloud

    def say(self, line: str) -> None:
        """Kept."""
        self.text += line + "\n"

    def begins(self, title: str) -> None:
        """Printed."""
        if self._aloud:
            print(title, flush=True)  # noqa: T201 (to the process that strikes)


def _child(name: str, data: Path, moment: str) -> None:
    """A build that says where it is, and kills itself at a call."""
    renamed = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal renamed
        if event == "os.rename" and str(arguments[1]) == str(table_path(data, name)):
            renamed = True
            if moment == CALLS[0]:
                os.kill(os.getpid(), signal.SIGKILL)
        elif renamed and event == "open" and moment == CALLS[1]:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    puzzle = find(name)
    build(puzzle, puzzle.goal(), data, "test", 2, Said(aloud=True))


def main() -> None:
    """Strike 20 times, half of them where a former table lies, and say what came of it."""
    chosen = random.Random(20)
    name = "avenger"
    with TemporaryDirectory() as folder:
        sound = build(find(name), find(name).goal(), Path(folder, "sound"), "test", 2, said := Said())
        with TableFile(sound) as file:
            digest = file.digest
        for number in range(_STRIKES):
            moment = (PHASES + CALLS)[number % len(PHASES + CALLS)]
            delay = chosen.uniform(0, said.seconds.get(moment, 0.0))
            data = Path(folder, str(number))
            data.mkdir()
            path = table_path(data, name)
            former = sound.read_bytes() if number % 2 else None
            if former is not None:
                path.write_bytes(former)
            while not strike(name, data, moment, delay):
                delay /= 2  # it was done before
                path.write_bytes(former) if former else path.unlink()
            left = path.read_bytes() if path.exists() else None
            if moment == CALLS[1]:
                with TableFile(path) as file:
                    assert file.digest == digest
            else:
                assert left == former
            beside = sorted(file.name for file in data.iterdir() if file != path)
            again = recover(name, data, digest)
            on = next((line for line in again.splitlines() if "an earlier run" in line), "from the start")
            print(f"{number + 1:2} killed {delay:.2f} s into {moment}: ", end="")  # noqa: T201
            print(f"{'former table' if former else 'no table'}, beside it {beside}; then {on}: equal digest")  # noqa: T201


if __name__ == "__main__":
    if len(sys.argv) == 4:
        _child(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
    else:
        main()
