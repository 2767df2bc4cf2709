"""The reference on the page /docs: the specification in an order for readers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from puzzlebase.service.http.address import SECTIONS, Address

_REF = "#/components/schemas/"
_MAX_INTEGER = 2**53  # every reader of JSON keeps integers up to this one


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


class Operation(NamedTuple):
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
        return self.path.removeprefix("/v1/puzzles/{name}/").removeprefix("/v1/families/{family}/")


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
    addresses: tuple[Operation, ...]


class Reference(NamedTuple):
    """The whole specification, in order."""

    sections: tuple[Section, ...]
    answers: tuple[AnswerType, ...]


def reference_of(spec: Any, addresses: Sequence[Address]) -> Reference:
    """The specification in an order for readers."""
    schemas = spec["components"]["schemas"]
    sections = tuple(
        Section(
            title,
            title.lower().replace(" ", "-"),
            tuple(
                _address(each.path, method.lower(), spec["paths"][each.path][method.lower()], schemas)
                for each in addresses
                if each.section == title
                for method in each.methods
            ),
        )
        for title in SECTIONS
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


def _address(path: str, method: str, operation: Any, schemas: Any) -> Operation:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    statuses = {status: answer for status, answer in sorted(operation["responses"].items()) if status != "default"}
    with_problem = {
        status for status, answer in statuses.items() if "application/problem+json" in answer.get("content", {})
    }
    return Operation(
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
    if schema.get("type") == "array":
        return (Piece("list of "), *_kind(schema["items"]))
    return (Piece(schema.get("format", schema.get("type", "anything"))),)


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
