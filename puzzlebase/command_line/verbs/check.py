"""Say how a definition file is understood."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.puzzles import UnknownPuzzle, families
from puzzlebase.service.answers import text

_WAYS = {
    "product": "by rows and columns, all that these parities and sums allow",
    "group": "as elements of the group of moves, without gaps",
    "list": "from a list of them, without gaps",
    "numerals": "one digit for each block of places, with gaps: too many for a table",
    "met": "by each search as it meets them: too many for numbers of their own",
    "none": "not at all: a state takes too long to write",
}
_NO_TABLE = {
    "numerals": "none; a search answers, or gives a lower bound",
    "met": "none; a search answers, or gives a lower bound",
    "none": "none, and no search; it can be played and drawn",
}


@click.command()
@click.argument("file", type=options.FILE)
@options.threads
@options.as_json
def verb(file: Path, threads: int, as_json: bool) -> None:
    """Say how a definition of a puzzle is understood: its pieces, moves and states, and what a table would need."""
    from puzzlebase.puzzles.definitions.folder import DefinitionFile
    from puzzlebase.puzzles.definitions.report import report

    read = DefinitionFile(file)
    try:
        found = report(read)
    except UnknownPuzzle as error:
        complain(error)
        sys.exit(1)
    count = found.count
    answer = {
        "file": str(file),
        "name": read.name,
        "title": read.definition.title,
        "sets": found.sets,
        "metrics": [metric._asdict() for metric in found.metrics],
        "solved": found.solved,
        "kept": found.kept,
        "states": count.states if count.states < 1 << 53 else count.words.replace(",", ""),
        "exact": count.exact,
        "way": found.way,
        "coarser": found.coarser,
        "notes": found.notes,
        "table": _estimate(read, found.way, threads),
        "clash": next(
            (family.title for family in families() if family.pattern.fullmatch(read.name) and family.place < 200), None
        ),
    }
    show(Shown(answer, _lines), as_json)


def _estimate(read: Any, way: str, threads: int) -> str | None:
    """What a table of the first puzzle needs, in words; None where there can be none."""
    if way in _NO_TABLE:
        return None
    from puzzlebase.builder.preflight import estimate_table

    puzzle = read.puzzle(read.name)
    return estimate_table(puzzle.space(puzzle.goal()), Path("data", "table"), threads).describe()


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    title = f" ({answer['title']})" if answer["title"] not in ("", answer["name"]) else ""
    yield f"{answer['file']} defines {answer['name']}{title}"
    for each in answer["sets"]:
        yield text.fact("set", each)
    yield text.fact("solved", answer["solved"])
    for metric in answer["metrics"]:
        yield text.fact(metric["name"], f"{len(metric['moves'])} moves: {' '.join(metric['moves'])}")
        if metric["added"]:
            yield text.fact("added", f"{' '.join(metric['added'])}, which the file does not name")
    for kept in answer["kept"]:
        yield text.fact("moves keep", kept)
    states = f"{answer['states']:,}" if isinstance(answer["states"], int) else answer["states"]
    yield text.fact("states", f"{states}, exactly" if answer["exact"] else f"at most {states}")
    yield text.fact("numbered", _WAYS[answer["way"]])
    yield text.fact("table", answer["table"] or _NO_TABLE[answer["way"]])
    for name, words in answer["coarser"].items():
        yield text.fact("bounds by", f"{name}: {words}")
    for note in answer["notes"]:
        yield text.fact("note", note)
    if answer["clash"]:
        yield text.fact("clash", f"our own {answer['clash']} has this name: rename the file before you use it")
