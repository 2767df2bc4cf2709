"""The blocks of all parts, each in its part's file, read as the blocks of one table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from puzzlebase.db.blocks import BLOCK_SIZE, Block
from puzzlebase.db.table_file import BlockFile
from puzzlebase.puzzles import Indices
from puzzlebase.threads import in_order
from puzzlebase.tools.cluster.plan import Division

_TOGETHER = 64  # blocks in one message: 2 MB of nibbles at most, before compression
_AHEAD = 4  # messages on their way while one is read


class PartFile:
    """The file of a part: the data of its blocks, one after another. `headers` are the blocks without their data."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb+")
        self._ends = [0]
        self.headers: list[Block] = []

    def add(self, blocks: Sequence[Block]) -> None:
        """Append blocks."""
        for block in blocks:
            self._file.write(block.data)
            self._ends.append(self._file.tell())
            self.headers.append(replace(block, data=b""))
        self._file.flush()

    def blocks(self, numbers: Indices) -> list[Block]:
        """Blocks by their numbers in the table; safe to use from several threads."""
        found = []
        for number in numbers.tolist():
            at = number - self.headers[0].first_index // BLOCK_SIZE
            first, last = self._ends[at : at + 2]
            data = os.pread(self._file.fileno(), last - first, first)
            found.append(replace(self.headers[at], data=data))
        return found


class BlocksOfParts(BlockFile):
    """The blocks of a table in the files of its parts; the file at `path` has them without their data.

    The function `ask` asks a part for blocks by their numbers, and waits for them.
    """

    def __init__(self, path: Path, division: Division, ask: Callable[[int, Indices], list[Block]]) -> None:
        super().__init__(path, division.layout.size)
        self._division = division
        self._ask = ask

    def blocks(self) -> Iterator[Block]:
        """Every block in order; while one is read, the blocks after the next are on their way."""
        return self._some(np.arange(self.block_count))

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order."""
        numbers = np.array(first_indices) // BLOCK_SIZE
        found = {block.first_index: block for block in self._some(np.sort(numbers))}
        return [found[first] for first in first_indices]

    def _some(self, numbers: Indices) -> Iterator[Block]:
        """The blocks of these numbers, which are sorted."""
        writers = self._division.parts_of(numbers * BLOCK_SIZE)
        groups = (
            (part, of_part[at : at + _TOGETHER])
            for part in np.unique(writers).tolist()
            for of_part in [numbers[writers == part]]
            for at in range(0, len(of_part), _TOGETHER)
        )
        with ThreadPoolExecutor(_AHEAD) as pool:
            for some in in_order(pool, lambda group: self._ask(*group), groups, _AHEAD):
                yield from some
