"""Arrays cached in a file: one process makes them,
all others map them, and memory has one copy of them.

They can be made again, so a file may be removed at any time. A digest or a hash of sources in its
name determines its content: a file of that name never changes. One process writes it beside its
name while others wait, and moves it there.

The header and the arrays are checked when a file is opened; a reader of the tail after them checks
it piece by piece. Nobody waits until all is on the disk: pages lost in a crash are made again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import mmap
import os
import shutil
import struct
import sys
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase import system
from puzzlebase.atomic_files import FileInUse, locked_file
from puzzlebase.system import write_at
from puzzlebase.version import source_hash

Arrays = Mapping[str, npt.NDArray[Any]]
Bytes = npt.NDArray[np.uint8]

_NUMBERING, _UNFINISHED = ".numbering", ".building"
_MAGIC = b"pb-kept1"
# the magic, checksum of the rest up to the tail, length of the names, tail, size
_HEADER = struct.Struct("<8sIIQQ")
_CHECKED_FROM = 12
_ALIGNED = 64  # bytes: a cache line
_PAGE = 4096
# bytes that Linux caches and maps as one page if written together, for reads in half the time
_LARGE_PAGE = 1 << 21
# bytes that stay free on the disk for others, or a tenth of the disk if that is less
_SPARE = 1 << 30


class SharedArrays(NamedTuple):
    """The content of a file: arrays that were checked, and the bytes after them, which were not."""

    arrays: dict[str, npt.NDArray[Any]]
    tail: Bytes
    pages: mmap.mmap


def read(path: Path) -> SharedArrays | None:
    """Map the content of a file; None if it is missing or damaged.
    Raises OSError if it cannot be mapped.
    """
    try:
        file = system.open_regular_file(path)
    except OSError:
        return None
    with file:
        size = os.fstat(file.fileno()).st_size
        return _checked(_map(file, size)) if size >= _HEADER.size else None


def _checked(pages: mmap.mmap) -> SharedArrays | None:
    content = np.frombuffer(pages, np.uint8)
    magic, checksum, length, tail, whole = _HEADER.unpack_from(pages)
    if (magic, whole) != (_MAGIC, len(content)) or not _HEADER.size + length <= tail <= whole:
        return None
    if zlib.crc32(content[_CHECKED_FROM:tail].data) != checksum:
        return None
    names = json.loads(content[_HEADER.size :][:length].tobytes())
    arrays = {
        name: content[start : start + np.dtype(dtype).itemsize * int(np.prod(shape))]
        .view(dtype)
        .reshape(shape)
        for name, (dtype, shape, start) in names.items()
    }
    return SharedArrays(arrays, content[tail:], pages)


class Draft:
    """A file that is written beside its place: its tail,
    in any order and by any threads, and then its arrays.

    One process at a time has it, as `path` with a suffix, and others wait; without a name it is
    removed when it is closed. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        self._path: Path | None = path.with_name(path.name + _UNFINISHED)
        self.file = locked_file(self._path, wait=True)
        self.file.truncate(0)  # of the content that a killed process left

    def begin(self, arrays: Arrays, tail_size: int = 0) -> None:
        """Reserve the disk for arrays of these shapes and types, and for a tail. Raises OSError."""
        self._names = {name: [array.dtype.str, array.shape, 0] for name, array in arrays.items()}
        at = _aligned(_HEADER.size + len(json.dumps(self._names)) + 20 * len(self._names))
        for name, array in arrays.items():
            self._names[name][2] = at
            at = _aligned(at + array.nbytes)
        self._start = (
            _aligned(at, _LARGE_PAGE if tail_size >= _LARGE_PAGE else _PAGE) if tail_size else at
        )
        self._size = self._start + tail_size
        assert self._path
        disk = shutil.disk_usage(self._path.parent)
        if disk.free - at - tail_size < min(_SPARE, disk.total // 10):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        system.reserve(self.file, self._size)

    def put(self, at: int, *parts: Bytes) -> None:
        """Write a piece of the tail; Linux keeps a piece that is a large page,
        at a multiple of its size, as one.
        """
        write_at(self.file, np.concatenate(parts).data, self._start + at)

    def finish(self, arrays: Arrays) -> None:
        """Write the arrays and the header, which make the file complete."""
        names = json.dumps(self._names).encode()
        content = np.zeros(self._start, np.uint8)
        content[_HEADER.size :][: len(names)] = np.frombuffer(names, np.uint8)
        for name, array in arrays.items():
            content[self._names[name][2] :][: array.nbytes] = (
                np.ascontiguousarray(array).view(np.uint8).reshape(-1)
            )
        _HEADER.pack_into(content.data, 0, _MAGIC, 0, len(names), self._start, self._size)
        checksum = zlib.crc32(content[_CHECKED_FROM:].data)
        _HEADER.pack_into(content.data, 0, _MAGIC, checksum, len(names), self._start, self._size)
        self.file.seek(0)
        self.file.write(content.data)

    def write(self, arrays: Arrays) -> None:
        """Write all of a file that has no tail. Raises OSError."""
        self.begin(arrays)
        self.finish(arrays)

    def name(self, path: Path, former: str) -> None:
        """Give the file its name and remove other files of the pattern `former`. Raises OSError."""
        assert self._path
        self.file.flush()
        self._path.replace(path)
        self._path = None
        for other in path.parent.glob(former):
            if other != path:
                # if that cannot be done, or a process is writing it
                with suppress(OSError, FileInUse):
                    if other.name.endswith(_UNFINISHED):
                        locked_file(other).close()
                    other.unlink()

    def close(self) -> None:
        """Close the file; remove it if it has no name."""
        if self._path:
            self._path.unlink(missing_ok=True)
        self.file.close()


def read_or_make_arrays(
    path: Path, make: Callable[[Draft], None], former: str
) -> SharedArrays | None:
    """Read the arrays of a file; if it is missing or damaged, one process has `make` write it.

    Other files of the pattern `former` are then removed. None if the file is gone or damaged as
    soon as it is written. Raises OSError if it cannot be written or mapped, and the errors of
    `make`.
    """
    if found := read(path):
        return found
    with closing(Draft(path)) as draft:
        if found := read(path):  # another process has made it meanwhile
            return found
        make(draft)
        draft.name(path, former)
    return read(path)


class ArrayStore:
    """Arrays by name, each in a file that is made on demand;
    its name has the hash of what they depend on.
    """

    def __init__(self, folder: Path, suffix: str = _NUMBERING) -> None:
        self._folder = folder
        self._suffix = suffix

    def __call__(self, name: str, make: Callable[[], Arrays], *traits: object) -> Arrays:
        """The arrays of a name, made if no file has them, and stored if that is possible.

        They depend on the program, and on these traits of their origin.
        """
        path = self._folder / f"{name}-{array_digits(source_hash(), *traits)}{self._suffix}"
        try:
            found = read_or_make_arrays(
                path, lambda draft: draft.write(make()), f"{escape(name)}-{'?' * 16}{self._suffix}*"
            )
        except OSError as error:
            # a folder that cannot be written, a full disk: they are made at each start
            logging.getLogger(__name__).info("%s is not used: %s", path, error.strerror or error)
            found = None
        return found.arrays if found else make()


def array_digits(*traits: object) -> str:
    """16 hexadecimal digits for the name of a file of arrays: they differ if a trait does."""
    return hashlib.blake2b(repr(traits).encode(), digest_size=8).hexdigest()


def _aligned(at: int, size: int = _ALIGNED) -> int:
    return -(-at // size) * size


def _map(file: BinaryIO, size: int) -> mmap.mmap:
    """Map a file; what is written to the pages stays in the process.

    Kernels are compiled for writable arrays, and written pages need memory. So without the second
    flag, which Python names since 3.13, Linux refuses to map a file larger than all memory.
    """
    private = mmap.MAP_PRIVATE | getattr(
        mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0
    )
    return mmap.mmap(file.fileno(), size, private, mmap.PROT_READ | mmap.PROT_WRITE)
