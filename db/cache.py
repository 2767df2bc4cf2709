"""The distances of a table in this process alone: all of them where they fit into memory, else the blocks used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

import numpy as np

from puzzlebase.db.blocks import BLOCK_SIZE, UNREACHED, Block, Distances, Signed, packed_bytes
from puzzlebase.db.packed import Bytes, Indices, PackedBlocks, offsets_of, read_all
from puzzlebase.db.table_file import BlockHeaders, Blocks

DEFAULT_MEMORY = 1 << 30
"""Bytes of packed distances that one open table may hold."""

_READ_TOGETHER = 256
"""Blocks that are loaded at a time: they are in memory twice for a moment, 64 MB at most."""


class WholeBlocks(PackedBlocks):
    """All blocks, read at once, or `packed` if they have been read before. Raises DamagedTable."""

    in_memory = True

    def __init__(self, file: Blocks, headers: BlockHeaders, packed: Bytes | None = None) -> None:
        super().__init__(file, headers["base"].copy(), headers["width"].copy())
        offsets = offsets_of(file, self.width)
        self.start = offsets[:-1]
        if packed is not None:
            self.packed = packed
            return
        self.packed = np.empty(int(offsets[-1]), np.uint8)

        def take(_first: int, at: int, contents: list[Bytes]) -> None:
            for content in contents:
                self.packed[at : at + len(content)] = content
                at += len(content)

        read_all(file, self.base, self.width, take)

    def fetch(self, numbers: Indices) -> None:
        """All of them are there."""


class BlockCache(PackedBlocks):
    """The blocks used last, packed, in at most `memory` bytes; one at least.

    `count` is told how many blocks of a request were in the cache, and how many had to be read. Several threads may
    read at a time, and load blocks meanwhile: where they are loaded from may be slow.
    """

    in_memory = False

    def __init__(
        self,
        file: Blocks,
        headers: BlockHeaders,
        memory: int,
        count: Callable[[int, int], None] | None = None,
    ) -> None:
        super().__init__(file, headers["base"].copy(), headers["width"].copy())
        self._count = count
        self.hits = self.misses = 0
        self._slot_size = packed_bytes(BLOCK_SIZE, int(self.width.max()))
        self.capacity = min(max(memory // self._slot_size, 1), len(headers))
        self.start = np.full(len(headers), -1, np.int64)
        self.packed = np.empty(self.capacity * self._slot_size, np.uint8)
        # The slot of each block, the block used longest ago first. A lookup asks for eleven blocks: cachetools.LRUCache
        # took 6 microseconds for them, this takes 2.
        self._slots: OrderedDict[int, int] = OrderedDict()
        self._free: Iterator[int] = iter(range(self.capacity))
        self._lock = Lock()

    def probe(self, indices: Indices, distances: Distances) -> None:
        """Read the distances of stored indices, few blocks at a time."""
        touched = self._touched(indices)
        at_a_time = min(self.capacity, _READ_TOGETHER)
        if len(touched) <= at_a_time:
            self._with_blocks(touched, partial(self._read, indices, distances))
            return
        for some in np.array_split(touched, -(-len(touched) // at_a_time)):
            here = np.isin(indices // BLOCK_SIZE, some)
            part = np.empty(np.count_nonzero(here), np.int32)
            self._with_blocks(some, partial(self._read, indices[here], part))
            distances[here] = part
        distances[indices < 0] = UNREACHED

    def range(self, first: int, distances: Signed) -> None:
        """Read the distances of consecutive stored indices, block by block."""
        last = first + len(distances)
        for number in range(first // BLOCK_SIZE, -(-last // BLOCK_SIZE)):
            at, end = max(first, number * BLOCK_SIZE), min(last, (number + 1) * BLOCK_SIZE)
            self._with_blocks(np.array([number]), partial(self._unpack, at, distances[at - first : end - first]))

    def fetch(self, numbers: Indices) -> None:
        """Bring these blocks, at most `capacity` of them, into memory in place of those used longest ago."""
        self._with_blocks(numbers, lambda: None)

    def _with_blocks(self, numbers: Indices, read: Callable[[], object]) -> None:
        """Read while these blocks, at most `capacity` of them, are in memory.

        Others read meanwhile. What they drive out is loaded too.
        """
        loaded: dict[int, Bytes] = {}
        while True:
            with self._lock:
                missing = [number for number in numbers.tolist() if number not in self._slots and number not in loaded]
                if not missing:
                    self._put(numbers, loaded)
                    read()
                    return
            loaded |= {number: self._content(number, block) for number, block in self._blocks(missing)}

    def _put(self, numbers: Indices, loaded: dict[int, Bytes]) -> None:
        """Have these blocks in memory where those that are missing have been loaded."""
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
        for number in missing:
            slot = next(self._free, None)
            if slot is None:
                dropped, slot = self._slots.popitem(last=False)
                self.start[dropped] = -1
            start = slot * self._slot_size
            content = loaded[number]
            self.packed[start : start + len(content)] = content
            self.start[number] = start
            self._slots[number] = slot

    def _blocks(self, numbers: list[int]) -> Iterator[tuple[int, Block]]:
        """Blocks of the file, few in memory at a time."""
        for at in range(0, len(numbers), _READ_TOGETHER):
            some = numbers[at : at + _READ_TOGETHER]
            yield from zip(some, self._file.blocks_at([number * BLOCK_SIZE for number in some]), strict=True)
