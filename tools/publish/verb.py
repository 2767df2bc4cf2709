"""The verb publish: tables as a folder of static files that any host serves as it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from jinja2 import Environment, PackageLoader, StrictUndefined

from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, failures
from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.sources.folder import Tables
from puzzlebase.tools.publish.folder import HEADER, read_header, write_table

_FOLDERS = ("modules", "table")
_AT_TOP = (
    "puzzlebase.js",
    "puzzlebase.d.ts",
    "icon.svg",
    "common.css",
    "page.css",
    "cards.css",
    "board.css",
    "element.css",
)
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
    _copy_page(to)
    _write_pages(to)
    (to / _MANIFEST).write_text(json.dumps(_manifest(to), indent=1) + "\n", "ascii")
    return written


@contextmanager
def _phase(report: Reporter, name: str, doing: str, states: int) -> Iterator[Callable[[int], None]]:
    with report.phase(f"{doing} {name}", states, "states") as phase:
        yield phase.advance


def _copy_page(to: Path) -> None:
    """Copy the reader, the element, and what they import."""
    page = files("puzzlebase").joinpath("page")
    for folder in _FOLDERS:
        (to / folder).mkdir(exist_ok=True)
    inside = [f"{folder}/{file.name}" for folder in _FOLDERS for file in page.joinpath(folder).iterdir()]
    for name in (*_AT_TOP, *inside):
        (to / name).write_bytes(page.joinpath(name).read_bytes())


def _write_pages(to: Path) -> None:
    """Write the page of each table in the folder, and the list of all."""
    environment = Environment(
        loader=PackageLoader("puzzlebase.tools.publish"), autoescape=True, undefined=StrictUndefined
    )
    tables = [(path.parent.name, read_header(path)) for path in sorted(to.glob(f"[!.]*/{HEADER}"))]
    for name, header in tables:
        words = [each["name"] for each in header["about"]["difficulties"]]
        text = environment.get_template("puzzle.html").render(
            base="../", about=header["about"], difficulty=next(iter(words), "")
        )
        (to / name / "index.html").write_text(text, "utf-8")
    headers = [{"name": name, **header} for name, header in tables]
    (to / "index.html").write_text(environment.get_template("index.html").render(base="", tables=headers), "utf-8")


def _manifest(to: Path) -> dict[str, str]:
    """The SHA-256 of every file, by its path in the folder."""
    paths = sorted(path for path in to.rglob("*") if path.is_file() and path.name != _MANIFEST)
    return {path.relative_to(to).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
