"""A pseudo-terminal for programs, and the screen that a person would see."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
COLUMNS, ROWS = 80, 24
_ESCAPE = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78]")

_LONGEST_ESCAPE = 32  # characters; a longer text after ESC is none


class Screen:
    """The screen of a terminal after some output:
    lines of any length, those that have scrolled away too.
    """

    def __init__(self) -> None:
        self._lines: list[str] = [""]
        self._row = self._column = 0
        self.cursor_hidden = False

    @property
    def lines(self) -> list[str]:
        """The lines, without blanks at their ends."""
        return [line.rstrip() for line in self._lines]

    def write(self, text: str) -> None:
        """Show output."""
        at = 0
        while at < len(text):
            if escape := _ESCAPE.match(text, at):
                self._obey(*escape.groups())
                at = escape.end()
                continue
            letter, at = text[at], at + 1
            if letter == "\n":
                self._row += 1
                self._grow()
            elif letter == "\r":
                self._column = 0
            elif letter == "\b":
                self._column = max(self._column - 1, 0)
            elif letter >= " ":
                line = self._lines[self._row].ljust(self._column)
                self._lines[self._row] = line[: self._column] + letter + line[self._column + 1 :]
                self._column += 1

    def _grow(self) -> None:
        self._lines += [""] * (self._row + 1 - len(self._lines))

    def _obey(self, private: str | None, numbers: str | None, letter: str | None) -> None:
        given = [int(number or 0) for number in (numbers or "").split(";")]
        count = max(given[0], 1)
        if private:
            if given[0] == 25:
                self.cursor_hidden = letter != "h"
        elif letter == "A":
            self._row = max(self._row - count, 0)
        elif letter == "K":
            line = self._lines[self._row]
            self._lines[self._row] = "" if given[0] == 2 else line[: self._column]


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, process: subprocess.Popen[bytes], file: int) -> None:
        self.process = process
        self.screen = Screen()
        self._file = file
        self._decoder, self._cut = codecs.getincrementaldecoder("utf-8")("replace"), ""

    def until(self, shown: str, keys: str = "") -> None:
        """Wait until the screen shows a text. Press keys,
        if there are some, and again each twenty seconds.

        Python does not heed a Ctrl-C that comes after its prompt is written and before it reads,
        until another key is pressed. On a busy machine that happened in 19 of 300 trials.
        """
        deadline = time.monotonic() + PATIENCE
        press_at = time.monotonic()
        while not any(shown in line for line in self.screen.lines):
            now = time.monotonic()
            assert now < deadline, f"{shown!r} does not appear:\n{self.text}"
            if keys and now >= press_at:
                self.type(keys)
                press_at = now + 20
            assert self._read(), f"the program ended without {shown!r}:\n{self.text}"

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._file, keys.encode())

    def end(self) -> int:
        """Wait for the end of the program; its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < deadline, f"the program does not end:\n{self.text}"
        return self.process.wait(PATIENCE)

    @property
    def text(self) -> str:
        """All lines of the screen."""
        return "\n".join(self.screen.lines)

    def _show(self, content: bytes) -> None:
        """Show output; a letter or an escape that is cut in two waits for its second part."""
        text = self._cut + self._decoder.decode(content)
        begun = text.rfind("\x1b", -_LONGEST_ESCAPE)
        whole = len(text) if begun < 0 or _ESCAPE.match(text, begun) else begun
        text, self._cut = text[:whole], text[whole:]
        self.screen.write(text)

    def _read(self) -> bool:
        """Show what the program writes next, if anything comes soon;
        False once it has ended and all is shown.
        """
        ended = self.process.poll() is not None
        if select.select([self._file], [], [], 0 if ended else 0.05)[0]:
            self._show(os.read(self._file, 1 << 16))
            return True
        return not ended


@contextmanager
def on_a_terminal(
    *words: str, ignoring: Sequence[signal.Signals] = (), **variables: str
) -> Iterator[Terminal]:
    """`puzzlebase WORDS` on a terminal,
    with some variables of the environment; ended with the block.

    It heeds all signals but those it is told to ignore,
    whatever the shell of the tests has ignored.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in (signal.SIGINT, signal.SIGHUP):  # which this process may ignore
            signal.signal(number, signal.SIG_IGN if number in ignoring else signal.SIG_DFL)

    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    for name in ("COLUMNS", "LINES", "NO_COLOR", "PUZZLEBASE_DATA"):
        environment.pop(name, None)
    environment |= variables
    process = subprocess.Popen(
        [sys.executable, "-m", "puzzlebase", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env=environment,
        preexec_fn=take_terminal,  # noqa: PLW1509 -- it only makes system calls
    )
    terminal = Terminal(process, ours)
    try:
        yield terminal
    finally:
        os.close(theirs)
        if process.poll() is None:
            process.kill()
            process.wait(PATIENCE)
        os.close(ours)
