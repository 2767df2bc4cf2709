"""Write the tables of fields in docs/http-api.md, and docs/http-types.md, from the OpenAPI
specification: `make docs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Template

from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.http.openapi import specification

PAGE = Path(__file__).with_name("http-api.md")
TYPES = PAGE.with_name("http-types.md")
TABLES = PAGE.with_name("field_tables.txt")

_FIELDS = re.compile(r"(?<=\n)### (?P<method>\w+) (?P<path>\S+)\n\n(?P<table>(?:\|.*\n)*\n?)")
_TYPES = re.compile(r"(?<=\n## Types\n\n).*", re.DOTALL)
_MAX_INTEGER = 2**53  # every reader of JSON keeps integers up to this one


def written(page: str, types: str) -> tuple[str, str]:
    """Both pages with their tables made anew: below each address what it takes,
    and each type of answer.
    """
    addresses = [(each.path, method) for each in every_address() for method in each.methods]
    spec: Any = specification(every_address())
    schemas, paths = spec["components"]["schemas"], spec["paths"]
    operations = {(path, method): paths[path][method.lower()] for path, method in addresses}
    template = Template(TABLES.read_text("utf-8"), trim_blocks=True)
    tables: Any = template.make_module({"kind": _kind, "limits": _limits})

    def with_table(heading: re.Match[str]) -> str:
        table = tables.asked(operations[heading["path"], heading["method"]], schemas)
        return f"### {heading['method']} {heading['path']}\n\n{table}"

    of_types = tables.types(schemas).rstrip() + "\n"
    return _FIELDS.sub(with_table, page), _TYPES.sub(lambda _: of_types, types)


def _kind(schema: Any) -> str:
    """The type of a value, with links to types of ours."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
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
