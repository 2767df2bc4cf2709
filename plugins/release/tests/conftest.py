"""A release that the tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import ran


@pytest.fixture(scope="module")
def release(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `release` writes of the tests' tables."""
    folder = tmp_path_factory.mktemp("release")
    ran(data, "release", str(folder))
    return folder
