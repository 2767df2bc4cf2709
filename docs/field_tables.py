"""Write the tables of fields in docs/http-api.md, and docs/http-types.md, from the OpenAPI
specification: `make docs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.http.openapi import specification

PAGE = Path(__file__).with_name("http-api.md")
TYPES = PAGE.with_name("http-types.md")

_FIELDS = re.compile(r"(?<=\n)### (?P<method>\w+) (?P<path>\S+)\n\n(?P<table>(?:\|.*\n)*\n?)")
_TYPES = re.compile(r"(?<=\n## Types\n\n).*", re.DOTALL)
_MAX_INTEGER = 2**53  # every reader of JSON keeps integers up to this one

Row = tuple[str, str, str]


def written(page: str, types: str) -> tuple[str, str]:
    """Both pages with their tables made anew: below each address what it takes,
    and each type of answer.
    """
    addresses = [(each.path, method) for each in every_address() for method in each.methods]
    spec: Any = specification(every_address())
    schemas, paths = spec["components"]["schemas"], spec["paths"]
    operations = {(path, method): paths[path][method.lower()] for path, method in addresses}

    def with_table(heading: re.Match[str]) -> str:
        table = _asked(operations[heading["path"], heading["method"]], schemas)
        return f"### {heading['method']} {heading['path']}\n\n{table}"

    return _FIELDS.sub(with_table, page), _TYPES.sub(lambda _: _types(schemas), types)


def _asked(operation: Any, schemas: Any) -> str:
    """A row for each field, those of the path first, and for what comes back."""
    rows = [_parameter(each) for each in operation["parameters"]]
    if "requestBody" in operation:
        rows += _rows(
            schemas[_name_of(operation["requestBody"]["content"]["application/json"]["schema"])],
            asked=True,
        )
    ((media, content),) = operation["responses"]["200"]["content"].items()
    # for a text its media type
    answer = _kind(content["schema"]) if media == "application/json" else media
    described = answer.replace("(#", f"({TYPES.name}#"), operation["description"]
    return _table([*rows, ("*answer*", *described)])


def _types(schemas: Any) -> str:
    """Every type of answer, by name."""
    parts = (
        f"### {name}\n\n{schema['description']}\n\n{_table(_rows(schema, asked=False))}"
        for name, schema in sorted(schemas.items())
        if not name.endswith("Fields")
    )
    return "".join(parts).rstrip() + "\n"


def _rows(schema: Any, *, asked: bool) -> list[Row]:
    """The fields of an object. In a request the required fields get a note,
    in an answer the optional ones.
    """
    notes = ("", "required") if asked else ("where it applies", "")
    return [
        _row(name, field, notes[name in schema["required"]])
        for name, field in schema["properties"].items()
    ]


def _parameter(parameter: Any) -> Row:
    note = (
        "in the path" if parameter["in"] == "path" else "required" if parameter["required"] else ""
    )
    return _row(
        parameter["name"],
        {"description": parameter.get("description"), **parameter["schema"]},
        note,
    )


def _row(name: str, schema: Any, note: str) -> Row:
    words = filter(None, (note and f"*{note}*", schema.get("description")))
    return f"`{name}`", ", ".join([_kind(schema), *_limits(schema)]), ": ".join(words)


def _table(rows: Iterable[Row]) -> str:
    lines = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)
    return "| field | kind | meaning |\n|---|---|---|\n" + "".join(lines) + "\n"


def _name_of(schema: Any) -> str:
    name: str = schema["$ref"].rpartition("/")[2]
    return name


def _kind(schema: Any) -> str:
    """The type of a value, with links to types of ours."""
    if "$ref" in schema:
        name = _name_of(schema)
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    kind: str = schema.get("format", schema.get("type", "anything"))
    return kind


def _limits(schema: Any) -> Iterator[str]:
    flat = {
        key: value for variant in schema.get("anyOf", []) for key, value in variant.items()
    } | schema
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


if __name__ == "__main__":
    page, types = written(PAGE.read_text("utf-8"), TYPES.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")
    TYPES.write_text(types, "utf-8")
