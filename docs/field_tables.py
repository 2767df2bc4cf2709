"""Write the tables of fields in docs/http-api.md from the OpenAPI specification: `make docs`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from puzzlebase.plugins.page.reference import ApiReference, Field, Operation, reference_of
from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.http.openapi import specification

PAGE = Path(__file__).with_name("http-api.md")

_FIELDS = re.compile(r"(?<=\n)### (?P<address>\w+ \S+)\n\n(?P<table>(?:\|.*\n)*\n?)")
_TYPES = re.compile(r"(?<=\n## Types\n\n).*", re.DOTALL)


def written(page: str) -> str:
    """The page with its tables made anew: below each address what it takes, and in "Types" what answers consist of."""
    spec = specification(every_address())
    found = reference_of(spec, every_address())
    addresses = {f"{address.method} {address.path}": address for part in found.sections.values() for address in part}

    def with_table(heading: re.Match[str]) -> str:
        return f"### {heading['address']}\n\n{_asked(addresses[heading['address']])}"

    common = set(spec["components"]["schemas"]["LookupAnswer"]["properties"]) - {"moves"}
    return _TYPES.sub(lambda _: _types(found, common), _FIELDS.sub(with_table, page))


def _asked(address: Operation) -> str:
    """A row for each field, those of the path first, and for what comes back."""
    fields = [*address.fields, *address.body]
    rows = [(f"`{field.name}`", _kind(field), _meaning(field)) for field in fields]
    given = "".join(map(_linked, next(iter(address.given.values()))))
    return _table((*rows, ("*answer*", given, address.description)))


def _types(found: ApiReference, common: set[str]) -> str:
    """Every type of answer; the fields that all answers about a state have are listed with the first of them."""
    parts = []
    listed = False
    for answer in found.answers:
        fields = answer.fields
        header = ""
        if common <= {field.name for field in fields}:
            if listed:
                fields = [field for field in fields if field.name not in common]
                header = "The common fields of [LookupAnswer](#lookupanswer), and:\n\n"
            listed = True
        rows = ((f"`{field.name}`", _kind(field), _meaning(field)) for field in fields)
        parts.append(f"### {answer.name}\n\n{answer.description}\n\n{header}{_table(rows)}")
    return "".join(parts).rstrip() + "\n"


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    lines = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)
    return "| field | kind | meaning |\n|---|---|---|\n" + "".join(lines) + "\n"


def _kind(field: Field) -> str:
    kind = "".join(map(_linked, field.kind))
    return f"{kind}, {field.limits}" if field.limits else kind


def _linked(phrase: Any) -> str:
    return f"[{phrase.text}](#{phrase.text.lower()})" if phrase.anchor else str(phrase.text)


def _meaning(field: Field) -> str:
    return f"*{field.note}*: {field.meaning}" if field.note and field.meaning else field.meaning or f"*{field.note}*"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
