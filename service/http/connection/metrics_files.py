"""The files that a process of the service counts in, reserved before prometheus_client maps them into memory.

It would make them sparse. A count on a disk that is full by then ends the process with SIGBUS.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from puzzlebase.db.errors import unwritable_remedy

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder."""

_KINDS = "counter", "histogram", "gauge_livesum"
_SIZE = 1 << 20
"""Bytes of each file: three times what all routes, methods and statuses need."""


def reserve() -> None:
    """Write this process's files full of zeros. Where the disk is full it counts in its own memory, and says so."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return
    files = [Path(folder, f"{kind}_{os.getpid()}.db") for kind in _KINDS]
    try:
        for file in files:
            file.write_bytes(bytes(_SIZE))
    except OSError as error:
        del os.environ[FOLDER]
        for file in files:
            with suppress(OSError):
                file.unlink()
        logging.getLogger(__name__).warning(
            "%s: %s; %s: until then /metrics counts one process alone",
            folder,
            error.strerror,
            unwritable_remedy(error, "restart"),
        )
