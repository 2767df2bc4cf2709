"""A page that shows which sticker of a definition is which, and which letter of a state."""

from __future__ import annotations

import re
import webbrowser
from dataclasses import replace
from html import escape
from pathlib import Path
from tempfile import NamedTemporaryFile

from puzzlebase.puzzles import drawing_of
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.service.answers.pictures import svg

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;margin:2rem;max-width:60rem}}svg{{width:100%;max-height:75vh}}</style>
<h1>{name}</h1>
<p>A sticker says {what} its place in the set has, from 1 on as in the file; behind the dot, how far a piece is turned
that shows its first sticker there. Point at one for its id in a drawing.</p>
{picture}<h2>The solved state</h2><p><code>{solved}</code></p><ul>{sets}</ul></html>
"""


def shown_page(file: DefinitionFile) -> str:
    """Write the page to a new file, open it if there is a browser, and return its address."""
    definition, puzzle = file.definition, file.puzzle(file.name)
    goal, texts = puzzle.goal(), Texts(definition)
    ways = {each.name: each.orientations for each in definition.sets}
    names = [*ways]
    width = next(k for k in range(1, 41) if len({name[:k] for name in names}) == len(names))
    layout, pieces = drawing_of(puzzle).layout(goal.start, goal), []
    for piece in layout.pieces:
        if told := re.match(r"(.+)-l([0-9]+)-o([0-9]+)", piece.title):
            name = told[1][:width] if len(names) > 1 else ""
            dot = f"·{told[3]}" if ways[told[1]] > 1 else ""
            pieces.append(replace(piece, label=f"{name}{int(told[2]) + 1}{dot}", size=9.0))
    sets = []
    for number, each in enumerate(definition.sets):
        inside = range(definition.starts[number], definition.starts[number + 1])
        letters = (f"{at} {texts.letter(int(definition.labels[place]))}" for at, place in enumerate(inside, 1))
        sets.append(f"<li>{escape(each.name)}: {escape(', '.join(letters))}</li>")
    what = "the beginning of its set's name and which number" if len(names) > 1 else "which number"
    page = _PAGE.format(
        name=escape(file.name),
        what=what,
        picture=svg(replace(layout, pieces=tuple(pieces)), file.name),
        solved=escape(goal.start),
        sets="".join(sets),
    )
    with NamedTemporaryFile("w", encoding="utf-8", prefix="puzzlebase-", suffix=".html", delete=False) as written:
        written.write(page)
    address = Path(written.name).as_uri()
    webbrowser.open(address)
    return address
