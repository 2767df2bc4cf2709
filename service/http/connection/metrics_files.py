"""The files in which processes of the service count, reserved at the start and merged when their process has ended.

prometheus_client would make them sparse, and a count on a full disk would then end the process with SIGBUS. Merged, the
files of a worker that dies again and again do not fill the disk. Gauges, such as its searches, end with a process.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from puzzlebase import system
from puzzlebase.db.errors import unwritable_remedy

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable that names the folder
_ADDED = "counter", "histogram"
_DROPPED = "gauge_livesum"
_SIZE = 1 << 20  # bytes of each file: three times what all routes, methods and statuses need


def reserve() -> None:
    """Fill this process's files with zeros. On a full disk, log that the process counts in memory instead."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return
    files = [Path(folder, f"{kind}_{os.getpid()}.db") for kind in (*_ADDED, _DROPPED)]
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


@contextmanager
def merged(folder: Path) -> Iterator[None]:
    """Merge the files of processes that have ended. Until the block ends, no other process merges or reads them."""
    with (folder / "lock").open("wb") as lock:
        system.lock(lock, wait=True)
        for kind in _ADDED:
            _merge(folder, kind)
        for file in _of_ended(folder, _DROPPED):
            file.unlink()
        yield


def _merge(folder: Path, kind: str) -> None:
    from prometheus_client.mmap_dict import MmapedDict  # noqa: PLC0415 -- its package looks for FOLDER when imported

    files = _of_ended(folder, kind)
    if not files:
        return
    total = folder / f"{kind}_ended.db"
    counts: Counter[str] = Counter()
    for file in [*files, *([total] if total.exists() else [])]:
        for key, value, _, _ in MmapedDict.read_all_values_from_file(file):  # type: ignore[no-untyped-call]
            counts[key] += value
    new = total.with_suffix(".new")
    new.unlink(missing_ok=True)
    written = MmapedDict(new)  # type: ignore[no-untyped-call]
    for key, value in counts.items():
        written.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]
    written.close()  # type: ignore[no-untyped-call]
    new.replace(total)
    for file in files:
        file.unlink()


def _of_ended(folder: Path, kind: str) -> list[Path]:
    """The files of a kind whose process has ended."""
    numbered = [(file, file.stem.rpartition("_")[2]) for file in folder.glob(f"{kind}_*.db")]
    return [file for file, process in numbered if process.isdecimal() and not psutil.pid_exists(int(process))]
