"""The page /docs: the reference, and examples that work in this service; and the site of all documents."""

from __future__ import annotations

import json
import re
import shlex
from functools import lru_cache
from typing import NamedTuple

from flask import Blueprint, current_app, render_template, request, send_from_directory
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from puzzlebase.plugins.page import files, pages
from puzzlebase.plugins.page.reference import ApiReference, reference_of
from puzzlebase.puzzles import Puzzle, all_families, find
from puzzlebase.service import error_status
from puzzlebase.service.answers.catalog import of_each, puzzle_list
from puzzlebase.service.http import headers
from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.http.app import App
from puzzlebase.service.sources.sources import Sources

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
    app: App = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 -- Flask's own name
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
        example=_example(pages.sources_served()),
        always=_ALWAYS,
        address=address,
        quoted=lambda body: shlex.quote(json.dumps(body)),
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
def _reference(app: App) -> ApiReference:
    return reference_of(app.spec, every_address())


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
    """A puzzle with a table here, one of its states, and a move."""

    puzzle: Puzzle
    states: int
    state: str
    move: str

    def at(self, verb: str, **fields: object) -> str:
        """An address of this puzzle, relative to the page."""
        return address(self.puzzle.name, verb, **fields)


def _example(sources: Sources) -> Example | None:
    """The largest puzzle with a table; None if there is none."""
    tables = [each for each in puzzle_list(sources)["puzzles"] if each["coverage"] == "table"]
    if not tables:
        return None
    known = max(tables, key=lambda each: each["states"] or 0)
    puzzle = find(known["name"])
    state = puzzle.notation.examples[-1]
    move = next(iter(puzzle.played(state, [move.name for move in puzzle.moves_of(state)])), "")
    return Example(puzzle, known["states"] or 0, state, move)
