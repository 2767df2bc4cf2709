"""Tests on Ray clusters of this machine; only `make test-cluster` runs them, since it installs Ray."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

if "PUZZLEBASE_TEST_CLUSTER" not in os.environ:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Digests of tables that one machine has built, by puzzle; empty at first."""
    return {}


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """A cluster of this machine, as `--cluster local` starts it."""
    import ray

    from puzzlebase.builder.cluster.nodes import LOCAL, connect

    connect(LOCAL, 4)
    yield
    ray.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for the parts' files."""
    return tmp_path / "parts"
