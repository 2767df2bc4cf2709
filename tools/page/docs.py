"""The page /docs: the reference, and examples that work in this service; and the site of all documents."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from apiflask import APIFlask
from flask import Blueprint, current_app, render_template, request, send_from_directory
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from puzzlebase.db.errors import MissingTable, TableError
from puzzlebase.puzzles import Puzzle, PuzzleError, all_families, find
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.service import error_status
from puzzlebase.service.answers import lookups, whole_tables
from puzzlebase.service.answers.catalog import of_each
from puzzlebase.service.http import headers
from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.table import as_table
from puzzlebase.tools.page import files, pages
from puzzlebase.tools.page.reference import ApiReference, reference_of

DOCS = Blueprint("docs", __name__, template_folder="templates")

# A Host header that the page's examples may repeat.
_HOST = re.compile(r"[a-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?", re.IGNORECASE)
_BREAKS = re.compile(r"(?<=[/?&=|:])(?=[^\s])|(?=%)")  # where an address or a state may be broken at the end of a line
_CODE = re.compile(r"`([^`]+)`")
_WITH_HYPHEN = re.compile(r"([\w']*-[\w'-]+)")
# The site's theme has a script and styles in its pages.
_OF_THE_SITE = [
    (
        "Content-Security-Policy",
        "default-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    ),
    *pages.PAGE[1:],
    *headers.ASK_AGAIN,
]
# Addresses that need no puzzle, relative to the page.
_ALWAYS = {path: path.removeprefix("/") for path in ("/v1", "/v1/puzzles", "/healthz", "/readyz", "/metrics")}


@DOCS.get("/docs")
def docs() -> Response:
    """The page."""
    host = request.host if _HOST.fullmatch(request.host) else "localhost"
    app: APIFlask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 -- Flask's own name
    families = {family.example: family for family in all_families()}
    page = render_template(
        "docs.html",
        files=pages.folder(),
        **files.footer(),
        documents=pages.documents(),
        base=f"{request.scheme}://{host}{request.script_root}/",
        reference=_reference(app),
        kinds=error_status.EVERY_KIND,
        families=of_each(families, lambda example: (families[example], find(example))),
        examples=_examples(pages.tables_served()).current(),
        always=_ALWAYS,
        address=address,
    )
    return Response(page, headers=[*pages.PAGE, *headers.NO_STORE], content_type="text/html; charset=utf-8")


@DOCS.get("/documents/", defaults={"path": "index.html"})
@DOCS.get("/documents/<path:path>")
def documents(path: str) -> Response:
    """A file of the site of all documents."""
    response = send_from_directory(files.SITE, path)
    response.headers.update(_OF_THE_SITE)
    return response


@lru_cache(1)
def _reference(app: APIFlask) -> ApiReference:
    return reference_of(app.spec, every_address())  # the framework takes 100 ms or more to make it


@DOCS.app_template_filter()
def breakable(text: str) -> Markup:
    """A text without spaces, with places to break it, since a browser breaks words only there."""
    return Markup("<wbr>").join(_BREAKS.split(text))


@DOCS.app_template_filter()
def prose(text: str) -> Markup:
    """A text in which `words` are code. Names with hyphens stay on one line."""
    parts = _CODE.split(text)  # code at the odd places
    code = Markup("<code>{}</code>")
    return Markup().join(code.format(part) if i % 2 else _whole(part) for i, part in enumerate(parts))


def _whole(text: str) -> Markup:
    name = Markup('<span class="whole">{}</span>')
    parts = _WITH_HYPHEN.split(text)  # names at the odd places
    return Markup().join(name.format(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def address(puzzle: str, verb: str = "", **fields: object) -> str:
    """An address of a puzzle, relative to the page."""
    return pages.address(f"v1/puzzles/{puzzle}" + (f"/{verb}" if verb else ""), "/,:", **fields)


class Example(NamedTuple):
    """A puzzle with a file here, and a state of it; with a table one of the farthest."""

    puzzle: Puzzle
    states: int | None
    state: str
    distance: int | None
    farthest: int | None
    moves: list[str]

    def at(self, verb: str, **fields: object) -> str:
        """An address of this puzzle, relative to the page."""
        return address(self.puzzle.name, verb, **fields)

    def links(self) -> dict[str, str]:
        """The links to an example for each GET address that this service can answer about the puzzle."""
        fields: dict[str, dict[str, object]] = {
            "": {},
            "/lookup": {"state": self.state},
            "/solve": {"state": self.state},
            "/hint": {"state": self.state, "level": 3},
            "/picture": {"state": self.state},
        }
        if self.farthest is not None:
            fields |= {"/random": {"percentile": 50, "seed": "docs"}, "/histogram": {}, "/antipodes": {"limit": 10}}
        return {f"/v1/puzzles/{{name}}{verb}": self.at(verb[1:], **given) for verb, given in fields.items()}

    def bodies(self) -> dict[str, tuple[str, str]]:
        """The address here and a body, quoted for a shell, for each POST address."""
        given: dict[str, dict[str, object]] = {
            "lookup": {"states": [self.state, self.puzzle.goals[0].start]},
            "solve": {"state": self.state, "all": 3},
            "hint": {"state": self.state, "level": 2},
            "grade": {"state": self.state, "moves": self.moves[:1]},
        }
        return {
            f"/v1/puzzles/{{name}}/{verb}": (self.at(verb), shlex.quote(json.dumps(body)))
            for verb, body in given.items()
        }


class Examples:
    """One example of each family, made when a file is new and cached while the file exists."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._made: dict[tuple[str, str], Example] = {}

    def current(self) -> list[Example]:
        """The largest puzzle of each family with a table, else with an oracle or layers; without damaged ones."""
        best: dict[str, Example] = {}
        made: dict[tuple[str, str], Example] = {}
        for puzzle in self._tables.stored():
            with suppress(TableError, PuzzleError):
                tag, source = self._known(puzzle)
                made[puzzle.name, tag] = example = self._made.get((puzzle.name, tag)) or _example(puzzle, source)
                best[puzzle.about.family] = max(best.get(puzzle.about.family, example), example, key=_worth)
        self._made = made
        return sorted(best.values(), key=_worth, reverse=True)

    def _known(self, puzzle: Puzzle) -> tuple[str, Source | None]:
        """The digest of a puzzle's file, and its source: None for layers. Raises MissingTable, DamagedTable."""
        try:
            source = self._tables.source(puzzle.name)
        except MissingTable:
            layers = self._tables.layers(puzzle.name)
            if layers is None:  # of another goal
                raise
            return layers.file.digest, None
        return source.origin.tag, source


_examples = lru_cache(1)(Examples)  # of the tables that are served


def _worth(example: Example) -> tuple[int, bool]:
    """The rank of an example: a larger table is better, then an oracle, then layers."""
    return example.states or 0, example.distance is not None


def _example(puzzle: Puzzle, source: Source | None) -> Example:
    if source is None:
        state = puzzle.notation.examples[-1]
        moves = [*played(puzzle.play, state, (move.name for move in puzzle.moves_of(state)))]
        return Example(puzzle, None, state, None, None, moves[:1])
    states, state, farthest = None, puzzle.goals[0].start, None
    if (whole := as_table(source)) and whole.table.info.layers:
        states = whole.table.info.states
        far = whole_tables.antipodes(whole, 0, 1)
        state, farthest = far["states"][0], far["count"]
    found = lookups.lookup(source, state)
    return Example(puzzle, states, state, found["distance"], farthest, [move["move"] for move in found["moves"]][:1])
