"""Levels in files: the proven par of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.plugins.csv_lines import write_csv
from puzzlebase.plugins.levels import FORMATS
from puzzlebase.service.answers.text import folded
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.plugins.levels.report import LevelReport


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--states", type=click.IntRange(1), help="Most states of a level. The default is as many as fit.")
@options.threads
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of comma-separated values for each level.")
@options.as_json
def verb(path: Path, states: int | None, threads: int, as_csv: bool, as_json: bool) -> None:
    """Check the levels of a file or a folder: prove the par of each.

    All states of a level are found and certified, and lost states are counted. The exit status is 1 if a level cannot
    be read or solved, has too many states, or states a wrong par.
    """
    from puzzlebase.plugins.levels.files import levels_of
    from puzzlebase.plugins.levels.report import LevelReport, not_read, report

    levels, problems = levels_of(path)
    if not levels and not problems:
        raise InvalidRequest(
            f"there are no levels in {str(path)!r}",
            f"name files of levels by their format: {', '.join(f'NAME.{each}' for each in sorted(FORMATS))}",
        )
    reports: list[LevelReport] = []
    for each in chain((report(level, threads, states) for level in levels), starmap(not_read, problems)):
        reports.append(each)
        if not (as_json or as_csv):
            click.echo("\n".join(_lines(each)))
    failed = any(each["problem"] for each in reports)
    if as_csv:
        write_csv(LevelReport.__annotations__, (each.values() for each in reports))
    elif as_json:
        show(Shown({"levels": reports}, lambda _: ()), as_json)
    if failed:
        raise SystemExit(1)


def _lines(found: LevelReport) -> Iterator[str]:
    """A level's name and par, and the facts found about it."""
    title = f" ({found['title']})" if found["title"] else ""
    par = "" if found["par"] is None else f": par {found['par']:,}"
    yield f"{found['name']}{title}{par}"
    if found["states"] is not None:
        share = found["lost"] / found["states"] if found["lost"] else 0
        yield f"  {found['states']:,} states, {found['lost']:,} of them lost ({share:.0%})"
    if found["par"] == 0:
        yield "  it is solved at the start"
    if found["problem"]:
        yield folded(f"  PROBLEM: {found['problem']}", 2)
