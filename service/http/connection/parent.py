"""A worker ends with the process that started it, however that ends.

Workers of a killed service would answer on, with tables and settings of the past, and hold the port against the next
start. The pipe that multiprocessing leaves open between the two closes when the parent is gone, on every system.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
from multiprocessing.connection import wait
from threading import Thread

from puzzlebase.service.http.connection.metrics_files import FOLDER


def end_with_parent() -> None:
    """From now on, end this process when its parent has ended, and remove the folder that the parent made."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), name="parent", daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    if folder := os.environ.get(FOLDER):
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
