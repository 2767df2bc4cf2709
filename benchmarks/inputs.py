"""Public collections of definitions: how many of their files are read.

`--data` names a folder where they lie, each under its name: `git clone
https://github.com/cubing/ksolve`, `.../cubing/twips`, and `--branch v0.9.0 .../cubing/twsearch`,
the last tag with its samples. Those that are not there are left out.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import Figure, Measured
from puzzlebase.plugins.definitions.definition_file import DefinitionFile


def _definition(path: Path) -> tuple[int, int]:
    """The numbers of definitions in a file that are read, and of all."""
    return int(DefinitionFile(path).error is None), 1


_COLLECTIONS = {
    "ksolve/puzzles/*.def": _definition,
    "twsearch/samples/main/*.tws": _definition,
    "twips/**/*.kpuzzle.json": _definition,
    "twips/**/*.def.json": _definition,
}


def measure(data: Path) -> Measured:
    """Needs nothing but the collections."""
    figures = []
    for pattern, counts in _COLLECTIONS.items():
        if every := [counts(path) for path in data.glob(pattern)]:
            read, most = map(sum, zip(*every, strict=True))
            figures.append(Figure(pattern, "read", [read], f"of {most:,}"))
    return {"Definitions": figures} if figures else {}
