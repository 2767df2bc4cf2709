"""The cache of blocks: all of a table's distances where they fit into memory, else the blocks used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import BLOCK_SIZE, Block, DamagedBlock, Distances, decode, packed_bytes, probe, unpack
from puzzlebase.db.table_file import BlockFile

Indices = npt.NDArray[np.int64]

DEFAULT_MEMORY = 1 << 30
"""Bytes of packed distances that one open table may hold."""

_READ_TOGETHER = 256  # blocks


class Packed(NamedTuple):
    """Distances in memory: the max distance that there can be, and what the kernels of db/blocks.py read.

    `arrays` are the block size, the packed bytes, and each block's offset in them, base and width.
    """

    max_distance: int
    arrays: tuple[int, npt.NDArray[np.uint8], Indices, npt.NDArray[np.int32], npt.NDArray[np.uint8]]


class BlockCache:
    """Packed blocks in at most `memory` bytes, or as many as it grants of the bytes that all of them take.

    `start[b]` is block b's offset in `packed`, -1 while it is not there. Where all blocks fit they are read at once and
    stay. `count` is told how many blocks of a request were in the cache, and how many had to be read. Not safe to use
    from several threads unless `all_fit`. Raises DamagedTable.
    """

    def __init__(
        self,
        file: BlockFile,
        memory: int | Callable[[int], int],
        count: Callable[[int, int], None] | None = None,
    ) -> None:
        self._file = file
        self._count = count
        headers = file.block_headers()
        sizes = (headers["n"].astype(np.int64) * headers["width"] + 7) // 8
        self.base = headers["base"].copy()
        self.width = headers["width"].copy()
        self.hits = self.misses = 0
        wanted = int(sizes.sum())
        granted = memory(wanted) if callable(memory) else memory
        self.all_fit = wanted <= granted
        if self.all_fit:
            self.capacity = len(headers)
            self.start = np.cumsum(sizes) - sizes
            self.packed = np.empty(wanted, np.uint8)
            for number, block in enumerate(file.blocks()):
                self._store(number, self._content(number, block))
            return
        self._slot_size = packed_bytes(BLOCK_SIZE, int(headers["width"].max()))
        self.capacity = max(granted // self._slot_size, 1)
        self.start = np.full(len(headers), -1, np.int64)
        self.packed = np.empty(self.capacity * self._slot_size, np.uint8)
        # The slot of each block, the block used longest ago first. A lookup asks for eleven blocks: cachetools.LRUCache
        # took 6 microseconds for them, this takes 2.
        self._slots: OrderedDict[int, int] = OrderedDict()
        self._free: Iterator[int] = iter(range(self.capacity))

    def fetch(self, numbers: Indices) -> None:
        """Bring these blocks, at most `capacity` of them, into memory in place of those used longest ago."""
        wanted = numbers.tolist()
        missing = []
        for number in wanted:
            if number in self._slots:
                self._slots.move_to_end(number)
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
                dropped, slot = self._slots.popitem(last=False)
                self.start[dropped] = -1
            self.start[number] = slot * self._slot_size
            self._store(number, content)
            self._slots[number] = slot

    def read(self, indices: Indices, distances: Distances) -> None:
        """Read the distances of stored indices, all of whose blocks are in memory."""
        probe(indices, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def unpack(self, first: int, distances: npt.NDArray[np.signedinteger[Any]]) -> None:
        """Read the distances of consecutive stored indices, all of whose blocks are in memory."""
        unpack(first, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def whole(self) -> Packed:
        """All distances, where they fit."""
        return Packed(self.max_distance, (BLOCK_SIZE, self.packed, self.start, self.base, self.width))

    @cached_property
    def max_distance(self) -> int:
        """The max distance that blocks of these bases and widths can hold."""
        return int((self.base + (np.int64(1) << self.width.astype(np.int64)) - 2).max())

    @cached_property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The narrowest type that holds `max_distance`."""
        return np.int8 if self.max_distance < 1 << 7 else np.int16 if self.max_distance < 1 << 15 else np.int32

    def _blocks(self, numbers: list[int]) -> Iterator[tuple[int, Block]]:
        """Blocks of the file, few in memory at a time."""
        for at in range(0, len(numbers), _READ_TOGETHER):
            some = numbers[at : at + _READ_TOGETHER]
            yield from zip(some, self._file.blocks_at([number * BLOCK_SIZE for number in some]), strict=True)

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
