"""Requests of the tests to the app, and the shape of every error."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
"""The solved avenger."""


def get(client: FlaskClient, address: str, **query: Any) -> Any:
    response = client.get(address, query_string=query)
    assert response.status_code == 200, response.text
    assert response.content_type == "application/json"
    return response.json


def assert_problem(response: Any, status: int, slug: str) -> None:
    """The shape of every error."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert set(response.json) == {"type", "title", "status", "detail", "hint"}
    assert response.json["type"] == f"/docs#{slug}"
    assert response.json["status"] == status
    assert all(response.json[field] for field in ("title", "detail", "hint"))
    assert len(response.text) < 2000
