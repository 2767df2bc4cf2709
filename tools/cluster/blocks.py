"""The blocks of all parts as those of one file: own ones from the part's file, others fetched from their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import ray

from puzzlebase.db.blocks import BLOCK_SIZE, Block
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.files import Closing
from puzzlebase.db.table_file import BlockFile, BlockHeaders
from puzzlebase.tools.cluster.plan import Division

_TOGETHER = 64  # blocks in one message: 2 MB of nibbles at most, before compression


class BlocksOfParts(Closing):
    """The blocks of a build that is not one file yet; read as a BlockFile is.

    `own` is the part that reads, and its file; none for the driver.
    """

    def __init__(
        self,
        division: Division,
        parts: list[Any],
        headers: BlockHeaders,
        own: tuple[int, BlockFile | None] = (-1, None),
    ) -> None:
        self.stored_size = division.layout.size
        self.elsewhere = ""
        self._division = division
        self._parts = parts
        self._headers = headers
        self._own, self._file = own

    def block_headers(self) -> BlockHeaders:
        """The header of every block."""
        return self._headers

    def blocks(self) -> Iterator[Block]:
        """Every block in order; those after the next are on their way while it is read."""
        groups = [
            (part, range(first, min(first + _TOGETHER, blocks.stop)))
            for part, blocks in enumerate(map(self._division.blocks, range(self._division.parts)))
            for first in range(blocks.start, blocks.stop, _TOGETHER)
        ]
        coming: list[Any] = []
        for number, _ in enumerate(groups):
            while len(coming) < 4 and number + len(coming) < len(groups):
                part, group = groups[number + len(coming)]
                coming.append(self._asked(part, [at * BLOCK_SIZE for at in group]))
            yield from self._got(coming.pop(0))

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order."""
        firsts = np.array(first_indices, np.int64)
        writers = self._division.parts_of(firsts)
        found: dict[int, Block] = {}
        asked = []
        for part in np.unique(writers).tolist():
            wanted = firsts[writers == part].tolist()
            asked += [self._asked(part, wanted[at : at + _TOGETHER]) for at in range(0, len(wanted), _TOGETHER)]
        for one in asked:
            found |= {block.first_index: block for block in self._got(one)}
        return [found[first] for first in first_indices]

    def _asked(self, part: int, first_indices: list[int]) -> Any:
        if part == self._own:
            return first_indices
        return self._parts[part].blocks.options(concurrency_group="exchange").remote(first_indices)

    def _got(self, asked: Any) -> list[Block]:
        if isinstance(asked, list):
            assert self._file
            return self._file.blocks_at(asked)
        blocks: list[Block] = ray.get(asked)
        return blocks

    def damage(self) -> AbstractContextManager[None]:
        """A block that was fetched is a block."""
        return nullcontext()

    def damaged(self, what: str) -> DamagedTable:
        """An error that names the remedy."""
        return DamagedTable(f"the blocks of the parts {what}", "run the same command again")

    def close(self) -> None:
        """Nothing is open."""
