"""A puzzle's methods that answer, made of the records of answers.
`make docs` writes their types beside this file.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from puzzlebase.hooks import load_attribute
from puzzlebase.service.answers import ANSWERS
from puzzlebase.service.answers.record import AnswerRecord

Answer = Mapping[str, Any]


def _method(record: AnswerRecord[..., Any]) -> Callable[..., Any]:
    """The method whose arguments are the fields of a request."""

    def answered(puzzle: Any, *given: Any, **named: Any) -> Any:
        values = fields.bind(*given, **named)
        values.apply_defaults()
        named = {name.removesuffix("_"): value for name, value in values.arguments.items()}
        return puzzle._answered(record, named)  # noqa: SLF001 -- it is a method of the puzzle

    made = signature(record.make)
    own = [
        made.parameters[each.parameter].replace(default=each.default_here)
        for each in record.fields.values()
    ]
    fields = made.replace(parameters=own)
    answered.__name__, answered.__doc__ = record.name, record.make.__doc__
    answered.__signature__ = made.replace(
        parameters=[next(iter(signature(answered).parameters.values())), *own]
    )
    return answered


AnswerMethods = type(
    "AnswerMethods",
    (),
    {name: _method(load_attribute(at)) for name, at in ANSWERS.items() if name != "lookup_batch"},
)
