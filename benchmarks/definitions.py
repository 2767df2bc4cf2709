"""Definition files, side by side with twsearch: whole enumerations of the same files, one run of each.

Our time is that to read the file, to number the states, and to find and write all layers. A smaller puzzle runs first
and is not counted. Every distance is stored. Each run is a process of its own. Its memory is the peak, less what the
process has before. If symmetries act on the columns in the same way for every row, one run is by rows up to symmetry,
as a build does, and one without symmetries. The layers of states have to be equal. Above a billion states a run without
symmetries takes minutes, and is left out.

twsearch (`-g`) finds the same layers and stores none. It is run as a process of its own with as many threads, if
`--twsearch` names its program. The layers have to be equal again.
"""

from __future__ import annotations

import os
import re
import subprocess
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks import process
from benchmarks.figures import Figure, Measured, timed
from benchmarks.machine import field
from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import Journal
from puzzlebase.db.table_file import TableFile
from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.sequences import all_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles import Space
from puzzlebase.puzzles.machinery.classes import ListedClasses
from puzzlebase.system import processors

TWSEARCH = "TWSEARCH"
"""Of the environment: the program of twsearch."""

_EXAMPLES = Path(__file__).parents[1] / "examples"
_WARMS = "pyraminx"
_FILES = ("2x2x2", "pyraminx", "skewb", "dino", "cube-corners", "turnstile-pieces")
_FAR = "ABCDFEHGLKJI-F1E0C1D1B0A1"
_LOOKUPS = 5
_MOST_PLAIN = 1_000_000_000  # states
_MEGABYTES = 8192
_RESETS_PEAK = "5"  # proc(5)


class _Run(NamedTuple):
    """An enumeration: the states and the vertices stored, the symmetries, the layers of states, and what it took."""

    states: int
    stored: int
    symmetries: int
    layers: list[int]
    seconds: float
    memory: int


def measure(_data: Path) -> Measured:
    """Measure one run of each."""
    return {
        **{f"`examples/{name}.tws`": _side_by_side(name) for name in _FILES},
        "`puzzlebase --puzzles examples build fto --goal rotations`": _octahedron(),
    }


def _octahedron() -> list[Figure]:
    """The whole table of the face-turning octahedron, and lookups in it on the command line."""
    with TemporaryDirectory() as data:
        of_all: list[str | Path] = ["--puzzles", _EXAMPLES, "--data", data]
        done, seconds = timed(lambda: process.run([*of_all, "build", "fto", "--goal", "rotations"]))
        [path] = Path(data).glob("*.duckdb")
        with TableFile(path) as file:
            phases = {step.phase: step.seconds for step in file.build_steps()}
            states = file.info.states
        asked = [*of_all, "lookup", "fto", _FAR, "--goal", "rotations", "--json"]
        lookups = [timed(lambda: process.run(asked))[1] for _ in range(_LOOKUPS)]
        size = path.stat().st_size
    return [
        Figure(f"all {states:,} states, certified", "s", [seconds], "≤ 480"),
        *(Figure(f"- {phase}", "s", [took]) for phase, took in phases.items()),
        Figure("most memory", "GB", [done.peak / 1e9], "≤ 12"),
        Figure("the file", "MB", [size / 1e6]),
        Figure("a lookup on the command line, opened anew", "s", lookups),
    ]


def _side_by_side(name: str) -> list[Figure]:
    ours = _alone(name, symmetric=True)
    figures = _figures(ours, f"up to {ours.symmetries} symmetries, " if ours.symmetries > 1 else "")
    if ours.symmetries > 1 and ours.states <= _MOST_PLAIN:
        plain = _alone(name, symmetric=False)
        _compare(name, "without symmetries", plain.layers, ours.layers)
        figures += [
            *_figures(plain, "without symmetries, "),
            Figure("states / vertices", "ratio", [ours.states / ours.stored]),
            Figure("memory without symmetries / memory", "ratio", [plain.memory / ours.memory]),
            Figure("time without symmetries / time", "ratio", [plain.seconds / ours.seconds]),
        ]
    if program := os.environ.get(TWSEARCH):
        theirs, their_seconds = timed(lambda: _theirs(Path(program), name))
        _compare(name, "by twsearch", theirs, ours.layers)
        figures += [
            Figure("twsearch -g", "s", [their_seconds]),
            Figure("twsearch / ours", "ratio", [their_seconds / ours.seconds]),
        ]
    return figures


def _figures(run: _Run, how: str) -> list[Figure]:
    return [
        Figure(f"{run.states:,} states {how}by {run.stored:,} vertices", "s", [run.seconds]),
        Figure("its memory beside the program", "MB", [run.memory / 1e6]),
    ]


def _compare(name: str, how: str, theirs: list[int], ours: list[int]) -> None:
    if theirs != ours:
        raise RuntimeError(f"{name} has other layers {how}: {theirs}, not {ours}")


def _alone(name: str, *, symmetric: bool) -> _Run:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_run, (name, symmetric))


def _run(name: str, symmetric: bool) -> _Run:
    _enumerated(_WARMS, symmetric=symmetric)
    Path("/proc/self/clear_refs").write_text(_RESETS_PEAK, "ascii")
    before = _bytes("VmRSS")
    found = _enumerated(name, symmetric=symmetric)
    return found._replace(memory=found.memory - before)


def _bytes(what: str) -> int:
    return int(field("/proc/self/status", what).split()[0]) * 1024


def _enumerated(name: str, *, symmetric: bool) -> _Run:
    with TemporaryDirectory() as folder:
        (space, journal), seconds = timed(lambda: _found(name, Path(folder), symmetric=symmetric))
        with journal:
            peak, classes = _bytes("VmHWM"), _classes(space)
            symmetries = classes.symmetries if classes else 1
            return _Run(space.size, space.stored_size, symmetries, _layers(space, journal), seconds, peak)


def _found(name: str, folder: Path, *, symmetric: bool) -> tuple[Space, Journal]:
    """The space and the journal of its layers."""
    definition = DefinitionFile(_EXAMPLES / f"{name}.tws").definition
    space = Numbered(definition, all_moves(definition), Texts(definition), symmetric=symmetric).space()
    journal = Journal(folder / "layers", {}, layout_of(space.stored()))
    find_layers(space.stored(), journal, processors(), lambda *_: None)
    return space, journal


def _classes(space: Space) -> ListedClasses | None:
    return space.storage if isinstance(space.storage, ListedClasses) else None


def _layers(space: Space, journal: Journal) -> list[int]:
    """The states at each distance: a vertex counts once for each row of its class."""
    classes = _classes(space)
    sizes = np.bincount(classes.vertices.row_move[0]) if classes else None
    layers = np.zeros(len(journal.layers) - 1, np.int64)
    for piece, (first, last) in enumerate(journal.pieces):
        distances = journal.distances(piece)
        if sizes is None:
            layers += np.bincount(distances, minlength=len(layers))
            continue
        for row, some in enumerate(distances.reshape(last - first, -1), first):
            layers += sizes[row] * np.bincount(some, minlength=len(layers))
    return layers.tolist()


def _theirs(program: Path, name: str) -> list[int]:
    words = [program, "-g", "-t", processors(), "-M", _MEGABYTES, "--nowrite", _EXAMPLES / f"{name}.tws"]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)  # noqa: S603 -- named by the caller
    counts = [int(found) for found in re.findall(r"^Dist [0-9]+ cnt ([0-9]+)", done.stdout, re.MULTILINE)]
    return counts[: len(counts) - 1] if counts[-1] == 0 else counts
