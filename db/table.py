"""A table open for lookups: resident, packed, when it fits; otherwise the blocks last used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from db.blocks import BLOCK_SIZE, UNREACHED, Block, DamagedBlock, Distances, decode, packed_bytes, probe, unpack
from db.census import Census
from db.files import BlockFile, Closing, DamagedTable, TableFile, TableInfo

Indices = npt.NDArray[np.int64]

DEFAULT_MEMORY = 1 << 30
"""Bytes of packed distances that one open table may hold."""


class Packed(NamedTuple):
    """Distances in memory: the greatest there can be, and what the kernels of db/blocks.py read.

    `arrays` are the block size, the packed bytes, and each block's offset in them, base and width.
    """

    greatest: int
    arrays: tuple[int, npt.NDArray[np.uint8], Indices, npt.NDArray[np.int32], npt.NDArray[np.uint8]]


class StoredDistances(Closing):
    """Distances by stored index, read from a file's blocks.

    Nothing is read before the first probe. When all blocks, packed, fit into `memory` bytes they
    stay; otherwise as many decoded blocks as fit, those used last. Every block is checked when it
    is read; a damaged one is an error of that read alone, and `noticed` keeps message and hint of
    the last. `count` hears of blocks that were in the cache, and that were not.
    """

    def __init__(
        self, file: BlockFile, memory: int = DEFAULT_MEMORY, count: Callable[[int, int], None] | None = None
    ) -> None:
        self._source = file
        self._count = count
        self._memory = memory
        self._lock = Lock()
        self._blocks: _Blocks | None = None
        self.noticed: tuple[str, str] | None = None

    @property
    def resident(self) -> bool:
        """Whether all distances fit into memory; loads them if so."""
        return self._open().all_fit

    def load(self) -> None:
        """Read now what the first probe would: all distances where they fit, else every block's header."""
        self._open()

    @property
    def cache(self) -> tuple[int, int]:
        """Blocks asked for that were in memory, and that were not; none of either where all fit."""
        blocks = self._open()
        return (0, 0) if blocks.all_fit else (blocks.hits, blocks.misses)

    def probe(self, indices: Indices) -> Distances:
        """Distances of stored indices, int64[n] -> int32[n]; UNREACHED for -1. Raises DamagedTable."""
        distances = np.empty(len(indices), np.int32)
        blocks = self._blocks or self._open()
        if blocks.all_fit:
            blocks.read(indices, distances)
            return distances
        with self._lock, self._noticing():
            self._read_through(blocks, indices, distances)
        return distances

    def range(self, first: int, last: int) -> npt.NDArray[np.signedinteger[Any]]:
        """Distances of stored indices first .. last-1, in the narrowest type that holds the table's."""
        blocks = self._blocks or self._open()
        distances = np.empty(last - first, blocks.dtype)
        if blocks.all_fit:
            blocks.unpack(first, distances)
            return distances
        with self._lock:
            for number in range(first // BLOCK_SIZE, -(-last // BLOCK_SIZE)):
                at, end = max(first, number * BLOCK_SIZE), min(last, (number + 1) * BLOCK_SIZE)
                with self._noticing():
                    blocks.fetch(np.array([number]))
                blocks.unpack(at, distances[at - first : end - first])
        return distances

    def packed(self) -> Packed | None:
        """All distances as they are kept, None where they do not fit into memory."""
        blocks = self._blocks or self._open()
        if not blocks.all_fit:
            return None
        return Packed(blocks.greatest, (BLOCK_SIZE, blocks.packed, blocks.start, blocks.base, blocks.width))

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except DamagedTable as error:
            self.noticed = str(error), error.hint
            raise

    def _read_through(self, blocks: _Blocks, indices: Indices, distances: Distances) -> None:
        """The same through the bounded cache."""
        touched = np.unique(indices[indices >= 0] // BLOCK_SIZE)
        if len(touched) <= blocks.capacity:
            blocks.fetch(touched)
            blocks.read(indices, distances)
            return
        for some in np.array_split(touched, -(-len(touched) // blocks.capacity)):
            blocks.fetch(some)
            here = np.isin(indices // BLOCK_SIZE, some)
            part = np.empty(np.count_nonzero(here), np.int32)
            blocks.read(indices[here], part)
            distances[here] = part
        distances[indices < 0] = UNREACHED

    def _open(self) -> _Blocks:
        blocks = self._blocks
        if blocks is None:
            with self._lock:
                blocks = self._blocks
                if blocks is None:
                    blocks = self._blocks = _Blocks(self._source, self._memory, self._count)
        return blocks

    def close(self) -> None:
        """Let go of the file and the distances."""
        self._blocks = None
        self._source.close()


class Table(StoredDistances):
    """Distances of one puzzle and goal, read by stored index; the header at once, the rest as it is asked for."""

    def __init__(
        self, path: Path, memory: int = DEFAULT_MEMORY, count: Callable[[int, int], None] | None = None
    ) -> None:
        self.file = TableFile(path)
        super().__init__(self.file, memory, count)

    @property
    def info(self) -> TableInfo:
        """The table's header."""
        return self.file.info

    @cached_property
    def census(self) -> Census:
        """How many states of each range of BLOCK_SIZE lie at each distance; raises DamagedTable."""
        return self.file.census()


_AT_ONCE = 256


class _Blocks:
    """Packed blocks in memory: `start[b]` is block b's offset in `packed`, -1 while it is not there."""

    def __init__(self, file: BlockFile, memory: int, count: Callable[[int, int], None] | None) -> None:
        self._file = file
        self._count = count
        headers = file.block_headers()
        sizes = (headers["n"].astype(np.int64) * headers["width"] + 7) // 8
        self.base = headers["base"].copy()
        self.width = headers["width"].copy()
        self.all_fit = int(sizes.sum()) <= memory
        if self.all_fit:
            self.capacity = len(headers)
            self.start = np.cumsum(sizes) - sizes
            self.packed = np.empty(int(sizes.sum()), np.uint8)
            for number, block in enumerate(file.blocks()):
                self._store(number, self._content(number, block))
            return
        self._slot_size = packed_bytes(BLOCK_SIZE, int(headers["width"].max()))
        self.capacity = max(memory // self._slot_size, 1)
        self.start = np.full(len(headers), -1, np.int64)
        self.packed = np.empty(self.capacity * self._slot_size, np.uint8)
        self.hits = self.misses = 0
        self._used: OrderedDict[int, int] = OrderedDict()
        self._free: Iterator[int] = iter(range(self.capacity))

    def fetch(self, numbers: Indices) -> None:
        """Have these blocks, at most `capacity` of them, in memory, dropping those used longest ago."""
        wanted = numbers.tolist()
        missing = []
        for number in wanted:
            if number in self._used:
                self._used.move_to_end(number)
            else:
                missing.append(number)
        self.hits += len(wanted) - len(missing)
        self.misses += len(missing)
        if self._count:
            self._count(len(wanted) - len(missing), len(missing))
        for number, block in self._blocks(missing):
            content = self._content(number, block)
            slot = next(self._free, None)
            if slot is None:
                dropped, slot = self._used.popitem(last=False)
                self.start[dropped] = -1
            self.start[number] = slot * self._slot_size
            self._store(number, content)
            self._used[number] = slot

    def _blocks(self, numbers: list[int]) -> Iterator[tuple[int, Block]]:
        """Blocks of the file, few in memory at a time."""
        for at in range(0, len(numbers), _AT_ONCE):
            some = numbers[at : at + _AT_ONCE]
            yield from zip(some, self._file.blocks_at([number * BLOCK_SIZE for number in some]), strict=True)

    @cached_property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The narrowest type that holds all distances there can be in blocks like these."""
        return np.int8 if self.greatest < 1 << 7 else np.int16 if self.greatest < 1 << 15 else np.int32

    @cached_property
    def greatest(self) -> int:
        """No distance in blocks like these is greater."""
        return int((self.base + (np.int64(1) << self.width.astype(np.int64)) - 2).max())

    def unpack(self, first: int, distances: npt.NDArray[np.signedinteger[Any]]) -> None:
        unpack(first, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def read(self, indices: Indices, distances: Distances) -> None:
        probe(indices, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def _content(self, number: int, block: Block) -> npt.NDArray[np.uint8]:
        """The packed bytes of a block; raises DamagedTable before anything here is changed."""
        try:
            with self._file.damage():
                content = decode(block)
        except DamagedBlock as error:
            raise self._file.damaged(f"is damaged: {error}") from error
        header = number * BLOCK_SIZE, self.base[number], self.width[number]
        if (block.first_index, block.base, block.width) != header:
            raise self._file.damaged(f"is damaged: block {number} is not where it belongs")
        return content

    def _store(self, number: int, content: npt.NDArray[np.uint8]) -> None:
        start = self.start[number]
        self.packed[start : start + len(content)] = content
