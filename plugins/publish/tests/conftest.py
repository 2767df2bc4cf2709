"""Tables that a module of tests has published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import ran


@pytest.fixture(scope="module")
def published(
    data: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The published tables of the module's NAMES, from its data folder."""
    folder = tmp_path_factory.mktemp("published")
    ran(data, "publish", *request.module.NAMES, str(folder))
    return folder
