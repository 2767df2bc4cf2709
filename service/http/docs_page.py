"""The page /docs: the specification in an order for readers, with examples that work in this service."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from apiflask import APIFlask
from flask import redirect, render_template, request
from werkzeug.wrappers import Response

from db import MissingTable, TableError
from puzzles import Puzzle, PuzzleError, families
from service import problems
from service.answers import lookups, pictures, whole_tables
from service.http.version import VERSION
from service.sources.folder import Tables
from service.sources.source import Source
from service.sources.table import OpenTable

_REF = "#/components/schemas/"
_MAX_INTEGER = 2**53  # every reader of JSON keeps integers up to this one

_SECTIONS = {
    "About the service": ("/v1", "/v1/puzzles", "/v1/puzzles/{name}"),
    "About a state": tuple(
        f"/v1/puzzles/{{name}}/{verb}" for verb in ("lookup", "solve", "hint", "grade", "random", "picture")
    ),
    "About a whole table": ("/v1/puzzles/{name}/histogram", "/v1/puzzles/{name}/antipodes"),
    "Health": ("/healthz", "/readyz", "/metrics"),
}
"""The addresses in the order of docs/http-api.md, under its headings."""


def add_docs(app: APIFlask, tables: Tables) -> None:
    """Serve the page, and lead from / to it."""
    examples = Examples(tables)

    @cache
    def reference() -> Reference:
        return reference_of(app.spec)  # the framework makes it anew each time, which takes 100 milliseconds and more

    @app.get("/docs")
    @app.doc(hide=True)
    def docs() -> str:
        scheme = "https" if request.headers.get("X-Forwarded-Proto") == "https" else request.scheme
        return render_template(
            "docs.html",
            version=VERSION,
            base=f"{scheme}://{request.host}/",
            reference=reference(),
            kinds=problems.EVERY_KIND,
            families=families(),
            examples=examples.current(),
            always=_ALWAYS,
        )

    @app.get("/")
    @app.doc(hide=True)
    def root() -> Response:
        return redirect("/docs")


# The reference: what the specification says.


class Piece(NamedTuple):
    """A piece of text, a link where it has an anchor."""

    text: str
    anchor: str = ""


class Field(NamedTuple):
    """A row about a field of an address, a body or an answer."""

    name: str
    note: str
    kind: tuple[Piece, ...]
    limits: str
    meaning: str


class Given(NamedTuple):
    """A status that is no problem, and the content that comes with it."""

    status: str
    what: tuple[Piece, ...]


class Address(NamedTuple):
    """An address and a method."""

    anchor: str
    method: str
    path: str
    description: str
    fields: tuple[Field, ...]
    body: tuple[Field, ...]
    given: tuple[Given, ...]
    problems: tuple[str, ...]

    @property
    def short(self) -> str:
        """The address as the table of contents writes it."""
        return self.path.removeprefix("/v1/puzzles/{name}/")


class AnswerType(NamedTuple):
    """A type of answers or of parts of them: its fields, and where it occurs."""

    name: str
    description: str
    fields: tuple[Field, ...]
    found_in: tuple[Piece, ...]


class Section(NamedTuple):
    """Addresses under one heading."""

    title: str
    anchor: str
    addresses: tuple[Address, ...]


class Reference(NamedTuple):
    """The whole specification, in order."""

    sections: tuple[Section, ...]
    answers: tuple[AnswerType, ...]


def reference_of(spec: Any) -> Reference:
    """The specification in an order for readers."""
    schemas = spec["components"]["schemas"]
    sections = tuple(
        Section(
            title,
            title.lower().replace(" ", "-"),
            tuple(
                _address(path, method, spec["paths"][path][method], schemas)
                for path in paths
                for method in ("get", "post")
                if method in spec["paths"][path]
            ),
        )
        for title, paths in _SECTIONS.items()
    )
    found: dict[str, list[Piece]] = {}
    for address in (address for section in sections for address in section.addresses):
        place = Piece(f"{address.method} {address.short}", address.anchor)
        for piece in (piece for given in address.given for piece in given.what if piece.anchor):
            _find(piece.anchor, place, schemas, found)
    types = (
        AnswerType(name, schemas[name]["description"], _properties(schemas[name]), tuple(places))
        for name, places in found.items()
    )
    return Reference(sections, tuple(types))


def _find(name: str, place: Piece, schemas: Any, found: dict[str, list[Piece]]) -> None:
    """Note a place where a type occurs; the first time, note the same of the types of its fields."""
    first = name not in found
    places = found.setdefault(name, [])
    if place not in places:
        places.append(place)
    if first:
        for field in _properties(schemas[name]):
            for piece in field.kind:
                if piece.anchor:
                    _find(piece.anchor, Piece(name, name), schemas, found)


def _address(path: str, method: str, operation: Any, schemas: Any) -> Address:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    statuses = {status: answer for status, answer in sorted(operation["responses"].items()) if status != "default"}
    with_problem = {
        status for status, answer in statuses.items() if "application/problem+json" in answer.get("content", {})
    }
    return Address(
        anchor=f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}",
        method=method.upper(),
        path=path,
        description=operation["description"],
        fields=tuple(
            _field(
                parameter["name"],
                {"description": parameter.get("description"), **parameter["schema"]},
                required=parameter["required"],
                path=parameter["in"] == "path",
            )
            for parameter in operation.get("parameters", [])
        ),
        body=_properties(schemas[body["$ref"].removeprefix(_REF)], asked=True) if body else (),
        given=tuple(Given(status, _given(answer)) for status, answer in statuses.items() if status not in with_problem),
        problems=tuple(sorted(with_problem)),
    )


def _given(answer: Any) -> tuple[Piece, ...]:
    """The content of a status: a type, a document of another kind, or nothing."""
    for media, content in answer.get("content", {}).items():
        return _kind(content["schema"]) if media == "application/json" else (Piece(media),)
    return (Piece("nothing: the caller's copy is still right"),)


def _properties(schema: Any, *, asked: bool = False) -> tuple[Field, ...]:
    """The fields of an object. In a request the required fields get a note, in an answer the optional ones."""
    return tuple(
        _field(name, field, required=asked and name in schema["required"])
        if asked or name in schema["required"]
        else _field(name, field, note="where asked for")
        for name, field in schema["properties"].items()
    )


def _field(name: str, schema: Any, *, required: bool = False, path: bool = False, note: str = "") -> Field:
    note = note or ("in the path" if path else "required" if required else "")
    return Field(name, note, _kind(schema), ", ".join(_limits(schema)), schema.get("description", ""))


def _kind(schema: Any) -> tuple[Piece, ...]:
    """The type of a value, in pieces with links."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        return (Piece(name, name),)
    if "anyOf" in schema:
        first, *others = [_kind(variant) for variant in schema["anyOf"]]
        return (*first, *(piece for other in others for piece in (Piece(" or "), *other)))
    if schema["type"] == "array":
        return (Piece("list of "), *_kind(schema["items"]))
    return (Piece(schema.get("format", schema["type"])),)


