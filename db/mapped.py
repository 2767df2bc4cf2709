"""The distances of a table in a file that all processes map:
memory has one copy, whatever the number of processes.

The table's mark, which depends on its digest, names the file. A block is checked when it is first
read, by a checksum in the header. If a block is damaged, it is read from the table itself; the file
is removed, and made again when the table is next opened.
"""

from __future__ import annotations

import logging
import mmap
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from glob import escape
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np

from puzzlebase.db import shared_arrays
from puzzlebase.db.block_cache import (
    BlockArrays,
    Bytes,
    Indices,
    PackedBlocks,
)
from puzzlebase.db.blocks import BLOCK_SIZE, block_offsets
from puzzlebase.db.shared_arrays import ArrayStore, Draft, SharedArrays
from puzzlebase.db.table_file import TableHeader
from puzzlebase.paths import cache_stem

_LOG = logging.getLogger(__name__)
_SUFFIX = ".distances"
_DIGITS = 16  # of the table's mark, in the name


@dataclass(frozen=True)
class MappedFiles:
    """The files of tables in a folder, None for no folder."""

    folder: Path | None = None
    in_memory: float = (
        inf  # bytes of the largest file that stays in memory, so that nobody waits for the disk
    )

    @property
    def numberings(self) -> ArrayStore | None:
        """The store of arrays that number states."""
        return ArrayStore(self.folder) if self.folder else None

    def path(self, table: TableHeader) -> Path | None:
        """The path of a table's file, which need not exist."""
        return self.folder and self.folder / f"{cache_stem(table.path)}-{table.mark}{_SUFFIX}"

    def open(self, table: TableHeader, own: PackedBlocks | None = None) -> MappedBlocks | None:
        """The blocks in the file of a table, made now if missing;
        None if it cannot be made. Raises DamagedTable.

        It is made of this process's `own` blocks of the table, if all are in memory.
        """
        path = self.path(table)
        if path is None:
            return None
        try:
            former = f"{escape(cache_stem(table.path))}-{'?' * _DIGITS}{_SUFFIX}*"
            found = shared_arrays.read_or_make_arrays(path, partial(_write, table, own), former)
        except OSError as error:
            _LOG.warning(
                "%s is not made, each process reads the table itself: %s",
                path,
                error.strerror or error,
            )
            return None
        return (
            MappedBlocks(table, path, found, in_memory=len(found.pages) <= self.in_memory)
            if found
            else None
        )


NOT_MAPPED = MappedFiles()  # each process holds its own copy


class MappedBlocks(PackedBlocks):
    """The blocks in a mapped file, each checked when it is first read.
    Raises DamagedTable as the table's file does.
    """

    def __init__(
        self, table: TableHeader, path: Path, found: SharedArrays, *, in_memory: bool
    ) -> None:
        size = table.info.stored_size
        self._offset = block_offsets(size, found.arrays["width"])
        super().__init__(size, found.arrays, found.tail, np.full(len(self._offset) - 1, -1))
        self._table = table
        self.in_memory = in_memory
        self._path = path
        self._pages = found.pages
        _advise(self._pages, "MADV_HUGEPAGE" if in_memory else "MADV_RANDOM")
        self._checksum = found.arrays["checksum"]

    @property
    def nbytes(self) -> int:
        """Bytes that they take in this process's memory."""
        return self.start.nbytes + self._offset.nbytes

    def _arrays(self, numbers: Indices) -> BlockArrays:
        """The same as ever, once those of these blocks that were not checked before are checked."""
        for number in numbers[self.start[numbers] < 0].tolist():
            first, last = self._offset[number : number + 2].tolist()
            if not self.in_memory:  # have its pages read from the disk at once, not one by one
                tail = len(self._pages) - len(self.codes)
                at = (tail + first) // mmap.PAGESIZE * mmap.PAGESIZE
                _advise(self._pages, "MADV_WILLNEED", at, tail + last - at)
            if zlib.crc32(self.codes[first:last].data) != self._checksum[number]:
                self._mend(number, first, last)
            self.start[number] = first
        return super()._arrays(numbers)

    def _mend(self, number: int, first: int, last: int) -> None:
        """Read a block from the table itself,
        into pages of this process's own, and remove the file.
        """
        file = self._table.file
        (block,) = file.blocks_at([number * BLOCK_SIZE])
        self.codes[first:last] = file.content(
            {"base": self.base, "width": self.width}, number, block
        )
        with suppress(OSError):
            self._path.unlink()
        _LOG.warning(
            "%s was damaged and is removed; it is made again when the table is next opened",
            self._path,
        )


def _write(table: TableHeader, own: PackedBlocks | None, draft: Draft) -> None:
    """Write all blocks of a table, each checked when it is read."""
    headers = table.file.block_headers()
    base, width = (headers[name].copy() for name in ("base", "width"))
    checksums = np.zeros(len(headers), np.uint32)
    arrays = {"base": base, "width": width, "checksum": checksums}
    offsets = block_offsets(table.info.stored_size, width)
    draft.begin(arrays, int(offsets[-1]))

    def take(first: int, at: int, contents: list[Bytes]) -> None:
        draft.put(at, *contents)
        checksums[first : first + len(contents)] = [
            zlib.crc32(content.data) for content in contents
        ]

    if own and own.in_memory:
        for first, last in table.file.pieces(offsets):
            within = pairwise(offsets[first : last + 1].tolist())
            take(first, int(offsets[first]), [own.codes[begin:end] for begin, end in within])
    else:
        table.file.read_all(headers, take)
    draft.finish(arrays)


def _advise(pages: mmap.mmap, advice: str, *where: int) -> None:
    """Advise the system on the reading of a mapped file,
    by a name of `mmap`, if it knows that advice.
    """
    with suppress(OSError, AttributeError):
        pages.madvise(getattr(mmap, advice), *where)
