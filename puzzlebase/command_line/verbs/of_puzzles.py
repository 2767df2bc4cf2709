"""Verbs about puzzles: a list of them, and the facts of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say_unreadable, show
from puzzlebase.service.answers import text
from puzzlebase.terminal_text import fact_line

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.puzzles import Puzzle


@click.command()
@options.as_json
@options.data_option
def list(data: Path, as_json: bool) -> None:  # noqa: A001 -- the verb's name
    """List the puzzles that have a table, and some that have none.

    The exit status is 1 if a file in the folders of puzzles cannot be read.
    """
    from puzzlebase.command_line.verb_sources import header_sources_of_verb
    from puzzlebase.service.answers import catalog

    wrong = say_unreadable()
    show(Shown(catalog.puzzle_list(header_sources_of_verb(data)), text.puzzles_text), as_json)
    if wrong:
        raise SystemExit(1)


@click.command()
@options.puzzle
@options.goal
@options.as_json
@click.pass_obj
def info(data: DataFolder, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show the moves, goals, notation and table of a puzzle."""
    from puzzlebase.command_line.verb_sources import header_sources_of_verb
    from puzzlebase.service.answers import catalog

    known = catalog.about(header_sources_of_verb(data.existing()).folder, puzzle, puzzle.goal(goal))
    show(Shown(known, lambda _: [*text.puzzle(known), fact_line("data folder", data)]), as_json)
