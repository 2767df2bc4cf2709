"""A puzzle in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.text import Text

from puzzlebase.command_line import options
from puzzlebase.command_line.sources import asking
from puzzlebase.db.machine import spare_memory
from puzzlebase.puzzles import Goal, Puzzle, drawing_of
from puzzlebase.service.answers import random_states
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.source import Source
from puzzlebase.tools.play import terminal
from puzzlebase.tools.play.drawing import draw
from puzzlebase.tools.play.game import KEYS, TerminalGame

_SECONDS = 10.0  # time limit of a search, while a player waits


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("state", required=False, default="", callback=options.refuse_options)
@options.goal
@click.option("--distance", type=click.IntRange(0), help="Begin at this distance from solved; needs a table.")
@click.option("--seed", help="Any text; equal seeds give equal states.")
@options.data
def verb(data: Path, puzzle: Puzzle, state: str, goal: str | None, distance: int | None, seed: str | None) -> None:
    """Play a puzzle in the terminal, from STATE or else from its start or a random state.

    The board is in colours. Type moves, ? for a hint, = for the distance, Backspace to take a move back. At the end
    there are stars.
    """
    if not terminal.is_there():
        raise InvalidRequest(
            "there is no terminal here to play in",
            f"run it in a terminal, over ssh with -t; puzzlebase grade {puzzle.name} STATE MOVES takes a whole game",
        )
    meant = puzzle.goal(goal)
    ask = asking(Tables(data), puzzle, goal, SearchLimits(seconds=_SECONDS, memory=spare_memory() // 2))
    game = TerminalGame(puzzle, meant, state or _start(meant, ask, distance, seed), ask)
    try:
        with terminal.screen() as screen:
            while (key := _next_key(screen, game)) != "ctrl-c":
                if key == "enter" and game.solved:
                    break
                game.press(key)
    except KeyboardInterrupt:
        pass
    for line in game.result():
        click.echo(line)


def _start(goal: Goal, ask: Callable[[], Source], distance: int | None, seed: str | None) -> str:
    """The state in which a game begins if none is given: the goal's start if that is not solved, else a random one."""
    if distance is None and seed is None and goal.start not in goal.states:
        return goal.start
    key = random_states.key(seed)
    return random_states.random(ask(), min_distance=distance, max_distance=distance, key=key)["state"]


def _next_key(screen: terminal.Screen, game: TerminalGame) -> str:
    """Show the game, again where the window changes, until a key is pressed."""
    prompt = [Text(f"move> {game.typed}", "bold"), Text("")]
    below = [Text("Enter or Ctrl-C ends the game.")] if game.solved else prompt
    below += [Text(line, "bold") for line in game.says]
    below += [Text("")] * (2 - len(game.says)) + [Text(line, "dim") for line in KEYS]
    layout = drawing_of(game.puzzle).layout(game.state, game.goal)
    while True:
        columns, rows = screen.size
        board = draw(layout, columns, max(rows - len(below) - 3, 1))
        screen.show([Text(game.status(), "bold"), *board, Text(game.state, "dim"), *below])
        if key := screen.key():
            return key
