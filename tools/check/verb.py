"""Say how a definition file is understood."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.puzzles import UnknownPuzzle
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.service.answers import text
from puzzlebase.tools.check.report import NO_TABLE, report

_WORDS = {
    "product": "by rows and columns",
    "group": "as elements of the group of moves",
    "list": "from a list of them",
    "numerals": "one digit for each block of places: too many for a table",
    "met": "by each search as it meets them: too many for numbers of their own",
    "none": "not at all: a state takes too long to write",
}


@click.command()
@click.argument("file", type=options.FILE)
@options.threads
@options.as_json
def verb(file: Path, threads: int, as_json: bool) -> None:
    """Say how a definition of a puzzle is understood: its pieces, moves and states, and what a table would need."""
    try:
        answer = report(DefinitionFile(file), threads)
    except UnknownPuzzle as error:
        complain(error)
        sys.exit(1)
    show(Shown(answer, _lines), as_json)


def _states(answer: dict[str, Any]) -> str:
    """The number of states: exact, about or at most."""
    words = _number(answer["states"])
    if not answer["exact"]:
        return f"at most {words}"
    return words if words.startswith("about") else f"{words}, exactly"


def _numbering(answer: dict[str, Any]) -> str:
    """The numbering of states, and whether each number is that of a state."""
    words = _WORDS[answer["way"]]
    if answer["numbers"] is None:
        return words
    if answer["numbers"] == answer["states"]:
        return f"{words}, without gaps" if answer["exact"] else f"{words}, perhaps with gaps"
    return f"{words}, with gaps: {_number(answer['numbers'])} numbers"


def _number(value: int | str) -> str:
    return f"{int(value):,}" if str(value).isdigit() else str(value)


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    title = f" ({answer['title']})" if answer["title"] not in ("", answer["name"]) else ""
    yield f"{answer['file']} defines {answer['name']}{title}"
    for each in answer["sets"]:
        yield text.fact("set", each)
    yield text.fact("solved", answer["solved"])
    named: list[str] = []
    for metric in answer["metrics"]:
        yield text.fact(metric["name"], f"{len(metric['moves'])} moves: {' '.join(metric['moves'])}")
        if metric["added"] and metric["added"] != named:
            yield text.fact("added", f"{' '.join(metric['added'])}, which the file does not name")
        named = metric["added"]
    for invariant in answer["kept"]:
        yield text.fact("moves keep", invariant)
    yield text.fact("states", _states(answer))
    yield text.fact("numbered", _numbering(answer))
    yield text.fact("table", answer["table"] or NO_TABLE[answer["way"]])
    for name, words in answer["coarser"].items():
        yield text.fact("bounds by", f"{name}: {words}")
    for note in answer["notes"]:
        yield text.fact("note", note)
    if answer["clash"]:
        yield text.fact("clash", f"our own {answer['clash']} has this name: rename the file before you use it")
