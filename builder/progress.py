"""The progress of long work: a bar with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich import progress as columns
from rich.console import Console
from rich.text import Text

_SOON, _LONG = 1, 10  # seconds: when the rate of a phase is known, and how long those take that are worth a word


class _Rate(columns.ProgressColumn):
    def render(self, task: columns.Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:,.0f}/s")


class Reporter:
    """A printer of what a build is doing, phase by phase; `seconds` are those of each phase."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self.seconds: dict[str, float] = {}

    def say(self, line: str) -> None:
        """Print one line of text."""
        self._console.print(line, markup=False, soft_wrap=True)

    def expect(self, seconds: float, why: str) -> None:
        """Say how long work takes, if that is long."""
        if seconds > _LONG:
            self.say(f"this takes about {round(seconds)} s, {why}")

    @contextmanager
    def phase(self, title: str, total: int, unit: str, *, even: bool = True) -> Iterator[Phase]:
        """Time a phase of `total` units and print a line at its end; its title is its name in the log.

        A long one whose units take `even` time says how long, soon after its beginning, where no bar tells it.
        """
        began = monotonic()
        with columns.Progress(
            *(columns.TextColumn("{task.description}"), columns.BarColumn(), columns.MofNCompleteColumn(), _Rate()),
            *(columns.TimeElapsedColumn(), columns.TimeRemainingColumn()),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        ) as bar:
            yield Phase(self, bar, f"{title} ({unit})", total, even)
        self.seconds[title] = monotonic() - began
        self.say(f"{title}: {total:,} {unit} in {self.seconds[title]:.2f} s")


class Phase:
    """A phase that is running; `say` prints a line of text above its bar."""

    def __init__(self, reporter: Reporter, bar: columns.Progress, title: str, total: int, even: bool) -> None:
        self.say = reporter.say
        self._bar = bar
        self._task = bar.add_task(title, total=total)
        self._untold = even and bar.disable
        self._soon = monotonic() + _SOON

    def reached(self, done: int) -> None:
        """Show that so many units are done."""
        self._bar.update(self._task, completed=done)
        self._say_how_long()

    def advance(self, units: float) -> None:
        """Show that so many more units are done; safe to call from several threads."""
        self._bar.advance(self._task, units)
        self._say_how_long()

    def _say_how_long(self) -> None:
        if self._untold and monotonic() > self._soon:
            left = self._bar.tasks[0].time_remaining  # by the units since the first ones, before which kernels compile
            self._untold = left is None
            if left and left > _LONG:
                self.say(f"{self._bar.tasks[0].description}: about {round(left)} s left")
