"""Copy all tables to a folder from which others can fetch them."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.builder import Reporter
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.tools.release.writing import write_release
from puzzlebase.version import VERSION


@click.command()
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.as_json
@options.data
def verb(data: Path, to: Path, as_json: bool) -> None:
    """Copy every table to FOLDER, with a manifest of them and a citation, for others to fetch with `get`."""
    manifest = write_release(data, to, VERSION, Reporter())
    lines = [
        f"{table.name}: {table.states:,} states, {table.bytes:,} bytes, digest {table.digest[:12]}"
        for table in manifest.tables
    ]
    count = "1 table, its manifest" if len(lines) == 1 else f"{len(lines)} tables, their manifest"
    show(Shown(manifest.to_json().rstrip(), lambda _: [*lines, f"{to} has {count} and a citation"]), as_json)
