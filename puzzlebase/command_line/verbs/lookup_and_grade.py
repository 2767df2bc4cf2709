"""The verbs about a state, or a game from there,
whose arguments are not the fields of one answer.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.answer_verbs import answer_verb
from puzzlebase.command_line.printing import Shown
from puzzlebase.service.answers import grades, text

if TYPE_CHECKING:
    from puzzlebase.service.sources.source import Source


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("states", nargs=-1, required=True, callback=options.refuse_options)
@click.option(
    "--moves/--no-moves",
    default=None,
    help="Show every move. The default is to do so for a single state.",
)
@answer_verb
def lookup(source: Source, states: tuple[str, ...], moves: bool | None) -> Shown:
    """Show how far states are from solved, and the moves of one.

    Moves are listed best first. With "-" in place of STATES, read them from standard input, one per
    line. The exit status is 1 if one of several states cannot be looked up.
    """
    from puzzlebase.kernels import interpreted
    from puzzlebase.service.answers import batches, lookups

    if len(states) == 1 and states != ("-",) and moves is not False:
        with interpreted():
            return Shown(lookups.lookup(source, states[0]), text.lookup)
    many = [line.strip() for line in sys.stdin] if states == ("-",) else list(states)
    found = batches.lookup_batch(source, many, moves=bool(moves))
    return Shown(
        found, text.batch_text, failed=any("problem" in result for result in found["results"])
    )


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.argument("moves", nargs=-1, callback=options.refuse_options)
@click.option("--states", is_flag=True, help="MOVES are the states after each move.")
@options.combined_options(
    options.option_of_field(grades.grade.fields[name]) for name in ("stars", "hints")
)
@answer_verb
def grade(source: Source, state: str, moves: tuple[str, ...], states: bool, **given: Any) -> Shown:
    """Grade a game that begins at STATE. MOVES may be one word, such as "L R2'", or many.

    Stars are written as 0,4,any and levels of hints as 1,3.
    The exit status is 1 if a move is not legal.
    """
    played = [move for word in moves for move in word.split()]
    game: dict[str, Any] = {"states" if states else "moves": played}
    graded = grades.grade(source, state, **game, **options.given_options(**given))
    return Shown(graded, text.grade, failed=not graded["legal"])
