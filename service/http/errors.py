"""What becomes of errors: a problem of the kind that service/problems.py names, whoever raised it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from apiflask import APIFlask, HTTPError
from flask import Response, request

from service import problems
from service.http import metrics
from service.http.requests import MAX_BODY, SUCH_AS

RETRY = "1"
"""Seconds after which what was refused may be asked again."""


def add_errors(app: APIFlask) -> None:
    """Make every error of the app a body of problem+json, with the remedy in its hint."""

    def known(error: Exception) -> Response:
        problem = problems.problem_of(error)
        assert problem is not None
        if isinstance(error, problems.Overloaded):
            metrics.REFUSED.inc()
            return _problem(problem, {"Retry-After": RETRY})
        if problem["status"] >= 500:
            app.logger.error("%s: %s", problem["title"], problem["detail"])
        return _problem(problem)

    for kind in problems.KINDS:
        app.register_error_handler(kind, known)

    @app.error_processor
    def http_error(error: HTTPError) -> Response:
        return _problem(_http_problem(error), dict(error.headers))


_WRONG_SHOWN = 5
_BY_STATUS = {
    404: (problems.NO_ADDRESS, "/docs lists the addresses"),
    405: (problems.WRONG_METHOD, "the Allow header names the methods"),
    413: (problems.TOO_LARGE, f"send at most {MAX_BODY:,} bytes"),
}


def _http_problem(error: HTTPError) -> problems.Problem:
    """The problem of an error that the framework found: a wrong field, a wrong address."""
    if isinstance(error.detail, Mapping) and error.detail:
        wrong = [
            f"{field[:60]}: {', '.join(messages)[:200]}"
            for fields in error.detail.values()
            for field, messages in fields.items()
        ]
        shown = "; ".join(wrong[:_WRONG_SHOWN])
        if len(wrong) > _WRONG_SHOWN:
            shown += f"; and {len(wrong) - _WRONG_SHOWN} more"
        return problems.problem(
            problems.INVALID_PARAMETER,
            shown.replace("_schema: ", "").replace("Value error, ", ""),
            "/docs lists the fields of each address",
        )
    if error.status_code == 400 and request.method == "POST":
        return problems.problem(problems.INVALID_PARAMETER, "the body is not JSON", SUCH_AS)
    kind, hint = _BY_STATUS.get(
        error.status_code,
        (problems.INVALID_PARAMETER, "/docs shows what is expected")
        if error.status_code < 500
        else (problems.UNEXPECTED, "try again; if it happens again, report it"),
    )
    return problems.problem(kind, f"{request.method} {request.path[:200]}: {error.message}", hint, error.status_code)


def _problem(problem: problems.Problem, headers: dict[str, Any] | None = None) -> Response:
    return Response(
        orjson.dumps(problem), status=problem["status"], mimetype="application/problem+json", headers=headers
    )
