"""Compares the tables of a folder with their lines in results.csv, and writes the lines that are
missing: `make results`, or python -m docs.results DATA.

A line that differs is printed, the exit status is 1, and the file stays as it was: whoever knows
that the line is wrong removes it first.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import click

from docs.navigation import ROOT
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import build_command
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.puzzles.discovery import discover_definitions
from puzzlebase.service.sources.folder import Folder

RESULTS = ROOT / "docs" / "results.csv"
EXAMPLES = "examples"
MOST_LAYERS = 4096
"""Layers of a line; of a longer puzzle `puzzlebase histogram` prints them."""

Line = dict[str, str]


def read_lines() -> dict[tuple[str, str], Line]:
    """The lines of the file, by puzzle and goal."""
    with RESULTS.open(encoding="utf-8", newline="") as text:
        return {(line["puzzle"], line["goal"]): line for line in csv.DictReader(text)}


def lines_of(data: Path) -> dict[tuple[str, str], Line]:
    """The line of each table in a folder, by puzzle and goal."""
    files = (file for file in Folder(data).files() if file.is_table)
    lines = [_line(file.puzzle, file.goal, file.path) for file in files]
    return {(line["puzzle"], line["goal"]): line for line in lines}


def _line(puzzle: Puzzle, goal: Goal, path: Path) -> Line:
    with TableFile(path) as file:
        info, digest = file.info, file.digest
    layers = info.layers if len(info.layers) <= MOST_LAYERS else ()
    command = build_command(puzzle.name, goal.name if goal.name != puzzle.goal().name else "")
    if (ROOT / EXAMPLES / f"{puzzle.name}.tws").exists():
        command = command.replace("puzzlebase", f"puzzlebase --puzzles {EXAMPLES}")
    return {
        "puzzle": puzzle.name,
        "goal": goal.name,
        "metric": puzzle.notation.moves,
        "states": str(info.states),
        "gods_number": str(info.gods_number),
        "layers": " ".join(map(str, layers)),
        "digest": digest,
        "command": command,
    }


def write_lines(lines: dict[tuple[str, str], Line]) -> None:
    """Write lines in order, in place of the file."""
    with RESULTS.open("w", encoding="utf-8", newline="") as text:
        columns = [*next(iter(lines.values()))]
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(line for _, line in sorted(lines.items()))


def main(data: Path) -> int:
    """Compare a folder's tables, write the lines that are missing, and return the exit status."""
    known, built = read_lines(), lines_of(data)
    different = [key for key, line in built.items() if known.get(key, line) != line]
    for key in different:
        click.echo(f"{key} differs:\n  {known[key]}\n  {built[key]}")
    missing = built.keys() - known.keys()
    if not different:
        write_lines(built | known)
    click.echo(f"{len(built)} tables: {len(missing)} new lines, {len(different)} different")
    return 1 if different else 0


if __name__ == "__main__":
    discover_definitions(ROOT / EXAMPLES)
    sys.exit(main(Path(sys.argv[1])))
