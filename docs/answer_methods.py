"""Writes puzzlebase/answer_methods.py: a method for each answer about a puzzle, from its record.

python -m docs.answer_methods
"""

from __future__ import annotations

import re
from inspect import Parameter
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from puzzlebase import plugins
from puzzlebase.service.answers import ANSWERS
from puzzlebase.service.answers.limits import MAX_NAME
from puzzlebase.service.answers.record import AnswerRecord, Field

METHODS = Path(__file__).parent.parent / "puzzlebase" / "answer_methods.py"
_LEFT_OUT = {"lookup", "lookup_batch"}
"""A puzzle's own `lookup` and `distances` are faster than these."""
_HEADER = '''\
"""A puzzle's methods that answer, which `make docs` writes from the records of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypeVar

IMPORTS

T = TypeVar("T")
Answer = Mapping[str, Any]
"""The object that HTTP answers with; docs/http-api.md has its fields."""


class AnswerMethods:
    """A method for each answer about a puzzle."""

    def _answered(self, record: AnswerRecord[..., T], given: Mapping[str, Any]) -> T:
        """The answer to fields, which are among other names."""
        raise NotImplementedError
'''


def written() -> str:
    """The whole file."""
    records = {reference: plugins.attribute(reference) for name, reference in ANSWERS.items() if name not in _LEFT_OUT}
    modules = sorted({reference.partition(":")[0].rpartition(".")[2] for reference in records})
    imports = f"from puzzlebase.service.answers import {', '.join(modules)}\n"
    imports += "from puzzlebase.service.answers.pictures import Picture\n"
    imports += "from puzzlebase.service.answers.record import AnswerRecord"
    return _HEADER.replace("IMPORTS", imports) + "".join(_method(record, at) for at, record in records.items())


def _method(record: AnswerRecord[..., Any], reference: str) -> str:
    """A method; a flag and what follows it are given by name."""
    fields = [*record.fields.values()]
    parameters = ["self", *map(_parameter, fields)]
    if flags := [at for at, field in enumerate(fields, 1) if field.kind is bool]:
        parameters.insert(flags[0], "*")
    target = re.sub(r".*\.(\w+):", r"\1.", reference)
    kind = "Answer" if record.media == "application/json" else "Picture"
    listed = "\n        ".join(["", *(f"{parameter}," for parameter in parameters)]) + "\n    "
    head = f"def {record.name}({listed if fields else 'self'}) -> {kind}:"
    return f"\n    {head}\n{_docstring(record, fields)}        return self._answered({target}, locals())\n"


def _parameter(field: Field) -> str:
    default = (field.limits and field.limits.here) or field.default
    return f"{field.name}: {_kind(field)}" + ("" if default is Parameter.empty else f" = {default!r}")


def _kind(field: Field) -> str:
    """The type of a parameter. A text is read where that is not one, and a number may stand for a short text."""
    kinds = get_args(field.kind) if get_origin(field.kind) in (Union, UnionType) else (field.kind,)
    names = [*map(_name, kinds)]
    if field.listed:
        names = [f"Sequence[{' | '.join(names)}]"]
    elif field.limits and field.kind is str and field.limits.high == MAX_NAME:
        names = ["int", *names]
    if field.read:
        names = ["str", *names]
    return " | ".join(dict.fromkeys([*names, *(["None"] if field.optional else [])]))


def _name(kind: Any) -> str:
    if get_origin(kind) is Literal:
        words = ", ".join(f'"{word}"' for word in get_args(kind))
        return f"Literal[{words}]"
    return "None" if kind is NoneType else str(kind.__name__)


def _docstring(record: AnswerRecord[..., Any], fields: list[Field]) -> str:
    if not fields:
        return f'        """{record.sentence}"""\n'
    lines = [
        fill(f"{field.name}: {field.sentence}", 120, initial_indent=" " * 12, subsequent_indent=" " * 16)
        for field in fields
    ]
    return "\n".join([f'        """{record.sentence}', "", "        Args:", *lines, '        """', ""])


if __name__ == "__main__":
    METHODS.write_text(written(), "utf-8")
