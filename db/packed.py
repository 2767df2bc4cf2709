"""Packed blocks in one array: what the kernels of db/blocks.py read."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import BLOCK_SIZE, Block, DamagedBlock, Distances, Signed, decode, probe, unpack
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import Blocks

Indices = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_TOGETHER = 1 << 21
"""Packed bytes that a thread makes at a time: those of blocks that begin within so many, a large page."""


class Packed(NamedTuple):
    """Distances in memory: the max distance that there can be, and what the kernels of db/blocks.py read.

    `arrays` are the block size, the packed bytes, and each block's offset in them, base and width.
    """

    max_distance: int
    arrays: tuple[int, Bytes, Indices, npt.NDArray[np.int32], Bytes]


_FEW_BLOCKS = 16
"""One of so many blocks: few enough to look into each."""


class PackedBlocks(ABC):
    """Blocks in `packed`: `start[b]` is block b's offset there, -1 while it is not there or has not been checked."""

    in_memory: bool
    """Whether a distance takes microseconds, since all are in memory."""

    hits, misses = 0, 0
    """Numbers of blocks asked for that were in memory, and that were not, where not all are."""

    packed: Bytes
    start: Indices

    def __init__(self, file: Blocks, base: npt.NDArray[np.int32], width: Bytes) -> None:
        self._file = file
        self.base = base
        self.width = width

    @property
    def held(self) -> list[object]:
        """What is in memory, for those who count its bytes."""
        return [self.packed, self.start, self.base, self.width]

    @property
    def intact(self) -> bool:
        """True if the bytes that are read are still those that were checked."""
        return True

    @abstractmethod
    def fetch(self, numbers: Indices) -> None:
        """Have these blocks there, by number, without repeats; raises DamagedTable."""

    def probe(self, indices: Indices, distances: Distances) -> None:
        """Read the distances of stored indices, -1 for -1; raises DamagedTable, and IndexError for what is none."""
        if not self._read(indices, distances):
            self.fetch(self._touched(indices))
            self._read(indices, distances)

    def range(self, first: int, distances: Signed) -> None:
        """Read the distances of consecutive stored indices; raises DamagedTable."""
        self.fetch(np.arange(first // BLOCK_SIZE, -(-(first + len(distances)) // BLOCK_SIZE)))
        self._unpack(first, distances)

    def _read(self, indices: Indices, distances: Distances) -> bool:
        """Read what is there; False where some blocks are not, or something is no stored index."""
        size = self._file.stored_size
        there: bool = probe(indices, size, self.packed, self.start, self.base, self.width, distances)
        return there

    def _touched(self, indices: Indices) -> Indices:
        """The numbers of the blocks of stored indices, sorted; raises IndexError for what is none, other than -1."""
        outside = indices[(indices < -1) | (indices >= self._file.stored_size)]
        if len(outside):
            raise IndexError(f"{outside[0]} is no stored index: the table has {self._file.stored_size}")
        return np.unique(indices[indices >= 0] // BLOCK_SIZE)

    def _unpack(self, first: int, distances: Signed) -> None:
        """Read consecutive stored indices, all of whose blocks are there."""
        unpack(first, BLOCK_SIZE, self.packed, self.start, self.base, self.width, distances)

    def all(self) -> Packed:
        """All distances, where all blocks have their place; raises DamagedTable."""
        self.fetch(np.arange(len(self.base)))
        return Packed(self._max_distance(), (BLOCK_SIZE, self.packed, self.start, self.base, self.width))

    @cached_property
    def bounds(self) -> Indices:
        """The max distance that each block of its base and width can hold."""
        bounds: Indices = self.base + (np.int64(1) << self.width.astype(np.int64)) - 2
        return bounds

    def dtype(self, first: int, last: int) -> type[np.signedinteger[Any]]:
        """The narrowest type that holds all distances of the blocks of stored indices first .. last-1."""
        return _narrowest(int(self.bounds[first // BLOCK_SIZE : -(-last // BLOCK_SIZE)].max(initial=0)))

    def _max_distance(self) -> int:
        """A bound of all distances. Where few blocks could hold those of a wider type, it is what these do hold."""
        wide = np.flatnonzero(self.bounds > np.iinfo(np.int8).max)
        if len(wide) > max(len(self.bounds) // _FEW_BLOCKS, 1):
            return int(self.bounds.max())
        found = [0, *np.delete(self.bounds, wide).tolist()]
        for number in wide.tolist():
            distances = np.empty(self._n(number), np.int32)
            self._unpack(number * BLOCK_SIZE, distances)
            found.append(int(distances.max()))
        return max(found)

    def _n(self, number: int) -> int:
        return min(BLOCK_SIZE, self._file.stored_size - number * BLOCK_SIZE)

    def _content(self, number: int, block: Block) -> Bytes:
        """The packed bytes of a block of the file; raises DamagedTable."""
        return content_of(self._file, number, block, int(self.base[number]), int(self.width[number]))


def _narrowest(max_distance: int) -> type[np.signedinteger[Any]]:
    return np.int8 if max_distance < 1 << 7 else np.int16 if max_distance < 1 << 15 else np.int32


def content_of(file: Blocks, number: int, block: Block, base: int, width: int) -> Bytes:
    """The packed bytes of a block that was read as block `number`, uint8[bytes]; raises DamagedTable."""
    content = decoded(file, block)
    if (block.first_index, block.base, block.width) != (number * BLOCK_SIZE, base, width):
        raise file.damaged(f"is damaged: block {number} is not where it belongs")
    return content


def decoded(file: Blocks, block: Block) -> Bytes:
    """The packed bytes of a block of a file, uint8[bytes]; raises DamagedTable."""
    try:
        with file.damage():
            return decode(block)
    except DamagedBlock as error:
        if block.origin:
            raise DamagedTable(
                f"{error}: {block.origin!r} is not the part that belongs to the table",
                "copy that part there anew, from where the table was split",
            ) from error
        raise file.damaged(f"is damaged: {error}") from error


def read_all(
    file: Blocks, base: npt.NDArray[np.int32], width: Bytes, take: Callable[[int, int, list[Bytes]], None]
) -> None:
    """Give `take` the packed bytes of every block: of some in a row, after the number of the first and its offset.

    Raises DamagedTable. Blocks are unpacked, checked and taken on all processors, in any order, while those after them
    are read.
    """
    offsets = offsets_of(file, width)

    def unpacked(first: int, blocks: list[Block]) -> None:
        numbered = enumerate(blocks, first)
        take(
            first,
            int(offsets[first]),
            [content_of(file, at, block, int(base[at]), int(width[at])) for at, block in numbered],
        )

    threads = os.cpu_count() or 1
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


def offsets_of(file: Blocks, width: Bytes) -> Indices:
    """Where each block of a file begins, packed at its width after those before it, and where the last one ends."""
    n = np.full(len(width), BLOCK_SIZE, np.int64)
    n[-1] = file.stored_size - (len(width) - 1) * BLOCK_SIZE
    sizes = (n * width.astype(np.int64) + 7) // 8
    return np.concatenate([[0], np.cumsum(sizes)])