def _limits(schema: Any) -> Iterator[str]:
    """The limits of a value and its default."""
    flat = {key: value for variant in schema.get("anyOf", []) for key, value in variant.items()} | schema
    if limits := _range(flat, "minimum", "maximum"):
        yield limits
    if limits := _range(flat, "minLength", "maxLength"):
        yield f"{limits} characters"
    if limits := _range(flat, "minItems", "maxItems"):
        yield f"{limits} entries"
    if limits := _range(flat.get("items", {}), "minLength", "maxLength"):
        yield f"each {limits} characters"
    if flat.get("default") is not None:
        yield f"default {json.dumps(flat['default'])}"


def _range(schema: Any, lowest: str, highest: str) -> str:
    low, high = schema.get(lowest), schema.get(highest)
    if low is None:
        return "" if high is None else f"at most {_number(high)}"
    return f"at least {_number(low)}" if high is None else f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return "2⁵³" if value == _MAX_INTEGER else f"{value:,}"


# Examples.


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
    picture: str

    def at(self, verb: str, **fields: object) -> str:
        """An address of this puzzle, relative to the page."""
        address = f"v1/puzzles/{self.puzzle.name}" + (f"/{verb}" if verb else "")
        return f"{address}?{urlencode(fields, safe='/,:')}" if fields else address

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
                best[puzzle.family] = max(best.get(puzzle.family, example), example, key=_worth)
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
        return source.tag, source


def _worth(example: Example) -> tuple[int, bool]:
    """How much there is to show: a larger table counts more, then an oracle, then layers."""
    return example.states or 0, example.distance is not None


def _example(puzzle: Puzzle, source: Source | None) -> Example:
    """The example of a puzzle; raises DamagedTable."""
    states = farthest = distance = None
    state = puzzle.goals[0].start if source else puzzle.notation.examples[-1]
    if isinstance(source, OpenTable):
        states = source.table.info.states
        far = whole_tables.antipodes(source, 0, 1)
        state, farthest = far["states"][0], far["count"]
    if source:
        found = lookups.lookup(source, state)
        distance, moves = found["distance"], [move["move"] for move in found["moves"]]
    else:
        moves = [move.name for move in puzzle.moves if _legal(puzzle, state, move.name)]
    return Example(puzzle, states, state, distance, farthest, moves[:1], pictures.drawn(puzzle, state))


def _legal(puzzle: Puzzle, state: str, move: str) -> bool:
    with suppress(PuzzleError):
        return bool(puzzle.play(state, move))
    return False
