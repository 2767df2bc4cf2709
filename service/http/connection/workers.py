"""Workers: one that hangs is replaced, and all end with the main process.

A worker that is stopped, or never releases its interpreter, would keep its connections for ever. So each worker tells
the main process every second that its event loop turns. The main process counts its own checks and compares no clocks,
so no worker counts as silent after a machine was suspended.

Workers of a killed service would hold the port and answer from old tables. They end when a pipe that multiprocessing
leaves open closes, as it does when the parent is gone.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
from array import array
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from time import sleep

from puzzlebase.service.http.connection import metrics_files
from puzzlebase.service.http.connection.limits import SILENT_SECONDS, START_SECONDS

_VARIABLE = "PUZZLEBASE_HEARTBEAT"  # the environment variable that names the FIFO between workers and the main process
_EVERY = 1
_NUMBER = "i"  # of a process, in the FIFO; so few bytes are never torn


def watch_workers(folder: Path, turning: Callable[[], object]) -> None:
    """Watch workers with a FIFO in `folder`: kill silent ones, and call `turning` while all loops turn."""
    path = folder / "heartbeat"
    os.mkfifo(path)
    os.environ[_VARIABLE] = str(path)
    fifo = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    Thread(target=_watch, args=(fifo, turning), name="heartbeat", daemon=True).start()


def beat(loop: AbstractEventLoop) -> None:
    """Tell the main process every second, from a worker, that this loop turns."""
    if path := os.environ.get(_VARIABLE):
        _beat(loop, os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def end_with_parent() -> None:
    """End this worker when the main process has ended, and remove the folder that the main process made."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), name="parent", daemon=True).start()


def _beat(loop: AbstractEventLoop, fifo: int) -> None:
    with suppress(OSError):  # it is full: the main process is stopped
        os.write(fifo, array(_NUMBER, [os.getpid()]))
    loop.call_later(_EVERY, _beat, loop, fifo)


def _watch(fifo: int, turning: Callable[[], object]) -> None:
    silent: dict[int, int] = {}
    while True:
        sleep(_EVERY)
        heard = set[int]()
        with suppress(BlockingIOError):
            heard = {*array(_NUMBER, os.read(fifo, 1 << 16))}
        workers = {worker.pid: worker for worker in multiprocessing.active_children() if worker.pid}
        silent = {
            number: 0 if number in heard else silent.get(number, SILENT_SECONDS - START_SECONDS) + _EVERY
            for number in workers
        }
        if workers.keys() == heard:
            turning()
        for number, seconds in silent.items():
            if seconds >= SILENT_SECONDS:
                logging.getLogger(__name__).error("worker %d was silent: it is killed and replaced", number)
                workers[number].kill()
                break  # granian may overlook one of two that end at the same moment


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    if folder := os.environ.get(metrics_files.FOLDER):
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
