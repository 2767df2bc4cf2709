"""An address as one record, which makes its routes for GET and for POST, /openapi.json and /docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from apiflask import APIFlask
from flask import Response
from pydantic import BaseModel, ConfigDict, RootModel, create_model

from puzzlebase.service.http.responses import Responder

T = TypeVar("T")
SERVICE, STATE, TABLE = "About the service", "About a state", "About a whole table"
FAMILY, HEALTH = "About a family", "Health"
SECTIONS = (SERVICE, STATE, TABLE, FAMILY, HEALTH)  # the headings of addresses in /docs, in this order


@dataclass(frozen=True)
class Address:
    """An address, and the function that makes its answers."""

    path: str  # as documents write it, such as /v1/puzzles/{name}/solve
    operation: str  # its name in /openapi.json; with _posted for POST where GET has it too
    make: Callable[..., Response]  # of the responder, the fields and, as keywords, the parameters of the path
    fields: type[BaseModel]  # in a GET's query or a POST's body; where both are, a body has numbers of JSON
    answer: Any  # the type of the JSON; None if `described` has the answer
    section: str  # one of SECTIONS
    summary: str
    description: str
    statuses: tuple[int, ...] = ()  # beside 200 and those that every address may answer with; 304 is GET's alone
    methods: tuple[str, ...] = ("GET",)
    described: Mapping[int, Any] = field(default_factory=dict)  # other answers, by status, as OpenAPI describes them


class _Described(RootModel[T]):
    """An answer whose fields are described below them; /openapi.json makes its schema when it is asked for."""

    model_config = ConfigDict(use_attribute_docstrings=True, defer_build=True)


def serve(app: APIFlask, address: Address, responder: Responder) -> None:
    """Add the routes of an address to the app."""
    for method in address.methods:
        posted = method == "POST"
        fields, name = address.fields, address.operation
        if posted and "GET" in address.methods:
            fields, name = _in_body(fields), f"{name}_posted"
        view: Callable[..., Response] = app.doc(
            summary=address.summary,
            description=address.description,
            responses={
                **{status: "" for status in address.statuses if not (posted and status == 304)},
                **address.described,
            },
        )(_view(address, responder))
        if address.answer is not None:
            view = app.output(_Described[address.answer])(view)  # type: ignore[name-defined]
        view = app.input(fields, location="json" if posted else "query", arg_name="fields")(view)
        app.add_url_rule(address.path.replace("{", "<").replace("}", ">"), name, view, methods=[method])


def _view(address: Address, responder: Responder) -> Callable[..., Response]:
    def view(fields: BaseModel, **path: str) -> Response:
        return address.make(responder, fields, **path)

    return view


def _in_body(fields: type[BaseModel]) -> type[BaseModel]:
    """The fields of a body: SolveFields become SolveBodyFields."""
    return create_model(
        f"{fields.__name__.removesuffix('Fields')}BodyFields",
        __base__=fields,
        __doc__="The same fields in a body, where numbers are JSON numbers.",
        __cls_kwargs__={"strict": True},
    )
