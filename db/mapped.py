"""The distances of a table in a file that all processes map: memory has one copy, whatever the number of processes.

The file is named by the table's digest and made from the table's blocks, each of which is checked. What is read of it
later is checked too: a block when it is first read, by a checksum in the file's head. A block that is damaged is read
from the table itself, and the file is removed, to be made again when the table is next opened.
"""

from __future__ import annotations

import logging
import mmap
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from glob import escape
from math import inf
from pathlib import Path
from typing import BinaryIO

import numpy as np

from puzzlebase import kept
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.packed import Bytes, Indices, PackedBlocks, contents_of, sizes_of
from puzzlebase.db.table_file import BlockFile, BlockHeaders, TableFile
from puzzlebase.kept import Kept

_SUFFIX = ".distances"
_DIGITS = 16  # of the digest, in the name; the head has all of it


@dataclass(frozen=True)
class MappedFiles:
    """Where such files lie, None for nowhere, and what is done with them.

    A file that is there is used. One that is not is made where the whole table would fit into this process's memory,
    or `always`. Files of at most `in_memory` bytes are taken to stay in the machine's memory, so that nobody waits for
    the disk.
    """

    folder: Path | None = None
    always: bool = False
    in_memory: float = inf

    def path(self, table: TableFile) -> Path | None:
        """The file of a table, whether it is there or not."""
        return self.folder and self.folder / f"{table.path.stem}-{table.digest[:_DIGITS]}{_SUFFIX}"

    def find(self, table: TableFile) -> MappedBlocks | None:
        """The blocks in the file of a table; None where there is none that is sound."""
        path = self.path(table)
        try:
            found = path and kept.read(path)
        except OSError:
            return None
        return self._blocks(table, path, found) if path and found else None

    def make(self, table: TableFile, headers: BlockHeaders, packed: Bytes | None = None) -> MappedBlocks | None:
        """The blocks in the file of a table, made now if need be; None where that cannot be. Raises DamagedTable.

        `packed` are all blocks one after another, where they have just been read from the table.
        """
        path = self.path(table)
        if path is None:
            return None
        former = f"{escape(table.path.stem)}-{'?' * _DIGITS}{_SUFFIX}*"
        try:
            found = kept.read_or_make(path, partial(_write, table, headers, packed), former)
        except OSError as error:
            _log().info("%s is not made, each process holds its own copy: %s", path, error.strerror or error)
            return None
        return self._blocks(table, path, found) if found else None

    def _blocks(self, table: TableFile, path: Path, found: Kept) -> MappedBlocks | None:
        """What was found, if it is of this table."""
        arrays = found.arrays
        if arrays.keys() != {"digest", "base", "width", "checksum"} or arrays["digest"].tobytes().hex() != table.digest:
            return None
        blocks = MappedBlocks(table, path, found, in_memory=len(found.tail) <= self.in_memory)
        return blocks if blocks.fits else None


NOT_MAPPED = MappedFiles()
"""Each process holds its own copy."""


class MappedBlocks(PackedBlocks):
    """The blocks in a mapped file, each checked when it is first read. Raises DamagedTable as the table's file does."""

    whole = True

    def __init__(self, file: BlockFile, path: Path, found: Kept, *, in_memory: bool) -> None:
        super().__init__(file, found.arrays["base"], found.arrays["width"])
        self.in_memory = in_memory
        self.packed = found.tail
        self.start = np.full(len(self.base), -1, np.int64)
        self._path = path
        self._mapped = found.mapped
        self._mapped.madvise(mmap.MADV_HUGEPAGE if in_memory else mmap.MADV_RANDOM)
        self._checksum = found.arrays["checksum"]
        self._offset = np.concatenate([[0], np.cumsum(sizes_of(file, self.width))])

    @property
    def fits(self) -> bool:
        """Whether the file has the bytes that the blocks of this table take."""
        return len(self.base) == -(-self._file.stored_size // BLOCK_SIZE) and self._offset[-1] == len(self.packed)

    def fetch(self, numbers: Indices) -> None:
        """Check those of these blocks that were not checked before."""
        for number in numbers[self.start[numbers] < 0].tolist():
            first, last = self._offset[number : number + 2].tolist()
            if not self.in_memory:
                self._read_ahead(first, last)
            if zlib.crc32(self.packed[first:last].data) != self._checksum[number]:
                self._mend(number, first, last)
            self.start[number] = first

    def _read_ahead(self, first: int, last: int) -> None:
        """Have the pages of a block read from the disk at once, not one by one."""
        tail = len(self._mapped) - len(self.packed)
        at = (tail + first) // mmap.PAGESIZE * mmap.PAGESIZE
        self._mapped.madvise(mmap.MADV_WILLNEED, at, tail + last - at)

    def _mend(self, number: int, first: int, last: int) -> None:
        """Read a block from the table itself, into pages that are this process's own; the file is removed."""
        (block,) = self._file.blocks_at([number * BLOCK_SIZE])
        self.packed[first:last] = self._content(number, block)
        with suppress(OSError):
            self._path.unlink()
        _log().warning("%s was damaged and is removed; it is made again when the table is next opened", self._path)


def _write(table: TableFile, headers: BlockHeaders, packed: Bytes | None, file: BinaryIO) -> None:
    """Write the blocks of a table into a file, each of them checked when it was read."""
    base, width = headers["base"].copy(), headers["width"].copy()
    sizes = sizes_of(table, width)
    arrays = {
        "digest": np.frombuffer(bytes.fromhex(table.digest), np.uint8),
        "base": base,
        "width": width,
        "checksum": np.zeros(len(base), np.uint32),
    }

    def contents() -> Iterator[Bytes]:
        if packed is not None:
            arrays["checksum"][:] = [_checksum(content) for content in np.split(packed, np.cumsum(sizes)[:-1])]
            yield packed
            return
        for number, (content, checksum) in enumerate(contents_of(table, base, width, _checksum)):
            arrays["checksum"][number] = checksum
            yield content

    kept.write(file, arrays, contents(), int(sizes.sum()))


def _checksum(content: Bytes) -> int:
    return zlib.crc32(content.data)


def _log() -> logging.Logger:
    return logging.getLogger(__name__)
