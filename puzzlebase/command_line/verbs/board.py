"""The pieces of a state, and what moves do to them."""

from __future__ import annotations

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import boards, text


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("state", required=False, callback=options.refuse_options)
@options.goal
@options.style
@options.as_json
def verb(puzzle: Puzzle, state: str | None, goal: str | None, style: str | None, as_json: bool) -> None:
    """Show where the pieces of a state are, and what each legal move does to them."""
    show(Shown(boards.board(puzzle, puzzle.goal(goal), state, style), text.board), as_json)
