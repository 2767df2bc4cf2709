"""The verb play: a game, line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from puzzlebase.command_line import options

DAILY = "medium"  # the difficulty of the game of the day, as on the page
_SECONDS = 10.0  # time limit of a search, while a player waits


@click.command(context_settings=options.TAKES_STATES)
@options.moves
@click.argument("puzzle", required=False)
@click.argument("state", required=False, callback=options.refuse_options)
@options.goal
@click.option(
    "--difficulty",
    help="How hard to begin: first, easy, medium, hard, hardest, or a level's number.",
)
@click.option(
    "--daily", is_flag=True, help="Begin with the state of this day, of medium difficulty."
)
@click.option(
    "--distance", type=click.IntRange(0), help="Begin at this distance from solved; needs a table."
)
@click.option("--seed", help="Any text; equal seeds give equal states.")
@options.data_option
def verb(
    data: Path,
    puzzle: str | None,
    words: Sequence[str] | None,
    state: str | None,
    goal: str | None,
    difficulty: str | None,
    daily: bool,
    distance: int | None,
    seed: str | None,
) -> None:
    """Play a puzzle in the terminal; without PUZZLE list those that can be played.

    Play begins at STATE, by default few moves from solved. A line has moves, or hint, moves, undo
    or quit. At the end there are stars.
    """
    from puzzlebase.service.error_status import InvalidRequest

    if puzzle is None:
        for line in _listed(data):
            click.echo(line)
        return
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal:
        click.echo(f"Loading {puzzle} ...")
    rules = options.puzzle_of_words(puzzle, words)
    if not terminal:
        raise InvalidRequest(
            "there is no terminal here to play in",
            f"run it in a terminal, over ssh with -t; puzzlebase grade {puzzle} STATE MOVES "
            "takes a whole game",
        )
    from puzzlebase.machine import spare_memory
    from puzzlebase.plugins.play.game import TerminalGame, start_of_game
    from puzzlebase.plugins.play.terminal import play
    from puzzlebase.service.answers import random_states
    from puzzlebase.service.sources.budget import SearchLimits
    from puzzlebase.service.sources.search import OpenSearch, Searchable
    from puzzlebase.service.sources.source import Source
    from puzzlebase.service.sources.sources import Sources

    sources, to = Sources(data), rules.goal(goal)
    limits = SearchLimits(seconds=_SECONDS, memory=spare_memory() // 2)
    basis = sources.find(rules.name, goal, state=state) or Searchable.in_folder(sources, rules, to)

    def ask() -> Source:
        if isinstance(basis, Searchable):
            return OpenSearch(basis, limits.begin())
        return basis

    if daily and difficulty is None and distance is None and ask().ladder:
        difficulty = DAILY
    day = random_states.today() if daily else None
    start = state or start_of_game(ask(), difficulty, distance, seed, day)
    play(TerminalGame(rules, to, start, ask))


def _listed(data: Path) -> Iterator[str]:
    """The puzzles with instructions, a line each under the kind of their moves."""
    from puzzlebase.plugins.kinds import kind_of
    from puzzlebase.puzzles import find
    from puzzlebase.service.answers import catalog
    from puzzlebase.service.sources.sources import Sources
    from puzzlebase.terminal_text import fold_line

    listed = (each["name"] for each in catalog.puzzle_list(Sources(data))["puzzles"])
    kinds: dict[str, list[str]] = {}
    for puzzle in catalog.catalog_of(listed, find):
        if how := puzzle.about.instructions:
            line = f"  {puzzle.name:<16}  {puzzle.about.sentence or how}"
            kinds.setdefault(kind_of(f"{puzzle.about.sentence} {how}"), []).append(line)
    for kind, lines in sorted(kinds.items()):
        yield kind
        yield from (fold_line(line, 20) for line in lines)
