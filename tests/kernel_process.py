"""Processes for tests of kernels:
each is forked from one that has loaded numba and nothing of ours.

A new interpreter would load numba and its types anew,
which takes longer than all that a test does with them.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

from numba import config

from tests.waiting import PATIENCE

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.numba_loaded"])


class KernelProcess:
    """A process that runs `first` in the folder of sources `root`,
    and its script when it is told to go on.
    """

    def __init__(
        self, root: Path, cache: Path, script: str, first: str = "", most_bytes: int | None = None
    ) -> None:
        self._connection, other = _FORKS.Pipe()
        self._process = _FORKS.Process(
            target=_run, args=(other, root, cache, (first, script), most_bytes), daemon=True
        )
        self._process.start()
        other.close()
        assert self._received() is None

    def go_on(self) -> tuple[str, str]:
        """The output of both, and the standard error."""
        self._connection.send(None)
        printed = self._received()
        assert printed
        return printed

    def _received(self) -> tuple[str, str] | None:
        assert self._connection.poll(PATIENCE)
        received: tuple[str, str] | None = self._connection.recv()
        return received

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._process.join(PATIENCE)
        assert self._process.exitcode == 0


def _run(
    connection: Connection,
    root: Path,
    cache: Path,
    scripts: tuple[str, str],
    most_bytes: int | None,
) -> None:
    assert "puzzlebase" not in sys.modules
    os.chdir(root)
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = True
    os.environ["NUMBA_CACHE_DIR"] = str(cache)
    config.reload_config()  # type: ignore[no-untyped-call]
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    names = {"__name__": "__main__"}
    first, script = scripts
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as errors:
        exec(first, names)
        connection.send(None)
        connection.recv()
        exec(script, names)
    connection.send((output.getvalue().strip(), errors.getvalue()))
