"""Packed blocks in one array, for the kernels of db/blocks.py:
all blocks of a table, or the most recent ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property, partial
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.db import blocks as packing  # a compiled kernel takes its name in this module
from puzzlebase.db.blocks import (
    BLOCK_SIZE,
    Distances,
    DistanceType,
    Signed,
    block_offsets,
    bytes_of_block,
)
from puzzlebase.db.table_file import BlockFile, Headers
from puzzlebase.sentinels import UNREACHED

Indices = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
# size, and those of BlockArrays
KernelArguments = tuple[int, Bytes, Indices, npt.NDArray[np.int32], Bytes]
# packed bytes; blocks' offset, base, width
BlockArrays = tuple[Bytes, Indices, npt.NDArray[np.int32], Bytes]

DEFAULT_MEMORY = 1 << 30  # bytes of packed distances that one open table may hold
_FEW_BLOCKS = 16  # up to one in so many blocks are few enough to read each


class Packed(NamedTuple):
    """Distances in memory, for the kernels of db/blocks.py."""

    max_distance: int  # an upper bound
    arrays: KernelArguments  # with the size of blocks


class PackedBlocks:
    """All blocks of a file, packed in one array:
    `start[b]` is block b's offset in it, -1 if it is not there yet.

    They are this process's own or, in MappedBlocks,
    those of a file. Safe to use from several threads.
    """

    in_memory = True  # all blocks are in memory, so that a distance takes microseconds
    _together = sys.maxsize  # blocks that are read at a time

    def __init__(self, stored_size: int, headers: Headers, codes: Bytes, start: Indices) -> None:
        self._stored_size = stored_size
        self.base = np.ascontiguousarray(headers["base"])
        self.width = np.ascontiguousarray(headers["width"])
        self.codes = codes
        self.start = start

    @property
    def nbytes(self) -> int:
        """Bytes that they take in this process's memory."""
        return self.codes.nbytes + self.start.nbytes + self.base.nbytes + self.width.nbytes

    @property
    def arguments(self) -> KernelArguments:
        """The arguments of the kernel `probe_blocks` between indices and distances."""
        return self._stored_size, self.codes, self.start, self.base, self.width

    def probe(self, indices: Indices) -> Distances:
        """Distances of stored indices, int64[n] -> int32[n];
        UNREACHED for -1. Raises DamagedTable and IndexError.
        """
        distances = np.empty(len(indices), np.int32)
        if not packing.probe_blocks(indices, *self.arguments, distances):
            distances.fill(UNREACHED)
            touched = self._touched(indices)
            for first in range(0, len(touched), self._together):
                arrays = self._arrays(touched[first : first + self._together])
                packing.probe_blocks(indices, self._stored_size, *arrays, distances)
        return distances

    def range(self, first: int, last: int) -> Signed:
        """Distances of stored indices first .. last-1,
        in the narrowest type; raises DamagedTable and IndexError.
        """
        if not 0 <= first <= last <= self._stored_size:
            raise IndexError(
                f"{first} .. {last} are no stored indices: the table has {self._stored_size}"
            )
        distances = np.empty(last - first, self.dtype(first, last))
        numbers = np.arange(first // BLOCK_SIZE, -(-last // BLOCK_SIZE))
        for at in range(0, len(numbers), self._together):
            some = numbers[at : at + self._together]
            begin, end = max(first, some[0] * BLOCK_SIZE), min(last, (some[-1] + 1) * BLOCK_SIZE)
            packing.unpack_blocks(
                begin, BLOCK_SIZE, *self._arrays(some), distances[begin - first : end - first]
            )
        return distances

    def packed(self) -> Packed | None:
        """All distances in memory, None if they do not fit. Raises DamagedTable."""
        if not self.in_memory:
            return None
        arrays = self._arrays(np.arange(len(self.base)))
        return Packed(self._max_distance(), (BLOCK_SIZE, *arrays))

    def dtype(self, first: int, last: int) -> DistanceType:
        """The narrowest type that holds all distances of the blocks of stored indices first ..
        last-1.
        """
        most = int(self._bounds[first // BLOCK_SIZE : -(-last // BLOCK_SIZE)].max(initial=0))
        return np.int8 if most < 1 << 7 else np.int16 if most < 1 << 15 else np.int32

    def _arrays(self, numbers: Indices) -> BlockArrays:  # noqa: ARG002 -- all blocks are there
        """The bytes of blocks, distinct numbers,
        and all blocks' offsets, bases and widths; raises DamagedTable.
        """
        return self.codes, self.start, self.base, self.width

    def _touched(self, indices: Indices) -> Indices:
        """The numbers of the blocks of stored indices, sorted;
        raises IndexError for integers other than -1.
        """
        outside = indices[(indices < -1) | (indices >= self._stored_size)]
        if len(outside):
            raise IndexError(f"{outside[0]} is no stored index: the table has {self._stored_size}")
        return np.unique(indices[indices >= 0] // BLOCK_SIZE)

    @cached_property
    def _bounds(self) -> Indices:
        """The max distance that each block of its base and width can hold."""
        bounds: Indices = self.base + (np.int64(1) << self.width.astype(np.int64)) - 2
        return bounds

    def _max_distance(self) -> int:
        """An upper bound of all distances.
        If few blocks may exceed a byte, the true max of these counts.
        """
        wide = np.flatnonzero(self._bounds > np.iinfo(np.int8).max)
        if len(wide) > max(len(self._bounds) // _FEW_BLOCKS, 1):
            return int(self._bounds.max())
        ends = np.minimum((wide + 1) * BLOCK_SIZE, self._stored_size).tolist()
        blocks = (
            self.range(number * BLOCK_SIZE, end)
            for number, end in zip(wide.tolist(), ends, strict=True)
        )
        return max(
            [0, *np.delete(self._bounds, wide).tolist(), *(int(block.max()) for block in blocks)]
        )


class BlockCache(PackedBlocks):
    """The most recent blocks, in at most `memory` bytes;
    at least one. Several threads may load at a time.
    """

    in_memory = False
    _together = 256  # 64 MB at most

    def __init__(self, file: BlockFile, headers: Headers, memory: int) -> None:
        super().__init__(
            file.stored_size, headers, np.empty(0, np.uint8), np.full(len(headers["base"]), -1)
        )
        self._file, self._headers = file, headers
        largest = bytes_of_block(BLOCK_SIZE, int(self.width.max()))
        self._recent: LRUCache[int, Bytes] = LRUCache(max(memory, largest), len)
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """Bytes that they may take in this process's memory:
        nobody asks again while they become more.
        """
        return super().nbytes + int(self._recent.maxsize)

    def _arrays(self, numbers: Indices) -> BlockArrays:
        contents = self._contents(numbers.tolist())
        start = self.start.copy()
        start[numbers] = np.cumsum([0, *map(len, contents[:-1])])
        return np.concatenate(contents), start, self.base, self.width

    def _contents(self, numbers: list[int]) -> list[Bytes]:
        with self._lock:
            found = {number: self._recent[number] for number in numbers if number in self._recent}
        missing = [number for number in numbers if number not in found]
        if missing:
            blocks = self._file.blocks_at([number * BLOCK_SIZE for number in missing])
            content = partial(self._file.content, self._headers)
            loaded = dict(zip(missing, map(content, missing, blocks), strict=True))
            found |= loaded
            with self._lock:
                self._recent.update(loaded)
        return [found[number] for number in numbers]


def blocks_in_own_memory(file: BlockFile, headers: Headers) -> PackedBlocks:
    """All blocks, read and checked now. Raises DamagedTable."""
    offsets = block_offsets(file.stored_size, headers["width"])
    codes = np.empty(int(offsets[-1]), np.uint8)

    def take(_first: int, at: int, contents: list[Bytes]) -> None:
        np.concatenate(contents, out=codes[at : at + sum(map(len, contents))])

    file.read_all(headers, take)
    return PackedBlocks(file.stored_size, headers, codes, offsets[:-1])


def blocks_within(
    file: BlockFile, memory: int, make_room: Callable[[int], object] = lambda _: None
) -> PackedBlocks:
    """All blocks, if they take at most `memory` bytes; else the most recent. Raises DamagedTable.

    `make_room` gets the number of bytes before they are taken.
    """
    headers = file.block_headers()
    size = int(block_offsets(file.stored_size, headers["width"])[-1])
    make_room(min(size, memory))
    return (
        blocks_in_own_memory(file, headers) if size <= memory else BlockCache(file, headers, memory)
    )
