"""Tables as a folder of static files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import click

from puzzlebase.builder import TableJob
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, failures
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.db.errors import MissingTable, TableError
from puzzlebase.paths import DataFolder, tables_in
from puzzlebase.plugins.publish.folder import write_table
from puzzlebase.plugins.publish.pages import write_pages
from puzzlebase.plugins.publish.states import NoForm
from puzzlebase.puzzles import Puzzle, PuzzleError, find
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.version import VERSION


def show_published(
    data: DataFolder, named: Sequence[Puzzle], to: Path, goal: str | None, *, every: bool, as_json: bool
) -> None:
    """Publish tables, build the missing ones first, and show the folders that were written."""
    if every == bool(named) or (every and goal):
        raise click.UsageError("name puzzles before FOLDER, or give --all without puzzles and without --goal")
    sources, left_out, report = Sources(data.existing() if every else data.path), dict[str, str](), Reporter()
    opened = _every(sources, left_out) if every else [_built(sources, puzzle, goal, report) for puzzle in named]
    written = publish(sources.folder, opened, to, report, left_out if every else None)
    shown = {"folder": str(to), "tables": [{"name": path.name, "bytes": _bytes(path)} for path in written]}
    lines = [f"{path}  {_bytes(path):,} bytes" for path in written]
    notes = [f"left out: {name}, {reason}" for name, reason in left_out.items()]
    show(Shown(shown | {"left_out": left_out}, lambda _: lines, lambda _: notes), as_json)


def _built(sources: Sources, puzzle: Puzzle, goal: str | None, report: Reporter) -> OpenTable:
    """Open a table; build it first if it is missing."""
    try:
        return sources.table(puzzle.name, goal)
    except MissingTable as error:
        report.say(f"{error}; it is built first")
        TableJob(puzzle, puzzle.goal(goal), sources.folder.data, VERSION, report=report).build()
        return sources.table(puzzle.name, goal)


def _every(sources: Sources, left_out: dict[str, str]) -> Iterator[OpenTable]:
    """Open every table of a folder in turn; if one cannot be opened, its reason goes to `left_out`, by name."""
    names = {puzzle.table_name(goal): (puzzle, goal) for puzzle, goal in reversed(sources.folder.built())}
    if not (paths := tables_in(sources.folder.data)):
        raise MissingTable(f"there is no table in {str(sources.folder.data)!r}", "build one: puzzlebase build PUZZLE")
    for name in [path.stem for path in paths]:
        try:
            puzzle, goal = names.get(name) or (find(name.partition("@")[0]), None)
            yield sources.table(puzzle.name, goal.name if goal else None)
        except (PuzzleError, TableError) as error:
            left_out[name] = str(error)


def publish(
    data: Folder,
    tables: Iterable[OpenTable],
    to: Path,
    report: Reporter,
    left_out: dict[str, str] | None = None,
) -> list[Path]:
    """Write tables into a folder, each into a folder named after it; returns these folders.

    Raises DamagedTable and NoForm; all that was published before then stays unchanged. With `left_out`, such a table is
    left out, and its reason goes there by its name.
    """
    written = []
    with failures(to, report, STARTS_ANEW, "publish"):
        to.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".publish.", dir=to) as beside:
            for source in tables:
                folder = Path(beside, source.puzzle.table_name(source.goal))
                folder.mkdir()
                try:
                    write_table(data, source, folder, partial(_phase, report, folder.name))
                except (NoForm, PuzzleError, TableError) as error:
                    if left_out is None:
                        raise
                    rmtree(folder)
                    left_out[folder.name] = str(error)
                else:
                    written.append(folder)
            if written:
                write_pages(to, Path(beside))
    return [to / folder.name for folder in written]


@contextmanager
def _phase(report: Reporter, name: str, doing: str, states: int) -> Iterator[Callable[[int], None]]:
    with report.phase(f"{doing} {name}", states, "states") as phase:
        yield phase.advance


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
