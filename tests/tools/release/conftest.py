"""A release that the tests read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.commands import ran


@pytest.fixture(scope="module")
def release(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `release` writes of the tests' tables."""
    folder = tmp_path_factory.mktemp("release")
    done = ran(data, "release", str(folder))
    assert len(re.findall(r"^to fill in: (an|the|a) ", done.stderr, re.MULTILINE)) == 2
    return folder
