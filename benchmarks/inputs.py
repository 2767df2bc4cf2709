"""Public collections of definitions and of levels: how many of them are read.

`--data` names a folder where they lie, each under its name: `git clone
https://github.com/cubing/ksolve`, `.../cubing/twips`, and `--branch v0.9.0 .../cubing/twsearch`,
the last tag with its samples; and `.../ShenMian/soukoban`, with 21 collections of Sokoban,
where the floors of 15 levels have more than 400 cells. Those that are not there are left out.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from benchmarks.figures import Figure, Measured
from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.levels.files import LevelFile
from puzzlebase.plugins.levels.text import BadLevel


def _definition(path: Path) -> tuple[int, int]:
    """The numbers of definitions in a file that are read, and of all."""
    return int(DefinitionFile(path).error is None), 1


def _levels(path: Path) -> tuple[int, int]:
    """The numbers of levels in a file whose games are made, and of all, by the file's name."""
    read = 0
    for level in LevelFile(path).levels:
        with suppress(BadLevel):
            read += bool(level.game)
    return read, int(path.stem.rpartition("_")[2])


_COLLECTIONS = {
    "ksolve/puzzles/*.def": _definition,
    "twsearch/samples/main/*.tws": _definition,
    "twips/**/*.kpuzzle.json": _definition,
    "twips/**/*.def.json": _definition,
    "soukoban/assets/*.xsb": _levels,
}


def measure(data: Path) -> Measured:
    """Needs nothing but the collections."""
    figures = []
    for pattern, counts in _COLLECTIONS.items():
        if every := [counts(path) for path in data.glob(pattern)]:
            read, most = map(sum, zip(*every, strict=True))
            figures.append(Figure(pattern, "read", [read], f"of {most:,}"))
    return {"Definitions and levels": figures} if figures else {}
