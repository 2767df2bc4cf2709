"""The first command: from an empty clone to the certified Avenger,
as `make build-db PUZZLE=avenger` goes.

Each run is a clone of the last commit, with an empty cache of uv; nothing is compiled, and bytecode
is written as in any environment. Downloads come from the index that uv is configured for. Processor
seconds are those of all processes: two processors share the work of a first build. `build` and
`start` have the same commands with everything warm.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed

_ROOT = Path(__file__).parent.parent
_RUNS = 3
_BUILD = ["make", "build-db", "PUZZLE=avenger"]


def measure(_data: Path) -> Measured:
    """Needs what `make` needs, and a clone."""
    cold: list[float] = []
    processors: list[float] = []
    for _ in range(_RUNS):
        with TemporaryDirectory() as folder:
            clone = Path(folder, "clone")
            environment = {**os.environ, "UV_CACHE_DIR": f"{folder}/uv"}
            for name in ("NUMBA_CACHE_DIR", "PUZZLEBASE_DATA", "PUZZLEBASE_CACHE", "PYTHONPATH"):
                environment.pop(name, None)
            _run(["git", "clone", "--quiet", str(_ROOT), str(clone)], Path(folder), environment)
            before = _processor_seconds()
            cold.append(_run(_BUILD, clone, environment))
            processors.append(_processor_seconds() - before)
    return {
        "From an empty clone to the certified Avenger": [
            Figure("in all", "s", cold, "≤ 14"),
            Figure("- of the processors", "s", processors),
        ],
    }


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    """The seconds that a command took; raises CalledProcessError where it fails."""
    return timed(
        lambda: subprocess.run(  # noqa: S603 (ours)
            command, cwd=folder, env=environment, check=True, capture_output=True
        )
    )[1]


def _processor_seconds() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
