"""A file system of a few megabytes, mounted over a folder for one command alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

_MOUNTS = (
    subprocess.run(
        ["unshare", "-rm", "true"], capture_output=True, check=False, timeout=PATIENCE
    ).returncode
    == 0
)
needs_mounts = pytest.mark.skipif(not _MOUNTS, reason="no file system can be mounted here")


def on_small_disk(folder: Path, megabytes: int) -> list[str | Path]:
    """The words before a command for which the folder is to be a disk of that size.
    It stays the same process.
    """
    mounting = f'mount -t tmpfs -o size={megabytes}m tmpfs "$0" && exec "$@"'
    return ["unshare", "-rm", "sh", "-c", mounting, folder]
