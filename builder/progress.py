"""The progress of long work: a bar with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich import progress as columns
from rich.console import Console
from rich.text import Text


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

    @contextmanager
    def phase(self, title: str, total: int, unit: str) -> Iterator[Phase]:
        """Time a phase of `total` units and print a line at its end; its title is its name in the log."""
        began = time.perf_counter()
        with columns.Progress(
            *(columns.TextColumn("{task.description}"), columns.BarColumn(), columns.MofNCompleteColumn(), _Rate()),
            *(columns.TimeElapsedColumn(), columns.TimeRemainingColumn()),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        ) as bar:
            yield Phase(self, bar, f"{title} ({unit})", total)
        self.seconds[title] = time.perf_counter() - began
        self.say(f"{title}: {total:,} {unit} in {self.seconds[title]:.2f} s")


class Phase:
    """A phase that is running; `say` prints a line of text above its bar."""

    def __init__(self, reporter: Reporter, bar: columns.Progress, title: str, total: int) -> None:
        self.say = reporter.say
        self._bar = bar
        self._task = bar.add_task(title, total=total)

    def reached(self, done: int) -> None:
        """Show that so many units are done."""
        self._bar.update(self._task, completed=done)

    def advance(self, units: int) -> None:
        """Show that so many more units are done; safe to call from several threads."""
        self._bar.advance(self._task, units)
