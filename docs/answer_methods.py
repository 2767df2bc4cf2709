"""Writes puzzlebase/answer_methods.pyi:
the type of the method for each answer about a puzzle, from its record.

python -m docs.answer_methods
"""

from __future__ import annotations

from functools import partial
from inspect import Parameter
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from jinja2 import Environment

from puzzlebase import hooks
from puzzlebase.service.answers import ANSWERS
from puzzlebase.service.answers.limits import MAX_NAME
from puzzlebase.service.answers.record import Field

METHODS = Path(__file__).parent.parent / "puzzlebase" / "answer_methods.pyi"
TEMPLATE = Path(__file__).with_suffix(".txt")
_LEFT_OUT = {"lookup", "lookup_batch"}
"""A puzzle's own `lookup` and `distances` are faster than these."""


def written() -> str:
    """The whole file."""
    records = (
        hooks.load_attribute(reference)
        for name, reference in ANSWERS.items()
        if name not in _LEFT_OUT
    )
    template = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # noqa: S701 -- it is text
    return template.from_string(TEMPLATE.read_text("utf-8")).render(
        records=records,
        bool=bool,
        parameter=_parameter,
        fill=partial(fill, width=100, initial_indent=" " * 12, subsequent_indent=" " * 16),
    )


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


if __name__ == "__main__":
    METHODS.write_text(written(), "utf-8")
