"""The addresses under /v1 and those for health and metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask, Response, request
from pydantic import BaseModel

from puzzlebase import hooks
from puzzlebase.puzzles import all_families
from puzzlebase.service.answers import ANSWERS, catalog
from puzzlebase.service.answers.limits import ANSWER_SECONDS, MAX_BATCH, MAX_STATE
from puzzlebase.service.answers.record import AnswerRecord, answer
from puzzlebase.service.http import metrics
from puzzlebase.service.http.error_responses import RETRY_AFTER
from puzzlebase.service.http.limits import BODY_SECONDS, MAX_BODY, MAX_QUERY
from puzzlebase.service.http.models import model_of
from puzzlebase.service.http.requests import fields_of_body
from puzzlebase.service.http.responses import Record, Responder, response_of
from puzzlebase.version import VERSION


@answer("service", "The service", path="/v1")
def service(responder: Responder) -> catalog.Service:
    """Version, limits, and the families of puzzles with their names."""
    searches = responder.limits
    return {
        "version": VERSION,
        "limits": {
            "address": MAX_QUERY,
            "body": MAX_BODY,
            "body_seconds": BODY_SECONDS,
            "state": MAX_STATE,
            "batch": MAX_BATCH,
            "answer_seconds": ANSWER_SECONDS,
            "budget": {
                "states": searches.states,
                "seconds": searches.seconds,
                "at_once": searches.at_once,
            },
        },
        "families": [
            {
                "name": family.name,
                "title": family.title,
                "pattern": family.template,
                "members": list(family.listed),
            }
            for family in all_families()
        ],
    }


@answer("service", "Alive", path="/healthz")
def healthz(_responder: Responder) -> catalog.Health:
    """200 as soon as lookups are answered."""
    return {"status": "ok"}


@answer(
    "service", "Ready", path="/readyz", type=catalog.Readiness, also=((503, "No file answers"),)
)
def readyz(responder: Responder) -> Response:
    """The files that can be used, and those that are damaged; 503 if none can be used."""
    body = catalog.readiness(responder.sources)
    response = response_of(body)
    if not body["ready"]:
        response.status_code = 503
        response.headers.add("Retry-After", RETRY_AFTER)
    return response


@answer("service", "Metrics", path="/metrics", media="text/plain")
def scrape(responder: Responder) -> Response:
    """Requests, their latency, searches, and sound and damaged files, for Prometheus."""
    errors = [*responder.sources.warm().values()]
    metrics.FILES.labels("sound").set(errors.count(None))
    metrics.FILES.labels("damaged").set(len(errors) - errors.count(None))
    return Response(metrics.scrape(), content_type="text/plain; version=0.0.4; charset=utf-8")


def every_address() -> Iterator[AnswerRecord[..., Any]]:
    """The answers above, those about puzzles,
    and those of plugins, in the order of docs/http-api.md. A plugin's takes the place of one of
    its name.
    """
    records = [
        service,
        catalog.puzzle_list,
        catalog.catalog_entry,
        *map(hooks.load_attribute, ANSWERS.values()),
        healthz,
        readyz,
        scrape,
        *(each for each in hooks.plugin_objects("addresses") if isinstance(each, AnswerRecord)),
    ]
    yield from {each.name: each for each in records}.values()


def add_addresses(app: Flask, record: Record, responder: Responder) -> None:
    """Add the addresses of an answer, for GET and POST, to the app."""
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
