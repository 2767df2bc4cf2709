"""All levels of a folder of Boxoban in figures, in pushes and in moves, each of them certified.

`python -m research.boxoban boxoban-levels/hard hard.csv`, at the top of the project. The file gets
a line as soon as a level is done, so that a program that was ended goes on there. In the end the
distribution is printed.
"""

from __future__ import annotations

import csv
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from puzzlebase.plugins.levels.files import Level, levels_of_files
from puzzlebase.plugins.levels.report import report
from research.boxoban.distribution import distribution

METRICS = "pushes", "moves"
FIGURES = "par", "states", "lost", "lost_share", "best_first_moves", "problem"
COLUMNS = "counts", "file", "level", "sha256", *FIGURES
_DIGITS = 16


def levels_by_metric(folder: Path) -> Iterator[tuple[str, Level]]:
    """The levels of a folder's files in their order, in pushes and then in moves."""
    for counts in METRICS:
        for path in sorted(folder.glob("*.txt")):
            levels, problems = levels_of_files(path)
            if problems:
                raise ValueError(problems)
            for level in levels:
                level.text.words.values["counts"] = counts, 0
                yield counts, level


def hash_of(level: Level) -> str:
    """The first digits of the SHA-256 of the level's rows, joined by line ends."""
    rows = "\n".join(level.text.start.rows)
    return hashlib.sha256(rows.encode()).hexdigest()[:_DIGITS]


def whole_lines(results: Path) -> list[list[str]]:
    """The lines of a file of results; a last line that was cut off is taken away."""
    results.touch()
    content = results.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    os.truncate(results, len(whole))
    return [*csv.reader(whole.decode().splitlines())]


def compute(folder: Path, results: Path) -> None:
    """Write a line for each level and metric that has none yet."""
    written = whole_lines(results)
    finished = {tuple(line[: -len(FIGURES)]) for line in written}
    with results.open("a", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        if not written:
            lines.writerow(COLUMNS)
        for counts, level in levels_by_metric(folder):
            key = counts, level.path.name, level.title, hash_of(level)
            if key not in finished:
                figures = report(level, threads=1)
                lines.writerow([*key, *(getattr(figures, name) for name in FIGURES)])
                file.flush()


def main(folder: Path, results: Path) -> None:
    """Compute what is missing, and print the distribution."""
    compute(folder, results)
    lines = results.read_text("utf-8").splitlines()
    print(*distribution(csv.DictReader(lines)), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
