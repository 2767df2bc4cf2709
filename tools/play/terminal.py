"""The terminal while a game is on: keys one by one, a screen of its own, and everything as it was at the end."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.text import Text

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


def is_there() -> bool:
    """True if there is a terminal to play in."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "")


class Screen:
    """The screen of a game."""

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
def screen() -> Iterator[Screen]:
    """A screen of one's own and keys one by one. At every end, also by a signal or an error, all is as it was."""
    file = sys.stdin.fileno()
    former = termios.tcgetattr(file)
    handlers = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        tty.setcbreak(file)
        quiet = termios.tcgetattr(file)
        quiet[6][termios.VSUSP] = b"\0"  # Ctrl-Z takes a move back
        termios.tcsetattr(file, termios.TCSADRAIN, quiet)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield Screen()
    finally:
        sys.stdout.write("\x1b[0m\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(file, termios.TCSADRAIN, former)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
