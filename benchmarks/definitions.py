"""Definition files, side by side with twsearch: whole enumerations of the same files, one run of each.

Our time is that to read the file, to number the states, and to find and write all layers. A smaller puzzle runs first
and is not counted. Every distance is stored. twsearch (`-g`) finds the same layers and stores none. It is run as a
process of its own with as many threads, if `--twsearch` names its program. The layers have to be equal.

If symmetries act on the columns in the same way for every row, the states are enumerated once more by rows up to
symmetry, as a build does. The layers of states have to be equal again.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import Journal
from puzzlebase.puzzles import Space
from puzzlebase.puzzles.contract.space import Orbits
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
    space, made = timed(lambda: _space(name))
    if space.orbits:
        found, searched = _up_to_symmetry(space, space.orbits)
        shorter = made + searched
        if found != layers:
            raise RuntimeError(f"{name} has other layers up to symmetry: {found}, not {layers}")
        vertices = f"by {space.stored_size:,} vertices, up to {space.orbits.symmetries} symmetries"
        figures += [
            Figure(f"the same {vertices}", "s", [shorter]),
            Figure("states / vertices", "ratio", [space.size / space.stored_size]),
            Figure("time of states / time of vertices", "ratio", [seconds / shorter]),
        ]
    if program := os.environ.get(TWSEARCH):
        theirs, their_seconds = timed(lambda: _theirs(Path(program), name))
        if theirs != layers:
            raise RuntimeError(f"twsearch finds other layers of {name}: {theirs}, not {layers}")
        figures += [
            Figure("twsearch -g", "s", [their_seconds]),
            Figure("twsearch / ours", "ratio", [their_seconds / seconds]),
        ]
    return figures


def _space(name: str) -> Space:
    puzzle = DefinitionFile(_EXAMPLES / f"{name}.tws").puzzle(name)
    return puzzle.space(puzzle.goal())


def _ours(name: str) -> list[int]:
    space = _space(name)
    layers: list[int] = []
    with TemporaryDirectory() as folder, Journal(Path(folder, "layers"), {}, layout_of(space)) as journal:
        find_layers(space, journal, processors(), lambda _distance, vertices, _found: layers.append(vertices))
    return layers


def _up_to_symmetry(space: Space, orbits: Orbits) -> tuple[list[int], float]:
    """The layers of states, and the seconds that those of vertices took."""
    graph, sizes = space.stored(), np.bincount(orbits.vertices.row_move[0])
    with TemporaryDirectory() as folder, Journal(Path(folder, "layers"), {}, layout_of(graph)) as journal:
        _, seconds = timed(lambda: find_layers(graph, journal, processors(), lambda *_: None))
        layers = np.zeros(len(journal.layers) - 1, np.int64)
        for piece, (first, last) in enumerate(journal.pieces):
            rows = journal.distances(piece).reshape(last - first, -1)
            for row, distances in enumerate(rows, first):
                layers += sizes[row] * np.bincount(distances, minlength=len(layers))
    return layers.tolist(), seconds


def _theirs(program: Path, name: str) -> list[int]:
    words = [program, "-g", "-t", processors(), "-M", _MEGABYTES, "--nowrite", _EXAMPLES / f"{name}.tws"]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)  # noqa: S603 -- named by the caller
    counts = [int(found) for found in re.findall(r"^Dist [0-9]+ cnt ([0-9]+)", done.stdout, re.MULTILINE)]
    return counts[: len(counts) - 1] if counts[-1] == 0 else counts
