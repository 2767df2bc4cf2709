"""Tables as a folder of static files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from puzzlebase.builder import TableJob
from puzzlebase.builder.errors import STARTS_ANEW, build_failures
from puzzlebase.builder.progress import Reporter
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.db.errors import MissingTable
from puzzlebase.paths import DataFolder
from puzzlebase.plugins.publish.folder import write_table
from puzzlebase.plugins.publish.pages import write_pages
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.version import VERSION


def run_publishing(
    data: DataFolder, named: Sequence[Puzzle], to: Path, goal: str | None, *, as_json: bool
) -> None:
    """Publish tables, build the missing ones first, and show the folders that were written."""
    sources, report = Sources(data.path), Reporter()
    opened = [_built(sources, puzzle, goal, report) for puzzle in named]
    folders = publish(sources.folder, opened, to, report)
    shown = {
        "folder": str(to),
        "tables": [{"name": path.name, "bytes": _bytes(path)} for path in folders],
    }
    show(Shown(shown, lambda _: [f"{path}  {_bytes(path):,} bytes" for path in folders]), as_json)


def _built(sources: Sources, puzzle: Puzzle, goal: str | None, report: Reporter) -> OpenTable:
    """Open a table; build it first if it is missing."""
    try:
        return sources.table(puzzle.name, goal)
    except MissingTable as error:
        report.say(f"{error}; it is built first")
        TableJob(puzzle, puzzle.goal(goal), sources.folder.data, VERSION, report=report).build()
        return sources.table(puzzle.name, goal)


def publish(data: Folder, tables: Iterable[OpenTable], to: Path, report: Reporter) -> list[Path]:
    """Write tables into a folder, each into a folder named after it; returns these folders.

    Raises DamagedTable and NoForm; all that was published before then stays unchanged.
    """
    names = []
    with build_failures(to, report, STARTS_ANEW, "publish"):
        to.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".publish.", dir=to) as beside:
            for source in tables:
                folder = Path(beside, source.puzzle.table_name(source.goal))
                folder.mkdir()
                write_table(data, source, folder, partial(_phase, report, folder.name))
                names.append(folder.name)
            write_pages(to, Path(beside))
    return [to / name for name in names]


@contextmanager
def _phase(report: Reporter, name: str, doing: str, states: int) -> Iterator[Callable[[int], None]]:
    with report.phase(f"{doing} {name}", states, "states") as phase:
        yield phase.advance


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
