"""Levels in files: the proven par of each."""

from __future__ import annotations

from dataclasses import asdict, astuple, fields
from itertools import chain
from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say_unused, show
from puzzlebase.plugins.csv_lines import write_csv
from puzzlebase.plugins.levels import FORMATS
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.terminal_text import fold_line


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--states",
    type=click.IntRange(1),
    help="Most states of a level. The default is as many as fit.",
)
@options.threads
@click.option(
    "--csv", "as_csv", is_flag=True, help="Print a line of comma-separated values for each level."
)
@options.as_json
def verb(path: Path, states: int | None, threads: int, as_csv: bool, as_json: bool) -> None:
    """Check the levels of a file or a folder: prove the par of each.

    All states of a level are found and certified, and lost states are counted. The exit status is 1
    if a level cannot be read or solved, has too many states, states a wrong par, or something that
    is not used, which is told.
    """
    from puzzlebase.plugins.levels.files import levels_of_files
    from puzzlebase.plugins.levels.report import LevelReport, report
    from puzzlebase.plugins.text_templates import text_template

    levels, problems = levels_of_files(path)
    if not levels and not problems:
        raise InvalidRequest(
            f"there are no levels in {str(path)!r}",
            "name files of levels by their format: "
            f"{', '.join(f'NAME.{each}' for each in sorted(FORMATS))}",
        )
    template = text_template(__package__, "level.txt")
    reports: list[LevelReport] = []
    for each in chain(
        (report(level, threads, states) for level in levels),
        (LevelReport(name, problem=problem) for name, problem in problems),
    ):
        reports.append(each)
        if not (as_json or as_csv):
            click.echo(template.render(level=each, fold=fold_line), nl=False)
    if as_csv:
        write_csv([each.name for each in fields(LevelReport)], map(astuple, reports))
    elif as_json:
        show(Shown({"levels": [*map(asdict, reports)]}, lambda _: ()), as_json)
    unused = [each for level in levels for each in level.text.words.unused]
    say_unused(unused)
    if unused or any(each.problem for each in reports):
        raise SystemExit(1)
