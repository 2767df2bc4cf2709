"""Look up distances by stored index: mapped, in memory or through the cache of blocks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from puzzlebase.db import blocks as packing  # a compiled kernel takes its name in this module
from puzzlebase.db.block_cache import (
    DEFAULT_MEMORY,
    BlockCache,
    Bytes,
    Indices,
    Packed,
    PackedBlocks,
    WholeBlocks,
    offsets_of,
)
from puzzlebase.db.blocks import Distances, DistanceType, Signed
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.files import Closing
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.db.table_file import BlockFile, BlockHeaders, TableFile

_NOT_WHOLE = (
    "searches go without the patterns in %s: not mapped, and too large for this "
    "process; make room in the cache, name another one with --cache, or give more "
    "--memory, then start anew"
)


class StoredDistances(Closing):
    """Distances by stored index, read from a file's blocks at the first probe; safe to use from several threads.

    `whole` reads all blocks if they fit, packed, into `memory` bytes; this may be a function of the bytes that they
    take. Otherwise recent blocks stay in memory, and `count` is that of BlockCache. Every block is checked when it is
    read; a damaged one is an error of that read alone.
    """

    def __init__(
        self,
        file: BlockFile,
        memory: int | Callable[[int], int] = DEFAULT_MEMORY,
        count: Callable[[int, int], None] | None = None,
        whole: Callable[[BlockFile, BlockHeaders], PackedBlocks] = WholeBlocks,
    ) -> None:
        self._source = file
        self._whole = whole
        self._count = count
        self._memory = memory
        self._lock = Lock()
        self._blocks: PackedBlocks | None = None
        self.noticed: tuple[str, str] | None = None  # message and hint of the last damage

    @property
    def resident(self) -> bool:
        """True if all distances are in memory, this process's or the machine's; loads or maps them if so."""
        return self.load().in_memory

    @property
    def in_memory(self) -> bool:
        """True if all distances are in memory now; never loads them."""
        blocks = self._blocks
        return blocks is not None and blocks.in_memory

    @property
    def nbytes(self) -> int:
        """Bytes that it takes in this process's memory now."""
        blocks = self._blocks
        return blocks.nbytes if blocks else 0

    def unload(self) -> None:
        """Free the distances in memory; the next probe reads them again."""
        self._blocks = None

    @property
    def at_once(self) -> tuple[int, Bytes, Indices, npt.NDArray[np.int32], Bytes] | None:
        """The arguments of the kernel `probe` between indices and distances, if all distances are in memory now."""
        blocks = self._blocks
        if blocks is None or not blocks.in_memory:
            return None
        return self._source.stored_size, blocks.packed, blocks.start, blocks.base, blocks.width

    def probe(self, indices: Indices) -> Distances:
        """Distances of stored indices, int64[n] -> int32[n]; UNREACHED for -1. Raises DamagedTable and IndexError."""
        distances = np.empty(len(indices), np.int32)
        arrays = self.at_once
        if not (arrays and packing.probe(indices, *arrays, distances)):
            blocks = self.load()
            with self._noticing():
                blocks.probe(indices, distances)
        return distances

    def range(self, first: int, last: int) -> Signed:
        """Distances of stored indices first .. last-1, in the narrowest type; raises DamagedTable and IndexError."""
        if not 0 <= first <= last <= self._source.stored_size:
            raise IndexError(f"{first} .. {last} are no stored indices: the table has {self._source.stored_size}")
        blocks = self.load()
        distances = np.empty(last - first, blocks.dtype(first, last))
        with self._noticing():
            blocks.range(first, distances)
        return distances

    @property
    def dtype(self) -> DistanceType:
        """The narrowest type that holds all distances; raises DamagedTable."""
        return self.load().dtype(0, self._source.stored_size)

    def packed(self) -> Packed | None:
        """All distances in memory, None if they do not fit. Raises DamagedTable."""
        blocks = self.load()
        with self._noticing():
            return blocks.all() if blocks.in_memory else None

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except DamagedTable as error:
            self.noticed = str(error), error.hint
            raise

    def load(self) -> PackedBlocks:
        """Read or map all distances if they fit, as the first probe would."""
        blocks = self._blocks
        if blocks is None:
            with self._lock:
                blocks = self._blocks
                if blocks is None:
                    blocks = self._blocks = self._opened()
        return blocks

    def _opened(self) -> PackedBlocks:
        headers = self._source.block_headers()
        wanted = int(offsets_of(self._source, headers["width"])[-1])
        granted = self._memory(wanted) if callable(self._memory) else self._memory
        if wanted <= granted:
            return self._whole(self._source, headers)
        return BlockCache(self._source, headers, granted, self._count)

    def close(self) -> None:
        """Close the file and free the distances."""
        self._blocks = None
        self._source.close()


class Table(StoredDistances):
    """The distances of a puzzle and goal, mapped if `mapped` has or makes a file of them. Raises as TableFile."""

    def __init__(
        self,
        path: Path,
        memory: int | Callable[[int], int] = DEFAULT_MEMORY,
        count: Callable[[int, int], None] | None = None,
        mapped: MappedFiles = NOT_MAPPED,
    ) -> None:
        self.file = TableFile(path, mapped.folder)
        self.info = self.file.info
        self._mapped = mapped
        super().__init__(self.file, memory, count, self._mapped_or_whole)

    @property
    def nbytes(self) -> int:
        """Bytes that it takes in this process's memory now."""
        return super().nbytes + (self.histograms.nbytes if "histograms" in vars(self) else 0)

    @cached_property
    def histograms(self) -> Histograms:
        """The number of states of each range of BLOCK_SIZE at each distance; raises DamagedTable."""
        return self.file.histograms()

    def _opened(self) -> PackedBlocks:
        found = self._mapped.find(self.file)
        if found is None and self._mapped.always:
            found = self._mapped.make(self.file, self.file.block_headers())
        return found or super()._opened()

    @cached_property
    def whole(self) -> bool:
        """True if all distances are in memory, whatever their size: in a mapped file, made now if need be.

        Else two lines of the log say why, once. Raises DamagedTable.
        """
        if not self.resident:
            made = replace(self._mapped, always=True).make(self.file, self.file.block_headers())
            self._blocks = made or self._blocks
        if not self.in_memory:
            logging.getLogger(__name__).warning(_NOT_WHOLE, self.file.path)
        return self.in_memory

    def _mapped_or_whole(self, _file: BlockFile, headers: BlockHeaders) -> PackedBlocks:
        made = None if self._mapped.always else self._mapped.make(self.file, headers)
        return made or WholeBlocks(self.file, headers)
