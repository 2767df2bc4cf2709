"""The verb publish: tables as a folder of static files, for any host."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.puzzles import Puzzle


def _puzzles(
    _context: click.Context, _parameter: click.Parameter, names: Sequence[str]
) -> list[Puzzle]:
    """Find puzzles by their names, and all puzzles in files of levels or definitions."""
    from puzzlebase.puzzles import find
    from puzzlebase.puzzles.discovery import discover_definitions
    from puzzlebase.puzzles.files import list_files

    files = [path for path in map(Path, names) if path.is_file()]
    if len({path.absolute().parent for path in files}) > 1:
        raise click.BadParameter(
            "the files lie in several folders: put them into one, or publish one after another"
        )
    folders = [path.parent for path in files[:1]]
    if folders:
        discover_definitions(*folders)
    listed = {file.path: file for file in list_files(folders).files}
    members = (
        listed[path].family.members if (path := Path(name)) in listed else [name] for name in names
    )
    return [*map(find, chain.from_iterable(members))]


@click.command()
@click.argument("named", metavar="PUZZLE...", nargs=-1, required=True, callback=_puzzles)
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.goal
@options.as_json
@click.pass_obj
def verb(data: DataFolder, /, **values: Any) -> None:
    """Write tables as static files, for pages without a service.

    PUZZLE is a name, or a file of levels. A missing table is built first. Any host serves FOLDER
    unchanged. `import { table } from "./puzzlebase.js"` reads it, and every file is checked. If a
    table was published there before, it is replaced as a whole.
    """
    from puzzlebase.plugins.publish.publishing import run_publishing

    run_publishing(data, **values)
