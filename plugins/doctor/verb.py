"""The verb doctor."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder


@click.command()
@options.as_json
@click.pass_obj
def verb(folder: DataFolder, as_json: bool) -> None:
    """Tell what is installed and stored, and what is wrong with its remedy.

    These are versions, memory, folders with their rights, and the state of each table.
    If something is wrong, the exit status is 1.
    """
    from puzzlebase.plugins.doctor.examination import examination_lines, examine

    examination = examine(folder)
    show(Shown(examination, examination_lines), as_json)
    sys.exit(bool(examination["wrong"]))
