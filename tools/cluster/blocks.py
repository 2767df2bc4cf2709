"""The blocks of all parts as those of one file: read from their parts, and put together into a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np
import ray

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.db.blocks import BLOCK_SIZE, Block, decode
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import BlockFile, BlockHeaders, TableWriter
from puzzlebase.tools.cluster.plan import Division

_TOGETHER = 64  # blocks in one message: 2 MB of nibbles at most, before compression
_BLOCKS_AT_ONCE = 256


@dataclass
class BlocksOfParts(BlockFile):
    """The blocks of a build that is not one file yet, read as a BlockFile is."""

    division: Division
    parts: list[Any]
    headers: BlockHeaders
    own: int = -1  # the part that reads; -1 for the driver
    file: BlockFile | None = None  # its blocks

    def __post_init__(self) -> None:
        self.stored_size = self.division.layout.size

    def block_headers(self) -> BlockHeaders:
        """The header of every block."""
        return self.headers

    def blocks(self) -> Iterator[Block]:
        """Every block in order; those after the next are on their way while it is read."""
        groups = (
            (part, [at * BLOCK_SIZE for at in range(first, min(first + _TOGETHER, blocks.stop))])
            for part, blocks in enumerate(map(self.division.blocks, range(self.division.parts)))
            for first in range(blocks.start, blocks.stop, _TOGETHER)
        )
        coming = deque(self._asked(*group) for group in islice(groups, 4))
        while coming:
            yield from coming.popleft()()
            coming.extend(self._asked(*group) for group in islice(groups, 1))

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order."""
        firsts = np.array(first_indices, np.int64)
        writers = self.division.parts_of(firsts)
        found: dict[int, Block] = {}
        asked = []
        for part in np.unique(writers).tolist():
            wanted = firsts[writers == part].tolist()
            asked += [self._asked(part, wanted[at : at + _TOGETHER]) for at in range(0, len(wanted), _TOGETHER)]
        for read in asked:
            found |= {block.first_index: block for block in read()}
        return [found[first] for first in first_indices]

    def _asked(self, part: int, first_indices: list[int]) -> Callable[[], list[Block]]:
        """Ask a part for blocks, and give what waits for them."""
        if self.file and part == self.own:
            return partial(self.file.blocks_at, first_indices)
        return partial(ray.get, self.parts[part].blocks.options(concurrency_group="exchange").remote(first_indices))

    def damaged(self, what: str) -> DamagedTable:
        """Make an error that names the remedy."""
        return DamagedTable(f"the blocks of the parts {what}", "run the same command again")

    def close(self) -> None:
        """Do nothing: nothing is open."""


def put_together(writer: TableWriter, blocks: BlocksOfParts, advance: Callable[[int], None]) -> None:
    """Write the blocks of all parts into one file in order, and read them back; raises VerificationError.

    Each block is checked when it comes and when it is read back, and both times the checksums of all have to be the
    same. So the file holds what was certified in the parts.
    """
    came, stored = blake2b(), blake2b()
    coming = _checked(blocks.blocks(), came)
    while some := list(islice(coming, _BLOCKS_AT_ONCE)):
        writer.add(some)
        advance(sum(block.n for block in some))
    with writer.written(blocks.stored_size) as file:
        deque(_checked(file.blocks(), stored), maxlen=0)
    if came.digest() != stored.digest():
        raise VerificationError("the blocks in the file are not those of the parts")


def _checked(blocks: Iterable[Block], total: blake2b) -> Iterator[Block]:
    """The same blocks, each decoded, their checksums added to a hash; raises DamagedBlock."""
    for block in blocks:
        decode(block)
        total.update(block.checksum)
        yield block
