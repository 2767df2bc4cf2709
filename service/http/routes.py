"""The routes of an answer for GET and for POST."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request
from pydantic import BaseModel

from puzzlebase.service.http.models import model_of
from puzzlebase.service.http.requests import fields_of_body
from puzzlebase.service.http.responses import Record, Responder


def serve(app: Flask, record: Record, responder: Responder) -> None:
    """Add the routes of an answer to the app."""
    for method in record.methods:
        path = record.path.replace("{", "<").replace("}", ">")
        view = _view(record, responder, model_of(record, posted=method == "POST"))
        app.add_url_rule(path, record.operation(method), view, methods=[method])


def _view(record: Record, responder: Responder, model: type[BaseModel]) -> Callable[..., Response]:
    def view(**path: str) -> Response:
        given = (
            fields_of_body(request.get_data())
            if request.method == "POST"
            else request.args.to_dict()
        )
        return responder.respond(record, dict(model.model_validate(given)), **path)

    return view
