"""Verbs that build a table or layers, or what plugins build in their place, and check them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder


@click.command()
@options.puzzle
@options.goal
@options.threads
@click.option(
    "--depth",
    type=click.IntRange(0, 10**6),
    help="Build only the layers up to this distance, for searches.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Only print the memory, disk and time that it needs, and refuse what does not fit.",
)
@click.option("--force", is_flag=True, help="Build even if memory or disk seem too small.")
@options.plugin_options("build")
@options.as_json
@click.pass_obj
def build(folder: DataFolder, /, **values: Any) -> None:
    """Build and verify a puzzle's table, and print its histogram.

    Run it again if it was stopped: it continues after the last complete layer.

    With --depth, build only the layers around the goal.
    Searches start from them if there is no table.

    For a puzzle that is searched with patterns, build the missing tables of these. An oracle needs
    nothing built: it is asked for every published distance.

    At the end the distances are also written to the folder of --cache,
    if there is room, for programs to map.
    """
    from puzzlebase.command_line import jobs

    jobs.build(folder, **values)


@click.command()
@options.puzzle
@options.goal
@options.threads
@click.option("--layers", is_flag=True, help="Check the stored layers, not the table.")
@options.plugin_options("verify")
@options.as_json
@click.pass_obj
def verify(folder: DataFolder, /, **values: Any) -> None:
    """Check a stored table again, every state of it.

    All checksums, counts and the certificate of every state are checked.
    """
    from puzzlebase.command_line import jobs

    jobs.verify(folder, **values)
