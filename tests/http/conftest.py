"""The app over the tables of the suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.http.app import create_app


@pytest.fixture(scope="session")
def client(data: Path) -> FlaskClient:
    """A client of it, in this process."""
    return create_app(data).test_client()
