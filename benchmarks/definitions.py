"""Definition files, side by side with twsearch: whole enumerations of the same files, one run of each.

Ours is the time to read the file, to number the states, and to find and write all layers. A smaller puzzle runs before
and is not counted. Every distance is stored. twsearch (`-g`) finds the same layers and stores none. It is run as a
process of its own with as many threads, if `--twsearch` names its program. The layers have to be equal.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import Journal
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.system import processors

TWSEARCH = "TWSEARCH"
"""Of the environment: the program of twsearch."""

_EXAMPLES = Path(__file__).parents[1] / "examples"
_WARMS = "pyraminx"
_FILES = ("2x2x2", "pyraminx", "skewb", "dino", "cube-corners", "turnstile-pieces")
_MEGABYTES = 8192


def measure(_data: Path) -> Measured:
    """Measure one run of each."""
    _ours(_WARMS)
    return {f"`examples/{name}.tws`": _side_by_side(name) for name in _FILES}


def _side_by_side(name: str) -> list[Figure]:
    layers, seconds = timed(lambda: _ours(name))
    figures = [Figure(f"whole enumeration of {sum(layers):,} states", "s", [seconds])]
    if program := os.environ.get(TWSEARCH):
        theirs, their_seconds = timed(lambda: _theirs(Path(program), name))
        if theirs != layers:
            raise RuntimeError(f"twsearch finds other layers of {name}: {theirs}, not {layers}")
        figures += [
            Figure("twsearch -g", "s", [their_seconds]),
            Figure("twsearch / ours", "ratio", [their_seconds / seconds]),
        ]
    return figures


def _ours(name: str) -> list[int]:
    puzzle = DefinitionFile(_EXAMPLES / f"{name}.tws").puzzle(name)
    space = puzzle.space(puzzle.goal())
    layers: list[int] = []
    with TemporaryDirectory() as folder, Journal(Path(folder, "layers"), {}, layout_of(space)) as journal:
        find_layers(space, journal, processors(), lambda _distance, vertices, _found: layers.append(vertices))
    return layers


def _theirs(program: Path, name: str) -> list[int]:
    words = [program, "-g", "-t", processors(), "-M", _MEGABYTES, "--nowrite", _EXAMPLES / f"{name}.tws"]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)  # noqa: S603 -- named by the caller
    counts = [int(found) for found in re.findall(r"^Dist [0-9]+ cnt ([0-9]+)", done.stdout, re.MULTILINE)]
    return counts[: len(counts) - 1] if counts[-1] == 0 else counts
