"""The verb play: a game, line by line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle

_SECONDS = 10.0  # time limit of a search, while a player waits


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@click.argument("state", required=False, callback=options.refuse_options)
@options.goal
@options.data
def verb(
    data: Path,
    puzzle: Puzzle,
    state: str | None,
    goal: str | None,
) -> None:
    """Play a puzzle in the terminal.

    Play begins at STATE, by default where the puzzle does, or else few moves from solved. A line has moves, or hint,
    moves, undo or quit. At the end there are stars.
    """
    from puzzlebase.machine import spare_memory
    from puzzlebase.plugins.play.game import TerminalGame, start_of
    from puzzlebase.plugins.play.terminal import play
    from puzzlebase.service.error_status import InvalidRequest
    from puzzlebase.service.sources.budget import SearchLimits
    from puzzlebase.service.sources.search import OpenSearch, Searchable
    from puzzlebase.service.sources.source import Source
    from puzzlebase.service.sources.sources import Sources

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidRequest(
            "there is no terminal here to play in",
            f"run it in a terminal, over ssh with -t; puzzlebase grade {puzzle.name} STATE MOVES takes a whole game",
        )
    sources, to = Sources(data), puzzle.goal(goal)
    limits = SearchLimits(seconds=_SECONDS, memory=spare_memory() // 2)
    found = sources.find(puzzle.name, goal, state=state)
    searchable = None if found else Searchable.in_folder(sources, puzzle, to)

    def ask() -> Source:
        if searchable:
            return OpenSearch(searchable, limits.begin())
        assert found
        return found

    play(TerminalGame(puzzle, to, state or start_of(ask()), ask))
