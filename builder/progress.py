"""The progress of long work: a bar with the time left on a terminal,
and a line at the end of each phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what only a build needs is loaded by one
    from rich.console import Console
    from rich.progress import Progress


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
    def phase(self, title: str, total: int, unit: str) -> Iterator[Phase]:
        """Time a phase of `total` units, and print a line at its end.
        Its title is its name in the log.
        """
        from rich.progress import Progress  # noqa: PLC0415 -- as above

        began = monotonic()
        with Progress(
            console=self._console, transient=True, disable=not self._console.is_terminal
        ) as bar:
            yield Phase(self, bar, f"{title} ({unit})", total)
        self.seconds[title] = monotonic() - began
        self.say(f"{title}: {total:,} {unit} in {self.seconds[title]:.2f} s")


class Phase:
    """A running phase; `say` prints a line above its bar."""

    def __init__(self, reporter: Reporter, bar: Progress, title: str, total: int) -> None:
        self.say = reporter.say
        self._bar = bar
        self._task = bar.add_task(title, total=total)

    def reached(self, done: int) -> None:
        """Show that so many units are done."""
        self._bar.update(self._task, completed=done)

    def advance(self, units: float) -> None:
        """Show that so many more units are done; safe to call from several threads."""
        self._bar.advance(self._task, units)
