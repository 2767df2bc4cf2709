"""The distances of a table in a file that all processes map: memory has one copy, whatever the number of processes.

The table's mark names the file, and its content has the table's digest. A block is checked when it is first read, by a
checksum in the header. If a block is damaged, it is read from the table itself; the file is removed, and made again
when the table is next opened.
"""

from __future__ import annotations

import logging
import mmap
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from glob import escape
from math import inf
from pathlib import Path

import numpy as np

from puzzlebase import system
from puzzlebase.db import shared_arrays
from puzzlebase.db.block_cache import BlockArrays, Bytes, Indices, PackedBlocks, in_own_memory, offsets_of, read_all
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.files import Closing
from puzzlebase.db.shared_arrays import Arrays, ArrayStore, Draft, SharedArrays, stem_of
from puzzlebase.db.table_file import BlockFile, BlockHeaders, TableFile

_LOG = logging.getLogger(__name__)
_SUFFIX = ".distances"
_DIGITS = 16  # of the table's mark, in the name
_DIGEST_BYTES = 32
_UNVERIFIED = "not-verified-yet"  # in place of the digits


@dataclass(frozen=True)
class MappedFiles:
    """The files of tables in a folder, None for no folder."""

    folder: Path | None = None
    always: bool = False  # else a file is made only if the whole table would fit into this process's memory
    in_memory: float = inf  # bytes of the largest file that stays in memory, so that nobody waits for the disk

    @property
    def numberings(self) -> ArrayStore | None:
        """The store of arrays that number states."""
        return ArrayStore(self.folder) if self.folder else None

    def path(self, table: TableFile) -> Path | None:
        """The path of a table's file, which need not exist."""
        return self.named(table.path, table.mark)

    def named(self, table: Path, digits: str) -> Path | None:
        """The path of a table's file with these digits in its name; None without a folder."""
        return self.folder and self.folder / f"{stem_of(table)}-{digits}{_SUFFIX}"

    def find(self, table: TableFile) -> MappedBlocks | None:
        """The blocks in the file of a table; None if there is no sound one."""
        path = self.path(table)
        try:
            found = path and shared_arrays.read(path)
        except OSError:
            return None
        return self._blocks(table, path, found) if path and found else None

    def make(self, table: TableFile, headers: BlockHeaders) -> MappedBlocks | None:
        """The blocks in the file of a table, made now if missing; None if it cannot be made. Raises DamagedTable."""
        path = self.path(table)
        if path is None:
            return None
        try:
            found = shared_arrays.read_or_make(path, partial(_write, table, headers), self.former(table))
        except OSError as error:
            say_not_made(path, error)
            return None
        return self._blocks(table, path, found) if found else None

    def former(self, table: TableFile) -> str:
        """A pattern of the names of a table's files, also those of former tables."""
        return f"{escape(stem_of(table.path))}-{'?' * _DIGITS}{_SUFFIX}*"

    def _blocks(self, table: TableFile, path: Path, found: SharedArrays) -> MappedBlocks | None:
        if found.arrays["digest"].tobytes().hex() != table.digest:
            return None
        return MappedBlocks(table, path, found, in_memory=len(found.pages) <= self.in_memory)


def say_not_made(path: Path, error: OSError) -> None:
    """Log that a file which all processes were to share cannot be made."""
    _LOG.warning("%s is not made, each process reads the table itself: %s", path, error.strerror or error)


NOT_MAPPED = MappedFiles()  # each process holds its own copy


class MappedBlocks(PackedBlocks):
    """The blocks in a mapped file, each checked when it is first read. Raises DamagedTable as the table's file does."""

    def __init__(self, file: BlockFile, path: Path, found: SharedArrays, *, in_memory: bool) -> None:
        self._offset = offsets_of(file, found.arrays)
        super().__init__(file, found.arrays, found.tail, np.full(len(self._offset) - 1, -1))
        self.in_memory = in_memory
        self._path = path
        self._pages = found.pages
        system.advise(self._pages, "MADV_HUGEPAGE" if in_memory else "MADV_RANDOM")
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
                system.advise(self._pages, "MADV_WILLNEED", at, tail + last - at)
            if zlib.crc32(self.codes[first:last].data) != self._checksum[number]:
                self._mend(number, first, last)
            self.start[number] = first
        return super()._arrays(numbers)

    def _mend(self, number: int, first: int, last: int) -> None:
        """Read a block from the table itself, into pages of this process's own, and remove the file."""
        (block,) = self._file.blocks_at([number * BLOCK_SIZE])
        self.codes[first:last] = self._content(number, block)
        with suppress(OSError):
            self._path.unlink()
        _LOG.warning("%s was damaged and is removed; it is made again when the table is next opened", self._path)


class UnnamedFile(Closing):
    """The file of a table that is being built: the table's digest names it at the end."""

    def __init__(self, files: MappedFiles, table: Path) -> None:
        self._files = files
        self._path = files.named(table, _UNVERIFIED)
        self._draft: Draft | None = None
        self._arrays: Arrays | None = None

    def whole(self, file: BlockFile, headers: BlockHeaders) -> PackedBlocks:
        """Read all blocks, into this process's memory if the file cannot be made. Raises DamagedTable."""
        if self._path:
            try:
                self._draft = Draft(self._path)
                self._arrays = _fill(self._draft, file, headers)
                return PackedBlocks(file, headers, self._draft.tail(), offsets_of(file, headers)[:-1])
            except OSError as error:
                say_not_made(self._path, error)
        return in_own_memory(file, headers)

    def name(self, table: TableFile) -> None:
        """Give the new file the name of this table's file, if there is one."""
        path = self._files.path(table)
        if path and self._draft and self._arrays:
            try:
                _finish(self._draft, self._arrays, table.digest)
                self._draft.name(path, self._files.former(table))
            except OSError as error:
                say_not_made(path, error)

    def close(self) -> None:
        """Close it; a file without a name is removed."""
        if self._draft:
            self._draft.close()


def _fill(draft: Draft, blocks: BlockFile, headers: BlockHeaders) -> Arrays:
    """Write all blocks of a table, each checked when it is read; returns the arrays for the end, without the digest."""
    checksums = np.zeros(len(headers), np.uint32)
    digest, (base, width) = np.zeros(_DIGEST_BYTES, np.uint8), (headers[name].copy() for name in ("base", "width"))
    arrays = {"digest": digest, "base": base, "width": width, "checksum": checksums}
    draft.begin(arrays, int(offsets_of(blocks, headers)[-1]))

    def take(first: int, at: int, contents: list[Bytes]) -> None:
        draft.put(at, *contents)
        checksums[first : first + len(contents)] = [zlib.crc32(content.data) for content in contents]

    read_all(blocks, headers, take)
    return arrays


def _finish(draft: Draft, arrays: Arrays, digest: str) -> None:
    arrays["digest"][:] = np.frombuffer(bytes.fromhex(digest), np.uint8)
    draft.finish(arrays)


def _write(table: TableFile, headers: BlockHeaders, draft: Draft) -> None:
    _finish(draft, _fill(draft, table, headers), table.digest)
