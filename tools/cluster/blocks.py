"""The blocks of all parts, each in its part's file, read as the blocks of one table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import ray

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.db.block_cache import BlockArrays, BlockCache, Packed, PackedBlocks
from puzzlebase.db.blocks import BLOCK_SIZE, Block, decode, packed_bytes
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import BLOCK_HEADER, BlockFile, BlockHeaders, TableWriter
from puzzlebase.puzzles import Indices
from puzzlebase.system import processors
from puzzlebase.tools.cluster.plan import Division

# A block without its data, and the place of its data in its part's file: the driver gets only this, 45 bytes.
STORED = np.dtype([*BLOCK_HEADER.descr, ("checksum", "V16"), ("offset", np.int64), ("size", np.int32)])
_TOGETHER = 64  # blocks in one message: 2 MB of nibbles at most, before compression
_AHEAD = 4  # messages on their way while one is read
_BLOCKS_AT_ONCE = 256
_FEW = 1 << 24  # bytes of packed distances

StoredBlocks = npt.NDArray[np.void]  # of STORED


class PartFile:
    """The file of a part while it is written: the data of its blocks, one after another."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._stored: list[tuple[Any, ...]] = []

    def add(self, blocks: Sequence[Block]) -> None:
        """Append blocks."""
        for block in blocks:
            place = self._file.tell(), self._file.write(block.data)
            self._stored.append((block.first_index, block.n, block.base, block.width, block.checksum, *place))

    def written(self) -> StoredBlocks:
        """End the file, and return a record of its content."""
        self._file.close()
        return np.array(self._stored, STORED)


@dataclass
class BlocksOfParts(BlockFile):
    """The blocks of a build in the files of its parts, read as a BlockFile is.

    Files of parts on the reader's machine are read there; the other parts send their blocks' data.
    """

    division: Division
    parts: list[Any]
    stored: StoredBlocks
    files: Mapping[int, Path]  # of the parts on this machine

    def __post_init__(self) -> None:
        self.stored_size = self.division.layout.size

    def block_headers(self) -> BlockHeaders:
        """The header of every block."""
        return self.stored

    def blocks(self) -> Iterator[Block]:
        """Every block in order; while one is read, the blocks after the next are on their way."""
        return self.some(np.arange(len(self.stored)))

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order."""
        numbers = np.array(first_indices, np.int64) // BLOCK_SIZE
        found = {block.first_index: block for block in self.some(np.sort(numbers))}
        return [found[first] for first in first_indices]

    def some(self, numbers: Indices) -> Iterator[Block]:
        """The blocks of these numbers, which are sorted."""
        writers = self.division.parts_of(numbers * BLOCK_SIZE)
        groups = (
            (part, of_part[at : at + _TOGETHER])
            for part in np.unique(writers).tolist()
            for of_part in [numbers[writers == part]]
            for at in range(0, len(of_part), _TOGETHER)
        )
        coming = deque(self._asked(*group) for group in islice(groups, _AHEAD))
        while coming:
            asked, read = coming.popleft()
            coming.extend(self._asked(*group) for group in islice(groups, 1))
            for number, data in zip(asked.tolist(), read(), strict=True):
                first, n, base, width, checksum, *_ = self.stored[number].item()
                yield Block(first, n, base, width, checksum, data)

    def _asked(self, part: int, numbers: Indices) -> tuple[Indices, Callable[[], list[bytes]]]:
        """Ask for the data of a part's blocks, and return a function that waits for them."""
        if part in self.files:
            return numbers, partial(self.data, part, numbers)
        asked = self.parts[part].blocks.options(concurrency_group="exchange").remote(numbers)
        return numbers, partial(ray.get, asked)

    def data(self, part: int, numbers: Indices) -> list[bytes]:
        """The data of blocks in a file of this machine."""
        with self.files[part].open("rb") as file:
            found = []
            for offset, size in self.stored[["offset", "size"]][numbers].tolist():
                file.seek(offset)
                found.append(file.read(size))
        return found

    def damaged(self, what: str) -> DamagedTable:
        """Make an error that names the remedy."""
        return DamagedTable(f"the blocks of the parts {what}", "run the same command again")

    def close(self) -> None:
        """Do nothing: nothing is open."""


class BlocksOfRows(PackedBlocks):
    """The blocks that a part's certificate reads, by their numbers; it has no others. Raises DamagedTable."""

    def __init__(self, numbers: Indices, file: BlocksOfParts, stored: BlockHeaders) -> None:
        base, width = np.zeros(len(stored), np.int32), np.full(len(stored), 4, np.uint8)
        base[numbers], width[numbers] = stored["base"][numbers], stored["width"][numbers]
        sizes = map(packed_bytes, stored["n"][numbers].tolist(), width[numbers].tolist())
        offsets = np.append(0, np.cumsum([*sizes]))
        start = np.full(len(stored), -1, np.int64)
        start[numbers] = offsets[:-1]
        super().__init__(file, {"base": base, "width": width}, np.empty(int(offsets[-1]), np.uint8), start)
        for number, block in zip(numbers.tolist(), file.some(numbers), strict=True):
            content = self._content(number, block)
            self.codes[self.start[number] : self.start[number] + len(content)] = content

    def packed(self) -> Packed:
        """The distances of the blocks that are here; no others are read."""
        return Packed(self._max_distance(), (BLOCK_SIZE, self.codes, self.start, self.base, self.width))

    def _arrays(self, numbers: Indices) -> BlockArrays:
        if (self.start[numbers] < 0).any():
            raise LookupError(f"a part does not have all of the blocks {numbers}")
        return super()._arrays(numbers)


def few_blocks(blocks: BlocksOfParts) -> BlockCache:
    """Distances for a caller who reads few of them, and never all blocks."""
    return BlockCache(blocks, blocks.block_headers(), _FEW)


def put_together(writer: TableWriter, blocks: BlocksOfParts, advance: Callable[[int], None]) -> None:
    """Write the blocks of all parts into one file in order, and read them back; raises VerificationError.

    Each block is checked when it is read back: its checksum must be the one that its part reported. So the file holds
    the blocks that the parts certified.
    """
    coming = blocks.blocks()
    while some := list(islice(coming, _BLOCKS_AT_ONCE)):
        writer.add(some)
        advance(sum(block.n for block in some))
    with writer.written(blocks.stored_size) as file, ThreadPoolExecutor(processors()) as pool:
        back = file.blocks()
        found: list[bytes] = []
        while some := list(islice(back, _BLOCKS_AT_ONCE)):
            deque(pool.map(decode, some), maxlen=0)
            found += [block.checksum for block in some]
    if b"".join(found) != blocks.stored["checksum"].tobytes():
        raise VerificationError("the blocks in the file are not those of the parts")
