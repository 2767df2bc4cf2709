"""The screen of a terminal during games: keys one by one. At the end everything is as before."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from textwrap import wrap

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.completion import FuzzyCompleter, WordCompleter
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import prompt
from prompt_toolkit.validation import Validator
from rich.console import Console

Fragment = tuple[str, str]  # a style and a text
Line = list[Fragment]

_KEYS = {key: key for key in ("enter", "tab", "backspace", "escape", "up", "down", "left", "right", "f1")}
_KEYS |= {"c-z": "backspace", "c-r": "ctrl-r", "c-c": "ctrl-c", "c-d": "ctrl-c"}
_REST_OF_SEQUENCE = 0.05  # seconds in which the rest of an arrow key's letters comes, over a slow line too
_AT_ONCE = 0.3  # seconds that an answer may take before the screen says that it is looked for
_LISTED = 12  # lines of a list to choose from
_NOTE = "looking for the answer; Ctrl-C ends"


def has_colours() -> bool:
    """True if the terminal has colours and its user wants them."""
    console = Console()
    return console.color_system is not None and not console.no_color


def words(text: str, columns: int, style: str = "") -> list[Line]:
    """Fold a text into lines of so many columns."""
    return [[(style, line)] for line in wrap(text, columns)]


def flow(fragments: Iterable[Fragment], columns: int) -> list[Line]:
    """Put fragments side by side, with two spaces between, in as many lines as they need."""
    lines: list[Line] = [[]]
    for fragment in fragments:
        if lines[-1] and width(lines[-1]) + 2 + len(fragment[1]) > columns:
            lines.append([])
        lines[-1] += [("", "  "), fragment] if lines[-1] else [fragment]
    return lines


def width(line: Line) -> int:
    """The columns that a line takes."""
    return sum(len(text) for _, text in line)


def chosen(title: str, choices: dict[str, str]) -> str | None:
    """Let the user type or choose one of some names, which have descriptions; None if the user leaves."""

    def listed() -> None:
        get_app().current_buffer.start_completion()

    with suppress(KeyboardInterrupt, EOFError):
        typed = prompt(
            f"{title} ",
            completer=FuzzyCompleter(WordCompleter([*choices], meta_dict=choices, sentence=True)),
            validator=Validator.from_callable(lambda name: name in ("", *choices), "choose one of the list"),
            bottom_toolbar="Type or use arrows; Enter plays.",
            mouse_support=True,
            reserve_space_for_menu=_LISTED,
            pre_run=listed,
            handle_sigint=signal.getsignal(signal.SIGINT) != signal.SIG_IGN,
        )
        return typed or next(iter(choices))
    return None


class TerminalScreen:
    """The whole terminal.

    `lines` gives the shown lines, by columns and rows; after each key `press` tells if the game goes on. `stop` ends
    the search that is running in `press`, from another thread.
    """

    def __init__(
        self, lines: Callable[[int, int], list[Line]], press: Callable[[str], bool], stop: Callable[[], None]
    ) -> None:
        self._draw, self._press, self._stop = lines, press, stop
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._status, self._note, self._pressing = 0, "", False
        self._size: Size | None = None
        self._lines: list[Line] = []
        bindings = KeyBindings()
        for key, name in _KEYS.items():
            bindings.add(key, eager=True)(partial(self._named, name))
        bindings.add(Keys.Any)(self._typed)
        control = FormattedTextControl(self._fragments, show_cursor=False)
        self._app: Application[None] = Application(
            Layout(Window(control, always_hide_cursor=True)),
            key_bindings=bindings,
            full_screen=True,
            color_depth=None if has_colours() else ColorDepth.DEPTH_1_BIT,
        )
        self._app.ttimeoutlen = _REST_OF_SEQUENCE

    def show(self) -> None:
        """Show lines and press keys until the end; a signal ends the screen and also the program."""
        with suppress(EOFError):  # the line is gone
            asyncio.run(self._run())
        if self._status:
            sys.exit(self._status)

    async def _run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                status = 0 if number == signal.SIGINT else 128 + number
                asyncio.get_running_loop().add_signal_handler(number, self._end, status)
        pressing = asyncio.ensure_future(self._work())
        await self._app.run_async(set_exception_handler=False, handle_sigint=False)
        pressing.cancel()

    async def _work(self) -> None:
        """Press keys one after another, in a thread: a search may take seconds, and the screen can end it."""
        try:
            goes_on = True
            while goes_on:
                key = await self._keys.get()
                self._pressing = True
                pressed = asyncio.ensure_future(asyncio.to_thread(self._press, key))
                await asyncio.wait([pressed], timeout=_AT_ONCE)
                self._note = "" if pressed.done() else _NOTE
                self._app.invalidate()
                goes_on = await pressed
                self._pressing, self._note, self._size = False, "", None
                self._app.invalidate()
            self._end()
        except Exception as error:  # noqa: BLE001 -- raised again when the terminal is as it was
            self._end(error=error)

    def _end(self, status: int = 0, error: Exception | None = None) -> None:
        self._status = self._status or status
        self._stop()
        if not self._app.is_done:
            self._app.exit(exception=error) if error else self._app.exit()

    def _named(self, name: str, _event: KeyPressEvent) -> None:
        if name == "ctrl-c":
            self._end()
        else:
            self._keys.put_nowait(name)

    def _typed(self, event: KeyPressEvent) -> None:
        for letter in event.data if event.data.isprintable() else "":  # of a paste several
            self._keys.put_nowait(letter)

    def _fragments(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        if size != self._size and not self._pressing:
            self._size = size
            try:
                self._lines = self._draw(size.columns, size.rows)[: size.rows]
            except Exception as error:  # noqa: BLE001 -- the same
                self._end(error=error)
        shown = [*self._lines[: size.rows - 1], [("reverse", self._note)]] if self._note else self._lines
        return [piece for line in shown for piece in (*line, ("", "\n"))]
