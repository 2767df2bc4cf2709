"""The verb split: write a table's data in parts, and a small table with their places."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import click

from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, BuildError, failures, held, unpublished
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.db.block_cache import decoded
from puzzlebase.db.blocks import Block
from puzzlebase.db.paths import table_path
from puzzlebase.db.table_file import TableFile, TableWriter
from puzzlebase.puzzles import Puzzle

_TOGETHER = 2048  # blocks


@click.command()
@options.puzzle
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.goal
@click.option("--into", "parts", type=click.IntRange(1, 4096), required=True, help="Number of parts.")
@options.as_json
@options.data
def verb(data: Path, puzzle: Puzzle, to: Path, goal: str | None, parts: int, as_json: bool) -> None:
    """Write a table in parts, with a small table that finds them.

    Both are in FOLDER. The small table answers as the whole one does, from the parts beside it or from those that
    --parts names. Any server of files may serve them.
    """
    written = split_table(table_path(data, puzzle.table_name(puzzle.goal(goal))), to, parts, Reporter())
    files = [{"file": each.name, "bytes": each.stat().st_size} for each in written]
    show(Shown({"files": files}, lambda _: [f"{each['file']}  {each['bytes']:,} bytes" for each in files]), as_json)


def split_table(path: Path, to: Path, parts: int, report: Reporter) -> list[Path]:
    """Write the parts of a table into a folder, each of as many blocks, then the table of them; returns the paths.

    Every block is read and checked. Raises MissingTable and DamagedTable, and BuildError also where another process is
    splitting it into that folder.
    """
    if to.exists() and to.samefile(path.parent):
        raise BuildError(f"{str(to)!r} is the folder of the table itself", "name another folder for the parts")
    with failures(to / path.name, report, STARTS_ANEW, "split"), TableFile(path) as table:
        blocks = table.block_count
        if parts > blocks:
            raise BuildError(f"{path.stem!r} has {blocks:,} block{'s' * (blocks != 1)}", "split it into no more parts")
        to.mkdir(parents=True, exist_ok=True)
        if (free := shutil.disk_usage(to).free) < table.size:
            raise BuildError(f"{path.stem!r} has {table.size:,} bytes, {free:,} are free in {str(to)!r}", "make room")
        with held(to / path.name):
            return _split(table, to, [blocks * part // parts for part in range(parts + 1)], report)


def _split(table: TableFile, to: Path, bounds: list[int], report: Reporter) -> list[Path]:
    """Write the parts between these numbers of blocks."""
    from puzzlebase.tools.parts.parts import part_name  # loads clients of servers, which no list of verbs needs

    written = [to / part_name(table.path.stem, table.digest, part) for part in range(len(bounds) - 1)]
    with (
        unpublished(to / table.path.name) as header,
        TableWriter(header) as writer,
        report.phase(f"split {table.path.stem}", bounds[-1], "blocks") as phase,
    ):
        blocks = table.blocks()
        for part, (first, last) in enumerate(pairwise(bounds)):
            with unpublished(written[part]) as part_file:
                moved = _moved(table, islice(blocks, last - first), part, part_file)
                while some := list(islice(moved, _TOGETHER)):
                    writer.add(some)
                    phase.advance(len(some))
        certificates, steps = table.certificates(), table.build_steps()
        writer.finish(table.info, table.histograms(), table.antipodes(), certificates, steps)
    return [*written, to / table.path.name]


def _moved(table: TableFile, blocks: Iterator[Block], part: int, path: Path) -> Iterator[Block]:
    """Blocks with references in place of their data, which are written into the file of a part."""
    from puzzlebase.tools.parts.parts import PartReference

    with path.open("wb") as file:
        for block in blocks:
            decoded(table, block)
            reference = PartReference(part, file.tell(), len(block.data))
            file.write(block.data)
            yield replace(block, data=reference.to_bytes(), origin="")
