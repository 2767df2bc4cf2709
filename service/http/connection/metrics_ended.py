"""The counts of processes that have ended, in one file of each kind: a worker that dies again and again fills no disk.

A scrape adds up all files, and each process has files of its own. Those of a process that has ended are added to one
file and removed. What was true of the process alone, such as the searches running, goes with it.
"""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from prometheus_client.mmap_dict import MmapedDict

_ENDED = "ended"
_ADDED = "counter", "histogram"
_DROPPED = "gauge"


@contextmanager
def merged(folder: Path) -> Iterator[None]:
    """Merge the files of processes that have ended; nobody else does until the end of the block, or reads them."""
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for kind in _ADDED:
            _merge(folder, kind)
        for file in _of_ended(folder, _DROPPED):
            file.unlink()
        yield


def _merge(folder: Path, kind: str) -> None:
    files = _of_ended(folder, kind)
    if not files:
        return
    total = folder / f"{kind}_{_ENDED}.db"
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
    """The files of one kind whose process has ended."""
    numbered = [(file, file.stem.rpartition("_")[2]) for file in folder.glob(f"{kind}_*.db")]
    return [file for file, process in numbered if process.isdecimal() and not psutil.pid_exists(int(process))]
