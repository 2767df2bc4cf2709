"""The page /docs: the reference, and examples that work in this service."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple
from urllib.parse import urlencode

from apiflask import APIFlask
from flask import render_template, request
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from puzzlebase.db.errors import MissingTable, TableError
from puzzlebase.puzzles import Family, Puzzle, PuzzleError, all_families, find
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.service import error_status
from puzzlebase.service.answers import lookups, whole_tables
from puzzlebase.service.answers.catalog import of_each
from puzzlebase.service.http import caching, page_files, safety
from puzzlebase.service.http.address import Address
from puzzlebase.service.http.docs_reference import Reference, reference_of
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.source import Source
from puzzlebase.version import VERSION

_HOST = re.compile(r"[a-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?", re.IGNORECASE)
"""A Host header that the page's examples may repeat."""

_BREAKS = re.compile(r"(?<=[/?&=|:])(?=[^\s])|(?=%)")
"""Where an address or a state may be broken at the end of a line."""

_CODE = re.compile(r"`([^`]+)`")
_WITH_HYPHEN = re.compile(r"[\w']*-[\w'-]+")


def add_docs(app: APIFlask, tables: Tables, addresses: Sequence[Address]) -> None:
    """Serve the page."""
    examples = Examples(tables)
    app.jinja_env.filters |= {"breakable": breakable, "prose": prose}

    @cache
    def reference() -> Reference:
        return reference_of(app.spec, addresses)  # the framework takes 100 ms or more to make it

    @app.get("/docs")
    @app.doc(hide=True)
    def docs() -> Response:
        scheme = "https" if request.headers.get("X-Forwarded-Proto") == "https" else request.scheme
        host = request.host if _HOST.fullmatch(request.host) else "localhost"
        page = render_template(
            "docs.html",
            files=page_files.folder(),
            version=VERSION,
            base=f"{scheme}://{host}/",
            reference=reference(),
            kinds=error_status.EVERY_KIND,
            families=_families(),
            examples=examples.current(),
            always=_ALWAYS,
            address=address,
        )
        return Response(page, content_type="text/html; charset=utf-8", headers=[*safety.PAGE, *caching.NO_STORE])


def _families() -> list[tuple[Family, Puzzle]]:
    """Each family with its example."""
    known = {family.example: family for family in all_families()}
    return of_each(known, lambda example: (known[example], find(example)))


def breakable(text: str) -> Markup:
    """A text without spaces, with places to break it: a browser leaves every word in one piece."""
    return Markup("<wbr>").join(_BREAKS.split(text))


def prose(text: str) -> Markup:
    """A text in which `words` are code, and names with hyphens stay on one line."""
    parts = _CODE.split(text)  # code at the odd places
    return Markup().join(
        Markup("<code>{}</code>").format(part) if i % 2 else _whole(part) for i, part in enumerate(parts)
    )


def _whole(text: str) -> Markup:
    names = _WITH_HYPHEN.findall(text)
    between = _WITH_HYPHEN.split(text)
    spans = [Markup('<span class="whole">{}</span>').format(name) for name in names]
    return Markup().join(part for pair in zip(map(escape, between), [*spans, ""], strict=True) for part in pair)


def address(puzzle: str, verb: str = "", **fields: object) -> str:
    """An address of a puzzle, relative to the page."""
    path = f"v1/puzzles/{puzzle}" + (f"/{verb}" if verb else "")
    return f"{path}?{urlencode(fields, safe='/,:')}" if fields else path


class Example(NamedTuple):
    """A puzzle that is answered from a file here, and a state of it: with a table, one of the farthest.

    Numbers that are not known are None.
    """

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
        """A link for each address of a GET that this service can answer about the puzzle."""
        addresses = {
            "": self.at(""),
            "/lookup": self.at("lookup", state=self.state),
            "/solve": self.at("solve", state=self.state),
            "/hint": self.at("hint", state=self.state, level=3),
            "/picture": self.at("picture", state=self.state),
        }
        if self.farthest is not None:
            addresses |= {
                "/random": self.at("random", percentile=50, seed="docs"),
                "/histogram": self.at("histogram"),
                "/antipodes": self.at("antipodes", limit=10),
            }
        return {f"/v1/puzzles/{{name}}{verb}": link for verb, link in addresses.items()}

    def bodies(self) -> dict[str, tuple[str, str]]:
        """For each address of a POST, the link and a body, quoted for a shell."""
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


_ALWAYS = {path: path.removeprefix("/") for path in ("/v1", "/v1/puzzles", "/healthz", "/readyz", "/metrics")}
"""Links that need no puzzle, relative to the page."""


class Examples:
    """One example of each family, made when a file is new and kept as long as the file is there."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._made: dict[tuple[str, str], Example] = {}

    def current(self) -> list[Example]:
        """The largest puzzle of each family that has a table, else one with an oracle or layers; the largest first.

        Damaged files are left out.
        """
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


def _worth(example: Example) -> tuple[int, bool]:
    """How much there is to show: a larger table counts more, then an oracle, then layers."""
    return example.states or 0, example.distance is not None


def _example(puzzle: Puzzle, source: Source | None) -> Example:
    """The example of a puzzle; raises DamagedTable."""
    states = farthest = distance = None
    state = puzzle.goals[0].start if source else puzzle.notation.examples[-1]
    if source and (whole := source.whole):
        states = whole.table.info.states
        far = whole_tables.antipodes(whole, 0, 1)
        state, farthest = far["states"][0], far["count"]
    if source:
        found = lookups.lookup(source, state)
        distance, moves = found["distance"], [move["move"] for move in found["moves"]]
    else:
        moves = [*played(puzzle.play, state, (move.name for move in puzzle.moves))]
    return Example(puzzle, states, state, distance, farthest, moves[:1])
