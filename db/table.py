"""A table open for lookups: its distances by stored index, mapped, in memory or read through the cache of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

import numpy as np

from puzzlebase.db.blocks import BLOCK_SIZE, UNREACHED, Distances, Signed
from puzzlebase.db.cache import DEFAULT_MEMORY, BlockCache, WholeBlocks
from puzzlebase.db.census import Census
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.files import Closing
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.db.packed import Bytes, Indices, Packed, PackedBlocks, offsets_of
from puzzlebase.db.table_file import BlockHeaders, Blocks, TableFile, TableInfo

_TOGETHER = 256
"""Blocks that a read through the cache loads at a time: they are in memory twice for a moment, 64 MB at most."""


class StoredDistances(Closing):
    """Distances by stored index, read from a file's blocks; safe to use from several threads.

    Nothing is read before the first probe. When all blocks, packed, fit into `memory` bytes they stay; otherwise as
    many blocks as fit, those used last. `memory` may be a function of the bytes that all blocks take. Every block is
    checked when it is read. A damaged block is an error of that read alone; `noticed` keeps the message and hint of the
    last one. `count` is told how many blocks of a read were in the cache, and how many were not. `whole` reads all
    blocks where they fit.
    """

    def __init__(
        self,
        file: Blocks,
        memory: int | Callable[[int], int] = DEFAULT_MEMORY,
        count: Callable[[int, int], None] | None = None,
        whole: Callable[[Blocks, BlockHeaders], PackedBlocks] = WholeBlocks,
    ) -> None:
        self._source = file
        self._whole = whole
        self._count = count
        self._memory = memory
        self._lock = Lock()
        self._blocks: PackedBlocks | None = None
        self.noticed: tuple[str, str] | None = None

    @property
    def resident(self) -> bool:
        """Whether all distances are in memory, this process's or the machine's; loads or maps them if so."""
        return self._open().in_memory

    def load(self) -> None:
        """Do now what the first probe would: read all distances where they fit, or map them."""
        self._open()

    @property
    def in_memory(self) -> bool:
        """Whether all distances are in memory now; never loads them."""
        blocks = self._blocks
        return blocks is not None and blocks.in_memory

    @property
    def held(self) -> list[object]:
        """What is in memory of the table, for those who count its bytes."""
        blocks = self._blocks
        return [] if blocks is None else blocks.held

    def unload(self) -> None:
        """Let go of the distances in memory; the next probe reads them again."""
        self._blocks = None

    @property
    def cache(self) -> tuple[int, int]:
        """How many of the blocks asked for were in the cache, and how many were not; 0, 0 where there is none."""
        blocks = self._open()
        return (blocks.hits, blocks.misses) if isinstance(blocks, BlockCache) else (0, 0)

    def probe(self, indices: Indices) -> Distances:
        """Distances of stored indices, int64[n] -> int32[n]; UNREACHED for -1. Raises DamagedTable."""
        distances = np.empty(len(indices), np.int32)
        blocks = self._blocks or self._open()
        if isinstance(blocks, BlockCache):
            with self._noticing():
                self._read_through(blocks, indices, distances)
        elif not blocks.read(indices, distances):
            with self._noticing():
                blocks.fetch(np.unique(indices[indices >= 0] // BLOCK_SIZE))
            blocks.read(indices, distances)
        return distances

    def range(self, first: int, last: int) -> Signed:
        """Distances of stored indices first .. last-1, in the narrowest type that holds those of their blocks."""
        blocks = self._blocks or self._open()
        distances = np.empty(last - first, blocks.dtype(first, last))
        numbers = range(first // BLOCK_SIZE, -(-last // BLOCK_SIZE))
        with self._noticing():
            if not isinstance(blocks, BlockCache):
                blocks.fetch(np.array(numbers))
                blocks.unpack(first, distances)
                return distances
            for number in numbers:
                at, end = max(first, number * BLOCK_SIZE), min(last, (number + 1) * BLOCK_SIZE)
                here = distances[at - first : end - first]
                self._with_blocks(blocks, np.array([number]), partial(blocks.unpack, at, here))
        return distances

    def packed(self) -> Packed | None:
        """All distances as they are kept, None where they do not fit into memory. Raises DamagedTable."""
        blocks = self._blocks or self._open()
        if not blocks.in_memory:
            return None
        with self._noticing():
            return blocks.all()

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except DamagedTable as error:
            self.noticed = str(error), error.hint
            raise

    def _read_through(self, blocks: BlockCache, indices: Indices, distances: Distances) -> None:
        """Read through the cache, few blocks at a time."""
        touched = np.unique(indices[indices >= 0] // BLOCK_SIZE)
        at_a_time = min(blocks.capacity, _TOGETHER)
        if len(touched) <= at_a_time:
            self._with_blocks(blocks, touched, partial(blocks.read, indices, distances))
            return
        for some in np.array_split(touched, -(-len(touched) // at_a_time)):
            here = np.isin(indices // BLOCK_SIZE, some)
            part = np.empty(np.count_nonzero(here), np.int32)
            self._with_blocks(blocks, some, partial(blocks.read, indices[here], part))
            distances[here] = part
        distances[indices < 0] = UNREACHED

    def _with_blocks(self, blocks: BlockCache, numbers: Indices, read: Callable[[], object]) -> None:
        """Read while these blocks, at most as many as the cache holds, are in it.

        Others read meanwhile: where a block is loaded from may be slow. What they drive out is loaded too.
        """
        loaded: dict[int, Bytes] = {}
        while True:
            with self._lock:
                missing = [number for number in blocks.missing(numbers) if number not in loaded]
                if not missing:
                    blocks.put(numbers, loaded)
                    read()
                    return
            loaded |= blocks.load(missing)

    def _open(self) -> PackedBlocks:
        blocks = self._blocks
        if blocks is None:
            with self._lock:
                blocks = self._blocks
                if blocks is None:
                    blocks = self._blocks = self._opened()
        return blocks

    def _opened(self) -> PackedBlocks:
        """The blocks as they are read from now on."""
        headers = self._source.block_headers()
        wanted = int(offsets_of(self._source, headers["width"])[-1])
        granted = self._memory(wanted) if callable(self._memory) else self._memory
        if wanted <= granted and not self._elsewhere:
            return self._in_memory(headers)
        return BlockCache(self._source, headers, granted, self._count)

    @property
    def _elsewhere(self) -> bool:
        """Whether the blocks lie in parts, which are never read as a whole only to look up a state."""
        return False

    def _in_memory(self, headers: BlockHeaders) -> PackedBlocks:
        """All blocks, which fit into memory."""
        return self._whole(self._source, headers)

    def close(self) -> None:
        """Let go of the file and the distances."""
        self._blocks = None
        self._source.close()


class Table(StoredDistances):
    """The distances of one puzzle and goal by stored index. The header is read at once, the rest when it is asked for.

    The distances are mapped where `mapped` has a file of them or makes one; `memory` then bounds nothing. Raises as
    TableFile does.
    """

    def __init__(
        self,
        path: Path,
        memory: int | Callable[[int], int] = DEFAULT_MEMORY,
        count: Callable[[int, int], None] | None = None,
        mapped: MappedFiles = NOT_MAPPED,
    ) -> None:
        self.file = TableFile(path, mapped.folder)
        self._mapped = mapped
        super().__init__(self.file, memory, count)

    @property
    def info(self) -> TableInfo:
        """The table's header."""
        return self.file.info

    @property
    def held(self) -> list[object]:
        """What is in memory of the table, for those who count its bytes."""
        return [*super().held, self.__dict__.get("census"), self.file.__dict__.get("said_of_blocks")]

    @cached_property
    def census(self) -> Census:
        """How many states of each range of BLOCK_SIZE lie at each distance; raises DamagedTable."""
        return self.file.census()

    def _opened(self) -> PackedBlocks:
        found = self._mapped.find(self.file)
        if found is None and self._mapped.always and not self._elsewhere:
            found = self._mapped.make(self.file, self.file.block_headers())
        opened = found or super()._opened()
        self.file.keep_head()  # where the folder was made just now
        return opened

    @property
    def _elsewhere(self) -> bool:
        return self.file.parts > 0

    def _in_memory(self, headers: BlockHeaders) -> PackedBlocks:
        made = None if self._mapped.always else self._mapped.make(self.file, headers)
        return made or super()._in_memory(headers)
