"""The addresses under /v1 and those for health and metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response

from puzzlebase import hooks
from puzzlebase.service.answers import ANSWERS, catalog
from puzzlebase.service.answers.limits import ANSWER_SECONDS, MAX_BATCH, MAX_STATE
from puzzlebase.service.answers.record import AnswerRecord, answer
from puzzlebase.service.http import metrics
from puzzlebase.service.http.error_responses import RETRY_AFTER
from puzzlebase.service.http.limits import BODY_SECONDS, MAX_BODY, MAX_QUERY
from puzzlebase.service.http.responses import Responder, response_of
from puzzlebase.version import VERSION


@answer("service", "The service", path="/v1", type=catalog.Service)
def service(responder: Responder) -> Response:
    """Version, limits, and the families of puzzles with their names."""
    searches = responder.limits
    limits: catalog.Limits = {
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
    }
    return response_of(catalog.service(VERSION, limits))


@answer("service", "Alive", path="/healthz", type=catalog.Health)
def healthz(_responder: Responder) -> Response:
    """200 as soon as lookups are answered."""
    return response_of(catalog.HEALTH)


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
def scrape(_responder: Responder) -> Response:
    """Requests, their latency and searches, counted over all processes, for Prometheus."""
    return Response(metrics.scrape(), content_type=metrics.CONTENT_TYPE)


def every_address() -> Iterator[AnswerRecord[..., Any]]:
    """The answers above, those about puzzles,
    and those of plugins, in the order of docs/http-api.md.
    """
    yield from (service, catalog.puzzle_list, catalog.about_puzzle)
    yield from map(hooks.load_attribute, ANSWERS.values())
    yield from (healthz, readyz, scrape)
    yield from (
        each for each in hooks.plugin_objects("addresses") if isinstance(each, AnswerRecord)
    )
