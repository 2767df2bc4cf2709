"""The verb play: which puzzle, which start, and the screen to play it on."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase import puzzles
from puzzlebase.command_line import completion, options

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle

DAILY = "medium"  # the difficulty of the game of the day, as on the page
_SECONDS = 10.0  # time limit of a search, while a player waits


@click.command(context_settings=options.TAKES_STATES)
@click.argument(
    "puzzle",
    required=False,
    callback=lambda _context, _parameter, name: name and puzzles.find(name),
    shell_complete=completion.puzzles,
)
@click.argument("state", required=False, callback=options.refuse_options)
@options.goal
@click.option("--difficulty", help="How hard to begin: first, easy, medium, hard, hardest, or a level's number.")
@click.option("--daily", is_flag=True, help="Begin with the state of this day, of medium difficulty.")
@click.option("--distance", type=click.IntRange(0), help="Begin at this distance from solved; needs a table.")
@click.option("--seed", help="Any text; equal seeds give equal states.")
@options.data
def verb(
    data: Path,
    puzzle: Puzzle | None,
    state: str | None,
    goal: str | None,
    difficulty: str | None,
    daily: bool,
    distance: int | None,
    seed: str | None,
) -> None:
    """Play a puzzle in the terminal.

    Play begins at STATE, by default few moves from solved. Without a name, choose a puzzle from a menu. The screen
    shows the rules, the goal and the keys. At the end there are stars, and a next game.
    """
    from puzzlebase.service.error_status import InvalidRequest

    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "")):
        raise InvalidRequest(
            "there is no terminal here to play in",
            "run it in a terminal, over ssh with -t; "
            f"puzzlebase grade {puzzle.name if puzzle else 'PUZZLE'} STATE MOVES takes a whole game",
        )
    from puzzlebase.machine import spare_memory
    from puzzlebase.service.answers import catalog, random_states
    from puzzlebase.service.sources.budget import SearchLimits
    from puzzlebase.service.sources.sources import Sources
    from puzzlebase.tools.play.playing import Playing
    from puzzlebase.tools.play.screen import TerminalScreen, chosen, has_colours
    from puzzlebase.tools.play.starts import Start, Starts, asking

    sources = Sources(data)
    if puzzle is None:
        stored = {each["name"]: each["coverage"] == "table" for each in catalog.puzzle_list(sources)["puzzles"]}
        named = [puzzles.find(name) for name in sorted(stored, key=lambda name: not stored[name])]
        people = {each.name: each.title for each in named if each.about.instructions or each.about.rules}
        if not (name := chosen("Which puzzle?", people)):
            return
        puzzle = puzzles.find(name)
    limits = SearchLimits(seconds=_SECONDS, memory=spare_memory() // 2)
    starts = Starts(puzzle, puzzle.goal(goal), asking(sources, puzzle, goal, limits, state))
    if daily and difficulty is None and distance is None and starts.leveled:
        difficulty = DAILY
    key = random_states.key(seed, random_states.today() if daily else None)
    start = starts.start(difficulty, distance)
    if state:
        start = Start("from your state", start.state)
    playing = Playing(starts, start, state or start.state(key), coloured=has_colours())
    TerminalScreen(playing.lines, playing.press, starts.stop).show()
    for line in playing.summary():
        click.echo(line)
