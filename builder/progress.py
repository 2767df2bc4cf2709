"""The progress of long work: a bar with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what only a build needs is loaded by one
    from rich.console import Console
    from rich.progress import Progress

LONG, _SOON = 10, 1  # seconds of work that is worth a line; seconds after which the rate of a phase is known


def _bar(console: Console) -> Progress:
    """A bar with units done, their rate, and the time left; nothing where there is no terminal."""
    from rich import progress as columns  # noqa: PLC0415 -- as above
    from rich.text import Text  # noqa: PLC0415

    class Rate(columns.ProgressColumn):
        def render(self, task: columns.Task) -> Text:
            return Text(f"{task.finished_speed or task.speed or 0:,.0f}/s")

    return columns.Progress(
        *(columns.TextColumn("{task.description}"), columns.BarColumn(), columns.MofNCompleteColumn(), Rate()),
        *(columns.TimeElapsedColumn(), columns.TimeRemainingColumn()),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class Reporter:
    """A printer of the phases of a build; `seconds` has the time of each phase."""

    def __init__(self, console: Console | None = None) -> None:
        from rich.console import Console  # noqa: PLC0415 -- as above

        self._console = console or Console(stderr=True, highlight=False)
        self.seconds: dict[str, float] = {}

    def say(self, line: str) -> None:
        """Print one line of text, which a terminal folds between words."""
        self._console.print(line, markup=False, soft_wrap=not self._console.is_terminal)

    @contextmanager
    def phase(self, title: str, total: int, unit: str, *, even: bool = True) -> Iterator[Phase]:
        """Time a phase of `total` units of `even` time; print a line at its end. Its title is its name in the log."""
        began = monotonic()
        with _bar(self._console) as bar:
            yield Phase(self, bar, f"{title} ({unit})", total, even)
        self.seconds[title] = monotonic() - began
        self.say(f"{title}: {total:,} {unit} in {self.seconds[title]:.2f} s")


class Phase:
    """A running phase; `say` prints a line above its bar. Without a bar, a long and even one tells the time left."""

    def __init__(self, reporter: Reporter, bar: Progress, title: str, total: int, even: bool) -> None:
        self.say = reporter.say
        self._bar = bar
        self._task = bar.add_task(title, total=total)
        self._soon = monotonic() + _SOON if even and bar.disable else inf
        self._first: tuple[float, float] | None = None  # when units were first counted, and how many were done

    def reached(self, done: int) -> None:
        """Show that so many units are done."""
        self._bar.update(self._task, completed=done)
        self._say_how_long()

    def advance(self, units: float) -> None:
        """Show that so many more units are done; safe to call from several threads."""
        self._bar.advance(self._task, units)
        self._say_how_long()

    def _say_how_long(self) -> None:
        if (now := monotonic()) <= self._soon:
            return
        (task,) = self._bar.tasks
        if self._first is None:  # until now kernels were compiled
            self._first, self._soon = (now, task.completed), now + _SOON
            return
        began, done = self._first
        if task.completed > done:
            self._soon = inf
            left = (task.remaining or 0) * (now - began) / (task.completed - done)
            if left > LONG:
                self.say(f"{task.description}: about {round(left)} s left")
