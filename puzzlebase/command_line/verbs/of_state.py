"""Verbs about a state: its distance, hints, the grade of a game, and its picture."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import FEW_BLOCKS, searching
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.kernels import interpreted
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import batches, boards, grades, hints, lookups, pictures, random_states, text
from puzzlebase.service.sources.source import Source


def _single(states: tuple[str, ...]) -> bool:
    return len(states) == 1 and states[0] != "-"


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("states", nargs=-1, required=True, callback=options.refuse_options)
@click.option("--moves/--no-moves", default=None, help="Show every move. The default is to do so for a single state.")
@partial(searching, memory=lambda given: FEW_BLOCKS if _single(given["states"]) else DEFAULT_MEMORY)
def lookup(source: Source, states: tuple[str, ...], moves: bool | None) -> Shown:
    """Show how far states are from solved, and the moves of one.

    Moves are listed best first. With "-" in place of STATES, read them from standard input, one per line. The exit
    status is 1 if one of several states cannot be looked up.
    """
    if _single(states) and moves is not False:
        with interpreted():
            return Shown(lookups.lookup(source, states[0]), text.lookup)
    many = [line.strip() for line in sys.stdin] if states == ("-",) else list(states)
    found = batches.lookup_batch(source, many, moves=bool(moves))
    results = orjson.loads(found)
    failed = any("problem" in result for result in results["results"])
    return Shown(found, lambda _: text.batch(results), failed=failed)


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.option("--level", type=click.IntRange(1, 4), default=1, show_default=True, help="How much help to give.")
@click.option(
    "--moves", default="", help='Moves played from STATE, such as "L R2\'": help is for the state after them.'
)
@searching
def hint(source: Source, state: str, level: int, moves: str) -> Shown:
    """Give help in four levels.

    1 is the distance, 2 also the parts to move, 3 also a move, 4 also the solution. For a state that cannot be solved
    any more, the answer is how many of MOVES to take back.
    """
    return Shown(hints.hint(source, state, level, moves.split()), text.hint)


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.argument("moves", nargs=-1, callback=options.refuse_options, shell_complete=completion.moves)
@click.option("--states", is_flag=True, help="MOVES are the states after each move.")
@click.option("--stars", help="Max wasted moves for three, two and one star, such as 0,4,any.")
@click.option("--hints", default="", help="Levels of the hints shown, such as 1,3: 3 and 4 cost the third star.")
@searching
def grade(source: Source, state: str, moves: tuple[str, ...], states: bool, stars: str | None, hints: str) -> Shown:
    """Grade a game that begins at STATE. MOVES may be one word, such as "L R2'", or many.

    The exit status is 1 if a move is not legal.
    """
    played = [move for word in moves for move in word.split()]
    game = {"states": played} if states else {"moves": played}
    limits = grades.DEFAULT_STARS if stars is None else _numbers(stars, "0,4,any")
    graded = grades.grade(source, state, **game, stars=limits, hints=_numbers(hints, "1,3") if hints else ())
    return Shown(graded, text.grade, failed=not graded["legal"])


def _numbers(text: str, example: str) -> list[Any]:
    """The numbers of a list such as the example, with None for any."""
    try:
        return [None if part == "any" and part in example else int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a list of numbers such as {example}") from None


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@options.goal
@options.style
@click.option("--highlight", shell_complete=completion.moves, help="Legal move that the picture should show.")
@click.option("--output", type=options.FILE, help="File to write. The default is standard output.")
def picture(
    puzzle: Puzzle, state: str, goal: str | None, style: str | None, highlight: str | None, output: Path | None
) -> None:
    """Draw a state as SVG."""
    drawn = pictures.drawn(puzzle, puzzle.goal(goal), state, style=style, highlight=highlight)
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("state", required=False, callback=options.refuse_options)
@options.goal
@options.style
@options.as_json
def board(puzzle: Puzzle, state: str | None, goal: str | None, style: str | None, as_json: bool) -> None:
    """Show the pieces of a state, and the effect of each legal move."""
    show(Shown(boards.board(puzzle, puzzle.goal(goal), state, style), text.board), as_json)


@click.command()
@options.puzzle
@options.record(
    random_states.RandomRequest,
    "wanted",
    click.option("--distance", type=click.IntRange(0), help="Exact distance from solved."),
    click.option("--min", type=click.IntRange(0), help="Min distance from solved."),
    click.option("--max", type=click.IntRange(0), help="Max distance from solved."),
    click.option(
        "--percentile", type=options.FiniteFloat(0, 100), help="Percentage of states that are at most as far."
    ),
    options.difficulty,
    click.option("--lost", is_flag=True, help="Draw a state from which no goal can be reached any more."),
    click.option("--turns", type=click.IntRange(0, random_states.MAX_TURNS), help="Random turns to make from solved."),
    click.option(
        "--walk", type=click.Choice([*random_states.WALKS]), help="How each of the turns is drawn. The default is any."
    ),
    click.option("--seed", help="Any text; equal seeds give equal states."),
    click.option("--daily", "day", type=options.Day(["%Y-%m-%d"]), help="Draw the state of this day, or of today."),
)
@searching
def random(source: Source, wanted: random_states.RandomRequest) -> Shown:
    """Draw a random state of any difficulty, with a scramble."""
    return Shown(wanted.answer(source), text.random_state)
