"""Say how a definition file is understood."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.puzzles import UnknownPuzzle, all_families
from puzzlebase.service.answers import text

_WAYS = {
    "product": "by rows and columns",
    "group": "as elements of the group of moves",
    "list": "from a list of them",
    "numerals": "one digit for each block of places: too many for a table",
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
        "states": count.states if count.readable else count.words,
        "exact": count.exact,
        "way": found.way,
        "numbers": found.numbers,
        "coarser": found.coarser,
        "notes": found.notes,
        "table": _estimate(read, found.way, threads),
        "clash": next(
            (family.title for family in all_families() if family.pattern.fullmatch(read.name) and family.place < 200),
            None,
        ),
    }
    show(Shown(answer, _lines), as_json)


def _estimate(read: Any, way: str, threads: int) -> str | None:
    """The needs of a table of the first puzzle, in words, and whether they fit; None if it can have no table."""
    if way in _NO_TABLE:
        return None
    from puzzlebase.builder.preflight import Shortage, estimate_table

    puzzle = read.puzzle(read.name)
    estimate = estimate_table(puzzle.space(puzzle.goal()), Path("data", "table"), threads)
    try:
        estimate.check(read.name)
    except Shortage:
        return f"{estimate.needs}; this does not fit here"
    return estimate.needs


def _states(answer: dict[str, Any]) -> str:
    """The number of states: exact, about or at most."""
    words = _number(answer["states"])
    if not answer["exact"]:
        return f"at most {words}"
    return words if words.startswith("about") else f"{words}, exactly"


def _numbering(answer: dict[str, Any]) -> str:
    """The numbering of states, and whether each number is that of a state."""
    way = _WAYS[answer["way"]]
    if answer["numbers"] is None:
        return way
    if answer["numbers"] == answer["states"]:
        return f"{way}, without gaps" if answer["exact"] else f"{way}, perhaps with gaps"
    return f"{way}, with gaps: {_number(answer['numbers'])} numbers"


def _number(value: int | str) -> str:
    return f"{int(value):,}" if str(value).isdigit() else str(value)


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    title = f" ({answer['title']})" if answer["title"] not in ("", answer["name"]) else ""
    yield f"{answer['file']} defines {answer['name']}{title}"
    for each in answer["sets"]:
        yield text.fact("set", each)
    yield text.fact("solved", answer["solved"])
    said: list[str] = []
    for metric in answer["metrics"]:
        yield text.fact(metric["name"], f"{len(metric['moves'])} moves: {' '.join(metric['moves'])}")
        if metric["added"] and metric["added"] != said:
            yield text.fact("added", f"{' '.join(metric['added'])}, which the file does not name")
        said = metric["added"]
    for kept in answer["kept"]:
        yield text.fact("moves keep", kept)
    yield text.fact("states", _states(answer))
    yield text.fact("numbered", _numbering(answer))
    yield text.fact("table", answer["table"] or _NO_TABLE[answer["way"]])
    for name, words in answer["coarser"].items():
        yield text.fact("bounds by", f"{name}: {words}")
    for note in answer["notes"]:
        yield text.fact("note", note)
    if answer["clash"]:
        yield text.fact("clash", f"our own {answer['clash']} has this name: rename the file before you use it")
