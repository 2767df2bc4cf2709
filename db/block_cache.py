"""Packed blocks in one array, for the kernels of db/blocks.py: all blocks of a table, or the most recent ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice, pairwise
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.db import blocks as packing  # a compiled kernel takes its name in this module
from puzzlebase.db.blocks import BLOCK_SIZE, UNREACHED, Block, Distances, Signed, decode, packed_bytes
from puzzlebase.db.table_file import BlockFile, BlockHeaders
from puzzlebase.system import processors

Indices = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

DEFAULT_MEMORY = 1 << 30  # bytes of packed distances that one open table may hold
_TOGETHER = 1 << 21  # packed bytes that a thread makes at a time, by the beginnings of blocks: a large page
_FEW_BLOCKS = 16  # up to one in so many blocks are few enough to read each
_READ_TOGETHER = 256  # blocks that are loaded at a time, beside the cache: 64 MB at most


class Packed(NamedTuple):
    """Distances in memory, for the kernels of db/blocks.py."""

    max_distance: int  # an upper bound
    arrays: tuple[int, Bytes, Indices, npt.NDArray[np.int32], Bytes]  # block size; bytes; blocks' offset, base, width


class PackedBlocks:
    """Blocks in `packed`: `start[b]` is block b's offset there, -1 if it is missing or has not been checked."""

    in_memory = True  # True: all blocks are in memory, so that a distance takes microseconds
    packed: Bytes
    start: Indices

    def __init__(self, file: BlockFile, base: npt.NDArray[np.int32], width: Bytes) -> None:
        self._file = file
        self.base = base
        self.width = width

    @property
    def nbytes(self) -> int:
        """Bytes that they take in this process's memory."""
        return self.packed.nbytes + self.start.nbytes + self.base.nbytes + self.width.nbytes

    def fetch(self, numbers: Indices) -> None:
        """Make these blocks, distinct numbers, available; raises DamagedTable."""

    def probe(self, indices: Indices, distances: Distances) -> None:
        """Read the distances of stored indices, -1 for -1; raises DamagedTable, and IndexError for other integers."""
        if not self._read(indices, distances):
            self.fetch(self._touched(indices))
            self._read(indices, distances)

    def range(self, first: int, distances: Signed) -> None:
        """Read the distances of consecutive stored indices; raises DamagedTable."""
        self.fetch(np.arange(first // BLOCK_SIZE, -(-(first + len(distances)) // BLOCK_SIZE)))
        self._unpack(first, distances)

    def _read(self, indices: Indices, distances: Distances) -> bool:
        """Read the distances; False if some blocks are missing, or something is no stored index."""
        size = self._file.stored_size
        there: bool = packing.probe(indices, size, self.packed, self.start, self.base, self.width, distances)
        return there

    def _touched(self, indices: Indices) -> Indices:
        """The numbers of the blocks of stored indices, sorted; raises IndexError for integers other than -1."""
        outside = indices[(indices < -1) | (indices >= self._file.stored_size)]
        if len(outside):
            raise IndexError(f"{outside[0]} is no stored index: the table has {self._file.stored_size}")
        return np.unique(indices[indices >= 0] // BLOCK_SIZE)

    def _unpack(self, first: int, distances: Signed) -> None:
        packing.unpack(first, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def all(self) -> Packed:
        """All distances, if all blocks have a place in `packed`; raises DamagedTable."""
        self.fetch(np.arange(len(self.base)))
        return Packed(self._max_distance(), (BLOCK_SIZE, self.packed, self.start, self.base, self.width))

    @cached_property
    def bounds(self) -> Indices:
        """The max distance that each block of its base and width can hold."""
        bounds: Indices = self.base + (np.int64(1) << self.width.astype(np.int64)) - 2
        return bounds

    def dtype(self, first: int, last: int) -> type[np.signedinteger[Any]]:
        """The narrowest type that holds all distances of the blocks of stored indices first .. last-1."""
        most = int(self.bounds[first // BLOCK_SIZE : -(-last // BLOCK_SIZE)].max(initial=0))
        return np.int8 if most < 1 << 7 else np.int16 if most < 1 << 15 else np.int32

    def _max_distance(self) -> int:
        """An upper bound of all distances. If few blocks may exceed a byte, the true max of these counts."""
        wide = np.flatnonzero(self.bounds > np.iinfo(np.int8).max)
        if len(wide) > max(len(self.bounds) // _FEW_BLOCKS, 1):
            return int(self.bounds.max())
        found = [0, *np.delete(self.bounds, wide).tolist()]
        for number in wide.tolist():
            distances = np.empty(min(BLOCK_SIZE, self._file.stored_size - number * BLOCK_SIZE), np.int32)
            self._unpack(number * BLOCK_SIZE, distances)
            found.append(int(distances.max()))
        return max(found)

    def _content(self, number: int, block: Block) -> Bytes:
        return content_of(self._file, number, block, int(self.base[number]), int(self.width[number]))


class WholeBlocks(PackedBlocks):
    """All blocks, read at once; or `packed` from an earlier read. Raises DamagedTable."""

    def __init__(self, file: BlockFile, headers: BlockHeaders, packed: Bytes | None = None) -> None:
        super().__init__(file, headers["base"].copy(), headers["width"].copy())
        offsets = offsets_of(file, self.width)
        self.start = offsets[:-1]
        if packed is not None:
            self.packed = packed
            return
        self.packed = np.empty(int(offsets[-1]), np.uint8)

        def take(_first: int, at: int, contents: list[Bytes]) -> None:
            np.concatenate(contents, out=self.packed[at : at + sum(map(len, contents))])

        read_all(file, self.base, self.width, take)


class BlockCache(PackedBlocks):
    """The most recent blocks, in at most `memory` bytes; at least one. Several threads may load at a time."""

    in_memory = False

    def __init__(
        self, file: BlockFile, headers: BlockHeaders, memory: int, count: Callable[[int, int], None] | None = None
    ) -> None:
        super().__init__(file, headers["base"].copy(), headers["width"].copy())
        self._count = count  # gets two numbers for each request: of blocks that were in memory, and of others
        largest = packed_bytes(BLOCK_SIZE, int(self.width.max()))
        self._recent: LRUCache[int, Bytes] = LRUCache(max(memory, largest), len)
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """Bytes that they take in this process's memory."""
        return int(self._recent.currsize) + self.base.nbytes + self.width.nbytes

    def probe(self, indices: Indices, distances: Distances) -> None:
        """Read the distances of stored indices, few blocks at a time."""
        touched = self._touched(indices)
        for first in range(0, len(touched), _READ_TOGETHER):
            some = touched[first : first + _READ_TOGETHER]
            here = np.isin(indices // BLOCK_SIZE, some)
            numbers, offsets = np.divmod(indices[here], BLOCK_SIZE)
            part = np.empty(len(numbers), np.int32)
            at = np.searchsorted(some, numbers) * BLOCK_SIZE + offsets
            packing.probe(at, len(some) * BLOCK_SIZE, *self._joined(some), part)
            distances[here] = part
        distances[indices < 0] = UNREACHED

    def range(self, first: int, distances: Signed) -> None:
        """Read the distances of consecutive stored indices, block by block."""
        last = first + len(distances)
        for number in range(first // BLOCK_SIZE, -(-last // BLOCK_SIZE)):
            begin = number * BLOCK_SIZE
            at, end = max(first, begin), min(last, begin + BLOCK_SIZE)
            block = self._joined(np.array([number]))
            packing.unpack(at - begin, BLOCK_SIZE, *block, distances[at - first : end - first])

    def _joined(self, numbers: Indices) -> tuple[Bytes, Indices, npt.NDArray[np.int32], Bytes]:
        """Some blocks as if they were all: their bytes, and each block's offset, base and width."""
        contents = self._contents(numbers.tolist())
        ends = np.cumsum([len(content) for content in contents])
        start = np.append(0, ends[:-1])
        return np.concatenate(contents), start, self.base[numbers], self.width[numbers]

    def _contents(self, numbers: list[int]) -> list[Bytes]:
        with self._lock:
            found = {number: self._recent[number] for number in numbers if number in self._recent}
        missing = [number for number in numbers if number not in found]
        if self._count:
            self._count(len(found), len(missing))
        if missing:
            blocks = self._file.blocks_at([number * BLOCK_SIZE for number in missing])
            loaded = {number: self._content(number, block) for number, block in zip(missing, blocks, strict=True)}
            found |= loaded
            with self._lock:
                self._recent.update(loaded)
        return [found[number] for number in numbers]


def content_of(file: BlockFile, number: int, block: Block, base: int, width: int) -> Bytes:
    """The packed bytes of a block, uint8[bytes]; raises DamagedTable also if it is not block `number`."""
    content = decoded(file, block)
    if (block.first_index, block.base, block.width) != (number * BLOCK_SIZE, base, width):
        raise file.damaged(f"is damaged: block {number} is not in its place")
    return content


def decoded(file: BlockFile, block: Block) -> Bytes:
    """The packed bytes of a block of a file, uint8[bytes]; raises DamagedTable."""
    with file.damage():
        return decode(block)


def read_all(
    file: BlockFile, base: npt.NDArray[np.int32], width: Bytes, take: Callable[[int, int, list[Bytes]], None]
) -> None:
    """Call `take` with the number of a block, its offset, and the packed bytes of it and some after it, for all blocks.

    Blocks are unpacked, checked and taken on all processors, in any order. Raises DamagedTable.
    """
    offsets = offsets_of(file, width)

    def unpacked(first: int, blocks: list[Block]) -> None:
        numbered = enumerate(blocks, first)
        contents = [content_of(file, at, block, int(base[at]), int(width[at])) for at, block in numbered]
        take(first, int(offsets[first]), contents)

    threads = processors()
    pages = offsets[:-1] // _TOGETHER
    blocks = file.blocks()
    taking: deque[Future[None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for first, last in pairwise([*np.flatnonzero(np.diff(pages, prepend=-1)).tolist(), len(base)]):
            some = [*islice(blocks, last - first)]
            if len(some) < last - first:
                raise file.damaged("lacks blocks")
            taking.append(pool.submit(unpacked, first, some))
            if len(taking) > 2 * threads:
                taking.popleft().result()
        for each in taking:
            each.result()


def offsets_of(file: BlockFile, width: Bytes) -> Indices:
    """The offset of each block of a file, packed at its width after those before it, and the end of the last one."""
    n = np.full(len(width), BLOCK_SIZE, np.int64)
    n[-1] = file.stored_size - (len(width) - 1) * BLOCK_SIZE
    sizes = (n * width.astype(np.int64) + 7) // 8
    return np.concatenate([[0], np.cumsum(sizes)])
