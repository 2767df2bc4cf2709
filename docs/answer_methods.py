"""Writes puzzlebase/answer_methods.pyi:
the type of the method for each answer about a puzzle, from its record.

python -m docs.answer_methods
"""

from __future__ import annotations

from inspect import Parameter
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from puzzlebase import hooks
from puzzlebase.service.answers import ANSWERS
from puzzlebase.service.answers.limits import MAX_NAME
from puzzlebase.service.answers.record import AnswerRecord, Field

METHODS = Path(__file__).parent.parent / "puzzlebase" / "answer_methods.pyi"
_LEFT_OUT = {"lookup", "lookup_batch"}
"""A puzzle's own `lookup` and `distances` are faster than these."""
_HEADER = '''\
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from puzzlebase.service.answers.pictures import Picture

Answer = Mapping[str, Any]
"""The object that HTTP answers with; docs/http-types.md has its fields."""

class AnswerMethods:
    """A method for each answer about a puzzle."""
'''


def written() -> str:
    """The whole file."""
    records = (
        hooks.load_attribute(reference)
        for name, reference in ANSWERS.items()
        if name not in _LEFT_OUT
    )
    return _HEADER + "".join(map(_method, records))


def _method(record: AnswerRecord[..., Any]) -> str:
    """A method; a flag and what follows it are given by name."""
    fields = [*record.fields.values()]
    parameters = ["self", *map(_parameter, fields)]
    if flags := [at for at, field in enumerate(fields, 1) if field.kind is bool]:
        parameters.insert(flags[0], "*")
    kind = "Answer" if record.media == "application/json" else "Picture"
    listed = "\n        ".join(["", *(f"{parameter}," for parameter in parameters)]) + "\n    "
    head = f"def {record.name}({listed if fields else 'self'}) -> {kind}:"
    return f"\n    {head}\n{_docstring(record, fields)}"


def _parameter(field: Field) -> str:
    default = field.default_here
    return f"{field.parameter}: {_kind(field)}" + (
        "" if default is Parameter.empty else f" = {default!r}"
    )


def _kind(field: Field) -> str:
    """The type of a parameter. A text is read where that is not one,
    and a number may stand for a short text.
    """
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
        fill(
            f"{field.parameter}: {field.sentence}",
            100,
            initial_indent=" " * 12,
            subsequent_indent=" " * 16,
        )
        for field in fields
    ]
    return "\n".join(
        [f'        """{record.sentence}', "", "        Args:", *lines, '        """', ""]
    )


if __name__ == "__main__":
    METHODS.write_text(written(), "utf-8")
