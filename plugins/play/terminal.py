"""A game in the terminal, a line of moves after another."""

from __future__ import annotations

import click
from rich.console import Console

from puzzlebase.db.errors import MissingTable
from puzzlebase.plugins.play.drawing import draw
from puzzlebase.plugins.play.game import TerminalGame
from puzzlebase.puzzles import PuzzleError
from puzzlebase.service.error_status import InvalidRequest

_FREE_ROWS = 8  # of the screen, which the board leaves for texts
_WORDS = "Type moves; or hint, moves, undo or quit."


def play(game: TerminalGame) -> None:
    """Play a game to its end, and show its worth, or how to go on."""
    puzzle = game.puzzle
    for line in (
        puzzle.title,
        puzzle.about.instructions or "",
        f"Moves: {puzzle.notation.moves}",
        _WORDS,
    ):
        click.echo(line)
    while not game.solved() and (line := _asked(game)) != "quit":
        try:
            for word in line.split():
                for answer in game.say(word):
                    click.echo(answer)
        except (PuzzleError, InvalidRequest, MissingTable) as error:
            click.echo(f"{error}\n{error.hint}")
    click.echo(f"{game.states[0]}  {' '.join(game.moves)}")
    if game.solved():
        for answer in game.grade():
            click.echo(answer)
    else:
        click.echo(f"go on with: puzzlebase play {puzzle.name} '{game.states[-1]}'")


def _asked(game: TerminalGame) -> str:
    """Show the board, without colours as text alone, and ask for a line; quit if none comes."""
    console, state = Console(), game.states[-1]
    if console.color_system and not console.no_color:
        drawing = game.puzzle.board.drawing
        hint = drawing.effect(state, game.best) if game.best else None
        rows = max(console.height - _FREE_ROWS, 1)
        console.print(draw(drawing.layout(state, game.goal), console.width, rows, hint))
    click.echo(state)
    try:
        return input("move> ")
    except (EOFError, KeyboardInterrupt):
        return "quit"
