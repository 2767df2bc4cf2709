"""The verbs get and release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.terminal_text import fact_line

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.puzzles import Puzzle

_FOLDER = click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))


@click.command()
@options.puzzle
@options.goal
@click.option("--from", "where", help="Folder that `release` wrote, or its address; required.")
@options.as_json
@click.pass_obj
def get_verb(
    folder: DataFolder, puzzle: Puzzle, goal: str | None, where: str | None, as_json: bool
) -> None:
    """Fetch a table from a release, check it and put it in place.

    The file is compared with the manifest beside it;
    `verify` proves its distances by the rules of the puzzle.
    """
    from puzzlebase.builder import TableJob
    from puzzlebase.command_line.verb_sources import header_sources_of_verb
    from puzzlebase.plugins.release.checked_fetch import fetch_table
    from puzzlebase.service.answers import catalog, text
    from puzzlebase.version import VERSION

    if where is None:
        raise InvalidRequest(
            f"nothing says where a release with the table of {puzzle.name} is",
            "name its folder or its address with --from",
        )
    job = TableJob(puzzle, puzzle.goal(goal), folder.path, VERSION)
    done = fetch_table(job, where)
    about = catalog.about(header_sources_of_verb(folder.path).folder, puzzle, job.goal)
    show(
        Shown(about, lambda known: [done, *text.puzzle(known), fact_line("file", job.path)]),
        as_json,
    )


@click.command()
@_FOLDER
@options.as_json
@options.data_option
def release_verb(data: Path, to: Path, as_json: bool) -> None:
    """Copy every table to FOLDER, for others to fetch with `get`.

    Beside the tables are the definitions of your own puzzles,
    and a manifest with digests and checksums.
    """
    from puzzlebase.builder import Reporter
    from puzzlebase.plugins.release.writing import write_release
    from puzzlebase.version import VERSION

    manifest = write_release(data, to, VERSION, Reporter())
    lines = [
        f"{table.name}: {table.states:,} states, {table.bytes:,} bytes, digest {table.digest[:12]}"
        for table in manifest.tables
    ]
    count = (
        "1 table and its manifest" if len(lines) == 1 else f"{len(lines)} tables and their manifest"
    )
    lines.append(f"{to} has {count}")
    show(Shown(manifest.to_json().rstrip(), lambda _: lines), as_json)
