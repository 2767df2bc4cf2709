"""The verb publish: tables as a folder of static files that any host serves as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, failures
from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.sources.folder import Tables
from puzzlebase.tools.publish.folder import write_table
from puzzlebase.tools.publish.pages import write_pages


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
        with (
            failures(to / name, report, STARTS_ANEW, "publish"),
            TemporaryDirectory(prefix=".publish.", dir=to) as beside,
        ):
            unfinished = Path(beside, name)
            unfinished.mkdir()
            write_table(tables, source, unfinished, partial(_phase, report, name))
            if (to / name).exists():
                (to / name).rename(Path(beside, "former"))
            unfinished.rename(to / name)
        written.append(to / name)
    write_pages(to)
    return written


@contextmanager
def _phase(report: Reporter, name: str, distances: int) -> Iterator[Callable[[int], None]]:
    with report.phase(f"publish {name}", distances, "distances") as phase:
        yield phase.advance


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
