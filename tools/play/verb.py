"""The verb play: the terminal while a game is on, keys one by one, and everything as it was at the end."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
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
from puzzlebase.tools.play.drawing import draw
from puzzlebase.tools.play.game import KEYS, TerminalGame

_SECONDS = 10.0  # time limit of a search, while a player waits
_WAIT = 0.5  # seconds between looks at the size of the window
_REST_OF_SEQUENCE = 0.05  # seconds in which the rest of an arrow key's letters comes, over a slow line too
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_NAMES = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x12": "ctrl-r",
    "\x1a": "ctrl-z",
    "\x04": "ctrl-c",
    "\x03": "ctrl-c",
    "\x1b": "escape",
    **{f"\x1b{mark}{letter}": name for mark in "[O" for letter, name in _ARROWS.items()},
}


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
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "")):
        raise InvalidRequest(
            "there is no terminal here to play in",
            f"run it in a terminal, over ssh with -t; puzzlebase grade {puzzle.name} STATE MOVES takes a whole game",
        )
    meant = puzzle.goal(goal)
    ask = asking(Tables(data), puzzle, goal, SearchLimits(seconds=_SECONDS, memory=spare_memory() // 2), state)
    game = TerminalGame(puzzle, meant, state or _start(meant, ask, distance, seed), ask)
    with suppress(KeyboardInterrupt), _screen() as screen:
        while (key := _next_key(screen, game)) != "ctrl-c":
            if key == "enter" and game.solved:
                break
            game.press(key)
    for line in game.result():
        click.echo(line)


def _start(goal: Goal, ask: Callable[[], Source], distance: int | None, seed: str | None) -> str:
    """The first state of a game if none is given: the goal's start if that is not solved, else a random state."""
    if distance is None and seed is None and goal.start not in goal.states:
        return goal.start
    key = random_states.key(seed)
    return random_states.random(ask(), min_distance=distance, max_distance=distance, key=key)["state"]


def _next_key(screen: _Screen, game: TerminalGame) -> str:
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


class _Screen:
    def __init__(self) -> None:
        self.console = Console(highlight=False)
        self._shown: tuple[object, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the window, now."""
        return shutil.get_terminal_size((80, 24))

    def show(self, lines: Sequence[Text]) -> None:
        """Show lines from the top, each cut to the width. What is on the screen already is not written again."""
        columns, rows = self.size
        now = (columns, rows, *(line.markup for line in lines))
        if now == self._shown:
            return
        cut = [line.copy() for line in lines[:rows]]
        for line in cut:
            line.truncate(columns)
        with self.console.capture() as written:
            for number, line in enumerate(cut):
                self.console.print(line, end="", soft_wrap=True)
                self.console.out("\x1b[K" + ("\r\n" if number < len(cut) - 1 else ""), end="", highlight=False)
        sys.stdout.write(f"\x1b[H{written.get()}\x1b[J")
        sys.stdout.flush()
        self._shown = now

    def key(self) -> str | None:
        """The next key, by its letter or its name; None where the window has another size now, or none is pressed."""
        before = self.size
        while self.size == before:
            if select.select([sys.stdin], [], [], _WAIT)[0]:
                return self._read()
        return None

    def _read(self) -> str:
        file = sys.stdin.fileno()
        read = os.read(file, 1)
        if not read:
            return "ctrl-c"  # the line is gone
        if read == b"\x1b":
            while select.select([file], [], [], _REST_OF_SEQUENCE)[0] and len(read) < 8:
                read += os.read(file, 1)
                if len(read) > 2 and (read[-1:].isalpha() or read[-1:] == b"~"):
                    break
        else:
            while (read[0] >> 5 == 0b110 and len(read) < 2) or (read[0] >> 4 == 0b1110 and len(read) < 3):
                read += os.read(file, 1)
        letters = read.decode("utf-8", "replace")
        return _NAMES.get(letters, letters if len(letters) == 1 else "")


@contextmanager
def _screen() -> Iterator[_Screen]:
    """A screen of its own and keys one by one. At every end, also by a signal or an error, all is as it was."""
    file = sys.stdin.fileno()
    former = termios.tcgetattr(file)
    handlers = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        tty.setcbreak(file)
        quiet = termios.tcgetattr(file)
        quiet[6][termios.VSUSP] = b"\0"  # Ctrl-Z takes a move back
        termios.tcsetattr(file, termios.TCSADRAIN, quiet)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield _Screen()
    finally:
        sys.stdout.write("\x1b[0m\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(file, termios.TCSADRAIN, former)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
