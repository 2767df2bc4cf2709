"""Pydantic's models of requests and answers,
made of the fields of records. Only HTTP needs pydantic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import Parameter
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    WithJsonSchema,
    create_model,
    model_validator,
)

from puzzlebase.errors import did_you_mean, shorten
from puzzlebase.service.answers import record
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.exact_json import LARGEST_NUMBER

T = TypeVar("T")


class Described(RootModel[T]):
    """An answer whose fields are described below them;
    /openapi.json makes its schema when it is asked for.
    """

    model_config = ConfigDict(use_attribute_docstrings=True, defer_build=True)


class _Fields(BaseModel):
    """The fields of a request."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: dict[str, Any]) -> dict[str, Any]:
        for name in given:
            if name not in cls.model_fields:
                meant = did_you_mean(name, cls.model_fields)
                raise InvalidRequest(
                    f"there is no field {shorten(name)!r}", f"{meant}/docs lists all fields"
                )
        return given


def model_of(asked: record.AnswerRecord[..., Any], *, posted: bool) -> type[BaseModel]:
    """The model of a query, or of a body: this has lists too,
    and its numbers are numbers of JSON.
    """
    fields = [*record.COMMON.get(asked.subject, ()), *asked.fields.values()]
    kind = "Body" if posted and "GET" in asked.methods else ""
    described: dict[str, Any] = {
        field.name: _described(field) for field in fields if posted or not field.listed
    }
    return create_model(
        f"{asked.name.rpartition('_')[2].capitalize()}{kind}Fields",
        __base__=_Fields,
        __doc__=asked.sentence,
        __cls_kwargs__={"strict": posted},
        **described,
    )


def _described(field: record.Field) -> tuple[Any, Any]:
    """The type of a field, and its description with the default."""
    kind, ends = field.kind, dict[str, Any]()
    for limit in _limits(kind, field.limits) if field.limits else ():
        kind = Annotated[kind, limit]
    if field.listed:
        kind = list[kind]  # type: ignore[valid-type]
        low, high = field.listed.low, field.listed.high
        # Responder refuses a longer one
        ends = {**({"minItems": low} if low else {}), "maxItems": high}
    default = ... if field.default is Parameter.empty else field.default
    described = Field(default, description=field.sentence, json_schema_extra=ends or None)
    return kind | None if field.optional else kind, described


def _limits(kind: Any, limits: record.Within) -> Iterator[Any]:
    """Limits in pydantic's words."""
    if kind is str:
        yield Field(max_length=limits.high)
    elif kind in (int, float):
        yield Field(ge=limits.low, le=limits.high)
    if limits.read:
        yield BeforeValidator(limits.read)
    if limits.high > LARGEST_NUMBER:
        number = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
        digits = {"type": "string", "pattern": f"^[0-9]{{1,{len(str(limits.high)) - 1}}}$"}
        yield BeforeValidator(_decimal)
        yield WithJsonSchema({"anyOf": [number, digits]})


def _decimal(value: object) -> object:
    """The integer of a decimal string, JSON's form above 2^53; any other value unchanged."""
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,99}", value) else value
