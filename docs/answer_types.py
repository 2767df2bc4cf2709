"""Writes the types of answers in page/static/puzzlebase.d.ts, from the specification.

python -m docs.answer_types
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from puzzlebase.hooks import load_attribute
from puzzlebase.service.answers import ANSWERS, catalog
from puzzlebase.service.http.openapi import specification

TYPES = Path(__file__).parent.parent / "page" / "static" / "puzzlebase.d.ts"
_WRITTEN = re.compile(
    r"(?<=Count = number \| string;\n).*(?=/\*\* What every answer about a state has)", re.DOTALL
)
_NAMES = {
    "SolveAnswer": "Solution",
    "PuzzleSummary": "Summary",
    "Puzzles": "Catalog",
    "PuzzleAnswer": "About",
}


def written(page: str) -> str:
    """The file with the types of the answers about puzzles, and of their parts, made anew."""
    records = [catalog.puzzle_list, catalog.catalog_entry, *map(load_attribute, ANSWERS.values())]
    schemas = specification(records)["components"]["schemas"].items()
    types = (_written(*each) for each in schemas if not re.search("Fields|Batch|Problem", each[0]))
    return _WRITTEN.sub(lambda _: "".join(types), page)


def _written(kind: str, schema: Any) -> str:
    fields = (
        f"    /** {field['description']} */\n    "
        f"{name}{'' if name in schema['required'] else '?'}: {_type(field)};\n"
        for name, field in schema["properties"].items()
    )
    return f"export type {_name(kind)} = {{\n{''.join(fields)}}};\n"


def _name(schema: str) -> str:
    return _NAMES.get(schema, schema.removesuffix("Answer"))


def _type(schema: Any) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"])).replace("number | string", "Count")
    if schema["type"] == "array":
        return f"Array<{_type(schema['items'])}>"
    if schema["type"] == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return str(schema["type"]).replace("integer", "number")


if __name__ == "__main__":
    TYPES.write_text(written(TYPES.read_text("utf-8")), "utf-8")
