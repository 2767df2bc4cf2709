"""The parts of /openapi.json that the framework cannot see: problems, headers, and names for clients."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import TypeAdapter

from puzzlebase.service import error_status

_REF = "#/components/schemas/"
_PROBLEM = {"application/problem+json": {"schema": {"$ref": f"{_REF}Problem"}}}
_FRAMEWORKS = "HTTPError"  # the framework's schema of errors, which are problems here
_OF_FRAMEWORK = {"application/json": {"schema": {"$ref": f"{_REF}{_FRAMEWORKS}"}}}

_HEADERS = {
    "X-Request-ID": "the caller's X-Request-ID, or a new one; the log has it too",
    "ETag": "of all that the answer was made from: ask again with If-None-Match, which costs nothing",
    "Cache-Control": "how long the answer may be kept",
    "Retry-After": "seconds",
}
_IN_PATHS = {"name": "the puzzle's name", "family": "the family's name, or with a variant, as hanoi-nnn"}


def complete(spec: Any) -> Any:
    """Complete the specification with every answer that each address may give."""
    spec = _flat(spec)
    components = spec["components"]
    components["schemas"].pop(_FRAMEWORKS, None)
    components["schemas"]["Problem"] = TypeAdapter(error_status.Problem).json_schema()
    components["headers"] = {
        name: {"description": text, "schema": {"type": "string"}, "required": name in ("X-Request-ID", "Retry-After")}
        for name, text in _HEADERS.items()
    }
    for path in spec["paths"].values():
        for method in path.keys() & {"get", "post"}:
            path[method]["operationId"] = path[method]["operationId"].partition("_")[2]
            _complete_answers(path[method]["responses"], method)
            for parameter in path[method].get("parameters", []):
                if parameter["in"] == "path":
                    parameter["description"] = _IN_PATHS[parameter["name"]]
    return spec


def _complete_answers(answers: dict[str, Any], method: str) -> None:
    always = {400, 408, 413, 503} if method == "post" else {400, 414}
    for status in always | set(map(int, answers)):
        answer = answers.setdefault(str(status), {"description": ""})
        if status >= 400 and answer.get("content", {}) in ({}, _OF_FRAMEWORK):
            meaning = " ".join(kind.meaning for kind in error_status.EVERY_KIND if kind.status == status)
            answer |= {"description": meaning, "content": _PROBLEM}
        if status == 304:
            answer |= {"description": "The caller's copy is still right."}
            answer.pop("content", None)
        cached = ["ETag", "Cache-Control"] if "304" in answers and status in (200, 304) else []
        names = ["X-Request-ID", *cached, *(["Retry-After"] if status == 503 else [])]
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    answers["default"] = {"description": "A problem", "content": _PROBLEM}


def _flat(spec: Any) -> Any:
    """Rename RootModel[LookupAnswer].LookupAnswer to LookupAnswer, and drop what only refers to it."""
    schemas = spec["components"]["schemas"]
    alias = {name: schema["$ref"].removeprefix(_REF) for name, schema in schemas.items() if "$ref" in schema}
    short = {name: alias.get(name, name).rpartition(".")[2] for name in schemas}
    spec["components"]["schemas"] = {short[name]: schema for name, schema in schemas.items() if name not in alias}
    return json.loads(
        re.sub(rf'(?<="{_REF})[^"]+', lambda found: short.get(found[0], found[0]), json.dumps(spec, ensure_ascii=False))
    )
