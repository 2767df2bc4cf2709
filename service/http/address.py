"""An address as one record: the routes for GET and for POST, /openapi.json and /docs are all made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apiflask import APIFlask
from flask import Response
from pydantic import BaseModel, RootModel, create_model

from puzzlebase.service.http.responses import Responder

SERVICE, STATE, TABLE = "About the service", "About a state", "About a whole table"
FAMILY, HEALTH = "About a family", "Health"
SECTIONS = (SERVICE, STATE, TABLE, FAMILY, HEALTH)
"""The headings that addresses stand under in /docs, in this order."""


@dataclass(frozen=True)
class Address:
    """An address, and who makes its answers.

    Attributes:
        path: as documents write it, such as /v1/puzzles/{name}/solve.
        operation: the name that clients made from /openapi.json call it by; with _posted for POST where GET has it too.
        make: makes the response from the responder, the fields and, as keywords, what the path names.
        fields: in the query of a GET, in the body of a POST. Where both are served, numbers in a body are JSON numbers.
        answer: the type that the JSON is of; None where `described` has the answer.
        section: one of SECTIONS.
        statuses: those beside 200 and those that every address may answer with; 304 is GET's alone.
        described: answers of another kind, by status, as OpenAPI describes them.
    """

    path: str
    operation: str
    make: Callable[..., Response]
    fields: type[BaseModel]
    answer: Any
    section: str
    summary: str
    description: str
    statuses: tuple[int, ...] = ()
    methods: tuple[str, ...] = ("GET",)
    described: Mapping[int, Any] = field(default_factory=dict)


def serve(app: APIFlask, address: Address, responder: Responder) -> None:
    """Serve an address."""
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
            view = app.output(RootModel[address.answer])(view)  # type: ignore[name-defined]
        view = app.input(fields, location="json" if posted else "query", arg_name="fields")(view)
        app.add_url_rule(address.path.replace("{", "<").replace("}", ">"), name, view, methods=[method])


def _view(address: Address, responder: Responder) -> Callable[..., Response]:
    def view(fields: BaseModel, **path: str) -> Response:
        return address.make(responder, fields, **path)

    return view


def _in_body(fields: type[BaseModel]) -> type[BaseModel]:
    """The fields in a body: SolveFields become SolveBodyFields."""
    return create_model(
        f"{fields.__name__.removesuffix('Fields')}BodyFields",
        __base__=fields,
        __doc__="The same fields in a body, where numbers are JSON numbers.",
        __cls_kwargs__={"strict": True},
    )
