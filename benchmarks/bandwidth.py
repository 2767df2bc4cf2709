"""The bytes that each phase of a build touches in a second, beside a plain copy and a plain write on the machine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from benchmarks.figures import timed
from puzzlebase.db.block_cache import offsets_of
from puzzlebase.db.table_file import TableFile
from puzzlebase.system import processors

_COPIED = 1 << 26  # bytes of each array that is copied, more than a core's share of the caches
_TIMES = 8  # copies, and writes, of each


def touched(phase: str, file: TableFile) -> int | None:
    """The bytes that a phase of a build reads and writes, as if no cache held any of them; None where none are counted.

    Distances and bit sets are counted each time they are looked at, tables of moves are not: they stay in caches.

    - Search by rows: a layer looks at the rows that edges of the layer before it lead to. Of each it writes the layer's
      bits, reads and writes the bits of all vertices reached, and reads the last layer's in rows that edges lead to.
    - Writing: distances are written and read, packed ones too, and the file is written.
    - Reading back: the file is read, and packed distances are written and read.
    - Certificate: packed distances are read once and once more for each edge. Those of states are bytes, and are
      written and read while orbits are certified.
    """
    info = file.info
    packed = int(offsets_of(file, file.block_headers()["width"])[-1])
    certificates = {one.graph: one for one in file.certificates()}
    stored = certificates[info.stored]
    edges = stored.edges / stored.vertices
    if phase == "breadth-first search":
        most = sum(min(info.stored_size, edges * vertices) for vertices in info.layers)
        return int(most / 8 * (3 + edges))
    if phase == "write":
        return 2 * info.stored_size * np.min_scalar_type(-len(info.layers)).itemsize + 2 * packed + file.size
    if phase == "read":
        return 2 * packed + file.size
    if phase == f"certificate of the {info.stored}":
        return int(packed * (1 + edges)) + (2 * info.states if info.stored == "orbits" else 0)
    if phase == "certificate of the states":
        return certificates["states"].vertices + certificates["states"].edges
    return None


def copying() -> float:
    """Bytes a second that a plain copy reads and writes, in a thread for each processor."""
    threads = processors()
    arrays = [(np.ones(_COPIED, np.uint8), np.ones(_COPIED, np.uint8)) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        _, seconds = timed(lambda: list(pool.map(lambda pair: np.copyto(*pair), arrays * _TIMES)))
    return 2 * _TIMES * threads * _COPIED / seconds


def writing(folder: Path) -> float:
    """Bytes a second that are written to a new file in a folder, until they are on the disk."""
    content = np.ones(_COPIED, np.uint8).data

    def write() -> None:
        with TemporaryFile(dir=folder) as file:
            file.writelines([content] * _TIMES)
            file.flush()
            os.fsync(file.fileno())

    return _TIMES * _COPIED / timed(write)[1]
