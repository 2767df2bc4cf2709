"""A page that shows which sticker of a definition is which, and which letter of a state."""

from __future__ import annotations

import re
import webbrowser
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile

from jinja2 import Environment, PackageLoader, StrictUndefined

from puzzlebase.puzzles import Piece, drawing_of
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.service.answers.pictures import svg


def shown_page(file: DefinitionFile) -> str:
    """Write the page to a new file, open it if there is a browser, and return its address."""
    definition, puzzle = file.definition, file.puzzle(file.name)
    goal, texts = puzzle.goal(), Texts(definition)
    ways = {each.name: each.orientations for each in definition.sets}
    width = next(k for k in range(1, 41) if len({name[:k] for name in ways}) == len(ways)) if len(ways) > 1 else 0

    def labelled(piece: Piece) -> Piece | None:
        sticker = re.match(r"(.+)-l([0-9]+)-o([0-9]+)", piece.title)
        if not sticker:
            return None
        dot = f"·{sticker[3]}" if ways[sticker[1]] > 1 else ""
        return replace(piece, label=f"{sticker[1][:width]}{int(sticker[2]) + 1}{dot}", size=9.0)

    layout = drawing_of(puzzle).layout(goal.start, goal)
    letters = [texts.letter(label) for label in definition.labels.tolist()]
    environment = Environment(
        loader=PackageLoader("puzzlebase.tools.check"), undefined=StrictUndefined, autoescape=True
    )
    page = environment.get_template("page.html").render(
        name=file.name,
        picture=svg(replace(layout, pieces=tuple(filter(None, map(labelled, layout.pieces)))), file.name),
        solved=goal.start,
        sets={each.name: letters[definition.places_of(number)] for number, each in enumerate(definition.sets)},
    )
    with NamedTemporaryFile("w", encoding="utf-8", prefix="puzzlebase-", suffix=".html", delete=False) as written:
        written.write(page)
    address = Path(written.name).as_uri()
    webbrowser.open(address)
    return address
