"""The reference on the page /docs: the specification, ordered for readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from puzzlebase.service.answers.record import AnswerRecord
from puzzlebase.service.http.routes import SECTIONS, section_of

_REF = "#/components/schemas/"
_MAX_INTEGER = 2**53  # every reader of JSON keeps integers up to this one


class Phrase(NamedTuple):
    """A piece of text, which may link to an anchor."""

    text: str
    anchor: str = ""


class Field(NamedTuple):
    """A row about a field of an address, a body or an answer."""

    name: str
    note: str
    kind: tuple[Phrase, ...]
    limits: str
    meaning: str


class Operation(NamedTuple):
    """An address and a method."""

    anchor: str
    method: str
    path: str
    description: str
    fields: list[Field]
    body: list[Field]
    given: dict[str, tuple[Phrase, ...]]  # the content of each status that is no problem
    problems: list[str]

    @property
    def short(self) -> str:
        """The address, shortened for the table of contents."""
        return self.path.removeprefix("/v1/puzzles/{name}/").removeprefix("/v1/families/{family}/")


class AnswerType(NamedTuple):
    """A type of answers or of parts of them."""

    name: str
    description: str
    fields: list[Field]


class ApiReference(NamedTuple):
    """The whole specification, in order: addresses by their heading, and types of answers."""

    sections: dict[str, list[Operation]]
    answers: list[AnswerType]


def reference_of(spec: Any, addresses: Iterable[AnswerRecord[..., Any]]) -> ApiReference:
    """Order the specification for readers."""
    schemas, paths = spec["components"]["schemas"], spec["paths"]
    sections: dict[str, list[Operation]] = {title: [] for title in SECTIONS}
    for path, method, title in ((each.path, method, section_of(each)) for each in addresses for method in each.methods):
        sections[title].append(_operation(path, method, paths[path][method.lower()], schemas))
    named: list[str] = []
    for operation in chain(*sections.values()):
        for kind in operation.given.values():
            _name(kind, schemas, named)
    answers = [AnswerType(name, schemas[name]["description"], _properties(schemas[name])) for name in named]
    return ApiReference(sections, answers)


def _name(kind: Iterable[Phrase], schemas: Any, named: list[str]) -> None:
    """Add the types of a value, and those of their fields, in the order in which a reader meets them."""
    for phrase in kind:
        if phrase.anchor and phrase.anchor not in named:
            named.append(phrase.anchor)
            for field in _properties(schemas[phrase.anchor]):
                _name(field.kind, schemas, named)


def _operation(path: str, method: str, operation: Any, schemas: Any) -> Operation:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    given, problems = {}, []
    for status, answer in sorted(operation["responses"].items()):
        if "application/problem+json" not in answer.get("content", {}):
            given[status] = _given(answer)
        elif status != "default":
            problems.append(status)
    return Operation(
        anchor=f"{method.lower()}{path.replace('/', '-').replace('{', '').replace('}', '')}",
        method=method,
        path=path,
        description=operation["description"],
        fields=[_parameter(each) for each in operation.get("parameters", [])],
        body=_properties(schemas[body["$ref"].removeprefix(_REF)], asked=True) if body else [],
        given=given,
        problems=problems,
    )


def _given(answer: Any) -> tuple[Phrase, ...]:
    """The content of a status: a type, a document of another kind, or nothing."""
    for media, content in answer.get("content", {}).items():
        return _kind(content["schema"]) if media == "application/json" else (Phrase(media),)
    return (Phrase("nothing: the caller's copy is still right"),)


def _parameter(parameter: Any) -> Field:
    note = "in the path" if parameter["in"] == "path" else "required" if parameter["required"] else ""
    return _field(parameter["name"], {"description": parameter.get("description"), **parameter["schema"]}, note)


def _properties(schema: Any, *, asked: bool = False) -> list[Field]:
    """The fields of an object. In a request the required fields get a note, in an answer the optional ones."""
    notes = ("", "required") if asked else ("where it applies", "")
    return [_field(name, field, notes[name in schema["required"]]) for name, field in schema["properties"].items()]


def _field(name: str, schema: Any, note: str) -> Field:
    return Field(name, note, _kind(schema), ", ".join(_limits(schema)), schema.get("description", ""))


def _kind(schema: Any) -> tuple[Phrase, ...]:
    """The type of a value, in phrases that link to types."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        return (Phrase(name, name),)
    if "anyOf" in schema:
        first, *others = [_kind(variant) for variant in schema["anyOf"]]
        return (*first, *(phrase for other in others for phrase in (Phrase(" or "), *other)))
    if schema.get("type") == "array":
        return (Phrase("list of "), *_kind(schema["items"]))
    return (Phrase(schema.get("format", schema.get("type", "anything"))),)


def _limits(schema: Any) -> Iterator[str]:
    flat = {key: value for variant in schema.get("anyOf", []) for key, value in variant.items()} | schema
    for limited, ends, words in (
        (flat, "imum", "{}"),
        (flat, "Length", "{} characters"),
        (flat, "Items", "{} entries"),
        (flat.get("items", {}), "Length", "each {} characters"),
    ):
        if limits := _range(limited.get(f"min{ends}"), limited.get(f"max{ends}")):
            yield words.format(limits)
    if flat.get("default") is not None:
        yield f"default {json.dumps(flat['default'])}"


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return "" if high is None else f"at most {_number(high)}"
    return f"at least {_number(low)}" if high is None else f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return "2⁵³" if value == _MAX_INTEGER else f"{value:,}"
