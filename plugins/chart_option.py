"""The option of verbs that draw a chart, with whichever plugin draws charts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from puzzlebase import hooks
from puzzlebase.command_line.options import FILE, Verb


def chart_file(*names: str, help: str) -> Callable[[Verb], Verb]:  # noqa: A002 -- as click calls it
    """An option that takes the file of a chart. It is refused at once if charts cannot be drawn."""

    def checked(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
        if path is not None:
            chart_writer(path)
        return path

    return click.option(*names, names[0].strip("-"), type=FILE, callback=checked, help=help)


def chart_writer(path: Path) -> Callable[..., None]:
    """The function that draws rows into a file of this name, as the hook `writers` has it: docs/plugins.md.

    Raises UsageError for a name that is not a chart's, InvalidRequest if charts cannot be drawn.
    """
    make = hooks.find("writers", path.suffix)
    if make is None:
        endings = " or ".join(hooks.references("writers")) or "what a plugin writes: none is installed"
        raise click.UsageError(f"{path.name!r} is no name of a chart; end it in {endings}")
    return make()  # type: ignore[no-any-return]
