"""Responses of problem+json for errors; service/error_status.py maps errors to problems."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from puzzlebase.service import error_status
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http.limits import MAX_BODY

RETRY_AFTER = "1"  # seconds after which a request that was refused with 503 may be made again
_MAX_WRONG = 5  # fields that one problem names
_BY_STATUS = {
    404: (error_status.NO_ADDRESS, "/docs lists the addresses"),
    405: (error_status.WRONG_METHOD, "the Allow header names the methods"),
    413: (error_status.TOO_LARGE, f"send at most {MAX_BODY:,} bytes"),
}
_CALLERS = error_status.INVALID_PARAMETER, "/docs shows what is expected"
_OURS = error_status.UNEXPECTED, "try again; if it happens again, report it"


def add_problems(app: Flask) -> None:
    """Answer every error of the app with a problem and its remedy."""

    def known(error: Exception) -> Response:
        problem = error_status.problem_of(error)
        assert problem is not None
        if problem["status"] >= 500 and problem["status"] != 503:
            app.logger.error("%s: %s", problem["title"], problem["detail"])
        return _response(
            problem, {"Retry-After": RETRY_AFTER} if problem["status"] == 503 else None
        )

    for kind in error_status.KINDS:
        app.register_error_handler(kind, known)

    app.register_error_handler(ValidationError, _wrong_fields)
    app.register_error_handler(HTTPException, framework_error)


def framework_error(error: HTTPException) -> Response:
    """The response to an error that the framework found:
    a wrong address or body, or an unexpected error.
    """
    status, headers = (
        error.code or 500,
        {name: value for name, value in error.get_headers() if name == "Allow"},
    )
    kind, hint = _BY_STATUS.get(status, _CALLERS if status < 500 else _OURS)
    detail = f"{request.method} {request.path[:200]}: {error.name}"
    return _response(error_status.make_problem(kind, detail, hint, status), headers)


def _wrong_fields(error: ValidationError) -> Response:
    """The response to wrong fields, which names the first ones with the reasons."""
    wrong = [
        f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:_MAX_WRONG]
    ]
    detail = "; ".join(wrong).replace("Value error, ", "")
    hint = "/docs lists the fields of each address"
    return _response(error_status.make_problem(error_status.INVALID_PARAMETER, detail, hint))


def _response(problem: error_status.Problem, headers: dict[str, Any] | None = None) -> Response:
    return Response(
        to_json(problem),
        status=problem["status"],
        mimetype="application/problem+json",
        headers=headers,
    )
