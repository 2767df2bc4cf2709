"""The verb publish: tables as a folder of static files that any host serves as it is."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp

import click

from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, failures
from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.sources.folder import Tables
from puzzlebase.tools.publish.folder import write_table

MODULES = ("modules", "table")
_MANIFEST = "manifest.json"


@click.command()
@click.argument(
    "named",
    metavar="PUZZLE...",
    nargs=-1,
    required=True,
    callback=lambda _context, _parameter, names: [find(name) for name in names],
    shell_complete=completion.puzzles,
)
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.goal
@options.as_json
@options.data
def verb(data: Path, named: Sequence[Puzzle], to: Path, goal: str | None, as_json: bool) -> None:
    """Write the tables of puzzles into FOLDER as static files, for pages that have no service.

    Any host serves the folder as it is. `import { table } from "./puzzlebase.js"` reads it, and every file is checked.
    A table that was published there before is replaced as a whole.
    """
    written = publish(Tables(data), named, goal, to, Reporter())
    shown = {"folder": str(to), "tables": [{"name": path.name, "bytes": _bytes(path)} for path in written]}
    show(Shown(shown, lambda _: [f"{path}  {_bytes(path):,} bytes" for path in written]), as_json)


def publish(tables: Tables, puzzles: Sequence[Puzzle], goal: str | None, to: Path, report: Reporter) -> list[Path]:
    """Write the tables of puzzles into a folder, each into one of its name; returns these.

    Raises MissingTable, DamagedTable and NoForm; what was published before then stays as it was.
    """
    sources = [tables.get(puzzle.name, goal) for puzzle in puzzles]
    to.mkdir(parents=True, exist_ok=True)
    written = []
    for source in sources:
        name = source.puzzle.table_name(source.goal)
        with failures(to / name, report, STARTS_ANEW, "publish"):
            unfinished = Path(mkdtemp(prefix=f".{name}.", dir=to))
            try:
                write_table(tables, source, unfinished, report)
                unfinished.chmod(0o755)
                shutil.rmtree(to / name, ignore_errors=True)
                unfinished.rename(to / name)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
        written.append(to / name)
    _copy_modules(to)
    (to / _MANIFEST).write_text(json.dumps(_manifest(to), indent=1) + "\n", "ascii")
    return written


def _copy_modules(to: Path) -> None:
    """Copy the reader and what it imports."""
    static = files("puzzlebase").joinpath("page")
    for folder in MODULES:
        (to / folder).mkdir(exist_ok=True)
        for module in static.joinpath(folder).iterdir():
            (to / folder / module.name).write_bytes(module.read_bytes())
    (to / "puzzlebase.js").write_bytes(static.joinpath("puzzlebase.js").read_bytes())


def _manifest(to: Path) -> dict[str, str]:
    """The SHA-256 of every file, by its path in the folder."""
    paths = sorted(path for path in to.rglob("*") if path.is_file() and path.name != _MANIFEST)
    return {path.relative_to(to).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
