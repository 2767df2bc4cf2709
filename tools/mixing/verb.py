"""The verb mixing: its options, its text and its files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import click

from puzzlebase.atomic_files import written
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.paths import DataFolder
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers.random_states import WALKS, WalkName, unsolvable
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.exact_json import to_json
from puzzlebase.tools.chart_option import chart_writer
from puzzlebase.tools.mixing.answer import EACH_TURN, MixingAnswer, mixing

_FORMATS = (".csv", ".json", ".svg", ".png")


@click.command()
@options.puzzle
@options.goal
@options.with_default("--turns", type=click.IntRange(1, 10_000), default=100, help="Random turns to make.")
@options.with_default(
    "--walk",
    type=click.Choice([*WALKS]),
    default="any",
    help=f"How each turn is drawn. {EACH_TURN}.",
)
@click.option("--easier-than", type=click.IntRange(1), help="Also show the probability of a state nearer than this.")
@click.option("-o", "--output", type=options.FILE, help="Also write the turns to this file: .csv, .json, .svg or .png.")
@click.option("--force", is_flag=True, help="Compute even if memory or disk seem too small.")
@options.threads
@options.as_json
@click.pass_obj
def verb(
    folder: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    turns: int,
    walk: WalkName,
    easier_than: int | None,
    output: Path | None,
    force: bool,
    threads: int,
    as_json: bool,
) -> None:
    """Show how well random turns mix a puzzle, exactly.

    The result is over all states of a puzzle that has a table. It is stored beside the table, and the service answers
    from it.
    """
    if output and output.suffix not in _FORMATS:
        raise click.UsageError(f"{output.name!r} has no format; end the name in {', '.join(_FORMATS)}")
    if output and output.suffix in (".svg", ".png"):
        chart_writer(output)
    source = headers(folder.existing()).table(puzzle.name, goal)
    if not source.table.info.layers:
        raise unsolvable(source)
    if source.one_way:
        raise InvalidRequest(
            f"the moves of {puzzle.name} cannot all be taken back, so random turns lead to no uniform state",
            "`puzzlebase random --turns` makes random turns from its start",
        )
    try:
        found = mixing(source, walk, turns, easier_than)
    except (MissingTable, DamagedTable):
        from puzzlebase.tools.mixing.job import compute

        compute(source.puzzle, source.goal, folder.path, walk, turns, threads, force=force)
        found = mixing(source, walk, turns, easier_than)
    if output:
        _write(output, found)
    show(Shown(found, _lines), as_json)


def _write(path: Path, found: MixingAnswer) -> None:
    turns, states = found["turns"], found["uniform"]["states"]
    if path.suffix not in (".csv", ".json"):
        chart_writer(path)(
            path,
            columns=["turns", "distance from uniform", "share of states reached"],
            rows=[(turn["turn"], turn["from_uniform"], turn["reached"] / states) for turn in turns],
            title=f"{found['puzzle']}: how random turns mix, walk {found['walk']}",
            unit="fraction",
            log=True,
        )
        return
    with written(path) as unfinished, unfinished.open("w", newline="", encoding="utf-8") as file:
        if path.suffix == ".json":
            file.write(to_json(found).decode())
        else:
            csv.writer(file).writerows([[*turns[0]], *(turn.values() for turn in turns)])


def _lines(answer: MixingAnswer) -> Iterator[str]:
    easier = "" if answer["easier_than"] is None else f"nearer than {answer['easier_than']}"
    uniform = answer["uniform"]
    width = max(len("states reached"), len(f"{uniform['states']:,}"))
    yield f"{answer['puzzle']}, goal {answer['goal']}, walk {answer['walk']}: the state after so many random turns"
    yield f"  {'turns':>7}  from uniform  {'states reached':>{width}}  mean distance  {easier}".rstrip()
    turns = [(turn["turn"], f"{turn['from_uniform']:.3e}", turn["reached"], turn) for turn in answer["turns"]]
    for turn, apart, states, facts in [*turns, ("uniform", "0", uniform["states"], uniform)]:
        nearer = "" if facts["easier"] is None else f"  {facts['easier']:>{len(easier)}.3e}"
        yield f"  {turn:>7}  {apart:>12}  {states:>{width},}  {facts['mean']:>13,.4f}{nearer}"
