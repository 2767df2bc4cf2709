"""The distances of a puzzle and goal by stored index:
mapped, in memory or through the cache of blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Lock

from puzzlebase.db.block_cache import DEFAULT_MEMORY, Indices, PackedBlocks, blocks_within
from puzzlebase.db.blocks import Distances, Signed
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.limits import ANTIPODES_KEPT
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.db.stored_file import Closing
from puzzlebase.db.table_file import TableFile, TableHeader


class Table(Closing):
    """A table, whose blocks are opened at the first probe;
    safe to use from several threads. Raises as TableHeader.

    They are mapped if `mapped` has or makes a file of them. Else all are read, if they fit, packed,
    into `memory` bytes; otherwise recent blocks stay there. Every block is checked when it is read;
    a damaged one is an error of that read alone.

    At most `kept` of its antipodes are stored.
    """

    kept = ANTIPODES_KEPT

    def __init__(
        self, path: Path, memory: int = DEFAULT_MEMORY, mapped: MappedFiles = NOT_MAPPED
    ) -> None:
        self.header = TableHeader(path, mapped.folder)
        self.info = self.header.info
        self.of: tuple[str, ...] = self.info.puzzle, self.info.goal
        self._memory = memory
        self._mapped = mapped
        self._lock = Lock()
        self.blocks: PackedBlocks | None = None  # None until something is read

    @property
    def file(self) -> TableFile:
        """The open file, as by TableHeader."""
        return self.header.file

    @property
    def nbytes(self) -> int:
        """Bytes that it takes in this process's memory now."""
        blocks, histograms = self.blocks, vars(self).get("histograms")
        return (blocks.nbytes if blocks else 0) + (histograms.nbytes if histograms else 0)

    def probe(self, indices: Indices) -> Distances:
        """Distances, as by PackedBlocks."""
        return self.load().probe(indices)

    def range(self, first: int, last: int) -> Signed:
        """Consecutive distances, as by PackedBlocks."""
        return self.load().range(first, last)

    def antipodes(self, offset: int, limit: int) -> list[int]:
        """The indices of stored states at the max distance, in order."""
        return [index for index, _ in self.file.antipodes(offset, limit)]

    @cached_property
    def histograms(self) -> Histograms:
        """The number of states of each range at each distance; raises DamagedTable."""
        return self.file.histograms()

    def load(self, make_room: Callable[[int], object] = lambda _: None) -> PackedBlocks:
        """Read or map all distances if they fit,
        as the first probe would; `make_room` as in blocks_within.
        """
        with self._lock:
            if self.blocks is None:
                mapped = self._mapped.open(self.header)
                self.blocks = mapped or blocks_within(self.file, self._memory, make_room)
            return self.blocks

    def close(self) -> None:
        """Close the file and free the distances."""
        self.blocks = None
        self.header.close()
