"""Names that the shell completes: of puzzles and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from puzzlebase.paths import DataFolder


def completing(
    names_for: Callable[[click.Context], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """The names that begin with the typed letters."""

    def begun(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in dict.fromkeys(names_for(context)) if name.startswith(incomplete)]

    return begun


@completing
def puzzles(context: click.Context) -> list[str]:
    """The names worth listing, and those of every file in the data folder."""
    from puzzlebase.puzzles import all_families

    listed = [name for family in all_families() for name in family.listed]
    return [*listed, *(name.partition(".")[0].partition("@")[0] for name in _stored(context))]


@completing
def tables(context: click.Context) -> list[str]:
    """The tables in the data folder."""
    return [name for name in _stored(context) if "." not in name]


def _stored(context: click.Context) -> list[str]:
    """The names of all files in the data folder, without their ending."""
    folder = context.obj if isinstance(context.obj, DataFolder) else DataFolder.choose()
    return sorted(path.stem for path in Path(folder.place).glob("*.duckdb"))
