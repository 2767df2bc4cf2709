"""What a game was worth."""

from __future__ import annotations

import click

from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown
from puzzlebase.command_line.sources import searching
from puzzlebase.service.answers import grades, text
from puzzlebase.service.answers.grades import DEFAULT_STARS
from puzzlebase.service.sources.source import Source


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.argument("moves", nargs=-1, callback=options.refuse_options, shell_complete=completion.moves)
@click.option("--states", is_flag=True, help="MOVES are the states after each move.")
@click.option("--stars", help="Max wasted moves for three, two and one star, such as 0,4,any.")
@searching
def verb(source: Source, state: str, moves: tuple[str, ...], states: bool, stars: str | None) -> Shown:
    """Grade a game that begins at STATE. MOVES may be one word, such as "L R2'", or many.

    The exit status is 1 if a move is not legal.
    """
    played = [move for word in moves for move in word.split()]
    thresholds = DEFAULT_STARS if stars is None else _thresholds(stars)
    game = {"states": played} if states else {"moves": played}
    graded = grades.grade(source, state, **game, stars=thresholds)
    return Shown(graded, text.grade, failed=not graded["legal"])


def _thresholds(stars: str) -> list[int | None]:
    """The value of --stars as numbers, with None for any."""
    try:
        return [None if part == "any" else int(part) for part in stars.split(",")]
    except ValueError:
        raise click.BadParameter(f"{stars!r} is not a list of numbers and 'any', such as 0,4,any") from None
