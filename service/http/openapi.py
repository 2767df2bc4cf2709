"""The specification of the service, /openapi.json, made of the records of its answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from puzzlebase.service.answers.lookups import Answer
from puzzlebase.service.error_status import EVERY_KIND
from puzzlebase.service.http.models import Described, model_of
from puzzlebase.service.http.responses import Record
from puzzlebase.version import VERSION

_REF = "#/components/schemas/{model}"
_PROBLEM = {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}}
_TEXT = {"type": "string"}
# the statuses that each GET, and each POST, may answer with
_ALWAYS = (400, 414), (400, 408, 413, 503)
_IN_PATHS = {
    "name": "the puzzle's name",
    "family": "the family's name, or with a variant, as hanoi-nnn",
}


def specification(records: Iterable[Record]) -> dict[str, Any]:
    """The specification of these answers."""
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    models: list[Any] = [Described[Answer]]
    for record in records:
        models.append(Described[record.answer])  # type: ignore[name-defined]
        for method in record.methods:
            posted = method == "POST"
            model = model_of(record, posted=posted)
            models += [model] if posted else []
            paths[record.path][method.lower()] = {
                "operationId": record.operation(method),
                "summary": record.title,
                "description": record.sentence,
                "parameters": _parameters(record.path, {} if posted else model.model_json_schema()),
                **({"requestBody": {"content": _json(model)}} if posted else {}),
                "responses": _responses(record, posted=posted),
            }
    _, found = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    about = {
        "title": "Puzzlebase",
        "version": VERSION,
        "description": "Exact distances and best moves of puzzles.",
    }
    components = {"schemas": _completed(found["$defs"])}
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": components}


def _parameters(path: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        *(
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": _TEXT,
                "description": _IN_PATHS[name],
            }
            for name in re.findall(r"{(\w+)}", path)
        ),
        *(
            {
                "name": name,
                "in": "query",
                "required": name in query.get("required", ()),
                "schema": schema,
            }
            for name, schema in query.get("properties", {}).items()
        ),
    ]


def _json(kind: Any) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=kind.__name__)}}}


def _responses(record: Record, *, posted: bool) -> dict[str, Any]:
    """The responses of an operation, by status."""
    given = {record.media: {"schema": _TEXT}} if record.answer is str else _json(record.answer)
    found = {
        status: (_meaning(status), _PROBLEM) for status in (*record.statuses, *_ALWAYS[posted])
    }
    found[200] = "Successful response", given
    if 304 in found:
        found[304] = "The caller's copy is still right.", {}
    found |= {status: (meaning, given) for status, meaning in record.also}
    if posted:
        found.pop(304, None)
    responses = {
        str(status): {"description": meaning} | ({"content": content} if content else {})
        for status, (meaning, content) in found.items()
    }
    return responses | {"default": {"description": "A problem", "content": _PROBLEM}}


def _meaning(status: int) -> str:
    return " ".join(kind.meaning for kind in EVERY_KIND if kind.status == status)


def _completed(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas of types, without those of models that only refer to them.

    Inherited fields are described as in the type that has them first, as pydantic finds no
    docstring of theirs. The default of a body's field is moved into its type: generators of clients
    take a field that has one for required. The default null means that the field is absent.
    """
    kinds = {name: schema for name, schema in schemas.items() if "properties" in schema}
    types = [schema["properties"] for schema in kinds.values()]
    for name, schema in kinds.items():
        if "description" in schema:
            schema["description"] = " ".join(schema["description"].split())
        fields = schema["properties"]
        for word, field in fields.items():
            bases = (
                kind[word]
                for kind in (fields, *types)
                if word in kind and kind.keys() <= fields.keys()
            )
            field["description"] = " ".join(
                next(filter(None, (base.get("description") for base in bases))).split()
            )
            default = field.pop("default", None) if name.endswith("Fields") else None
            if default is not None:
                kind = {key: field.pop(key) for key in field.keys() - {"title", "description"}}
                first, *more = kind.get("anyOf", [kind])
                field["anyOf"] = [first | {"default": default}, *more]
    del kinds["Answer"]
    return kinds
