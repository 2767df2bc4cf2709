"""Arrays kept in a file: one process makes them, all others map them, and memory has one copy of them.

What is kept can be made again, so a file may be removed at any time. Its name says what it holds, down to a digest or a
hash of sources. A file of that name therefore never changes. It is written beside its name, by one process while others
wait, and moved there when it is whole.

The head of a file and the arrays are checked when it is opened. A tail may follow them, which its reader checks piece
by piece. So nobody waits until all is on the disk: what a machine lost when it stopped is made again. Pages that nobody
writes to are those of the system's cache of files, shared by all processes.
"""

from __future__ import annotations

import errno
import hashlib
import json
import mmap
import os
import shutil
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.lock import FileInUse, locked

Arrays = Mapping[str, npt.NDArray[Any]]
Bytes = npt.NDArray[np.uint8]

_UNFINISHED = ".building"
_MAGIC = b"pb-kept1"
_HEAD = struct.Struct("<8sIIQQ")  # the magic, checksum of the rest up to the tail, length of the names, tail, size
_CHECKED_FROM = 12
_ALIGNED = 64  # bytes: a cache line
_PAGE = 4096
_LARGE_PAGE = 1 << 21
"""Bytes of a page that Linux caches and maps as one where a file was written so: random reads then take half the time
they take in pages of 4096 bytes, and as long as in this process's own large pages."""
_SPARE = 1 << 30
"""Bytes that stay free on the disk, or a tenth of it where that is less: others need room as well."""

_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)  # Python has the name from 3.13 on
_PRIVATE = mmap.MAP_PRIVATE | _NO_RESERVE
"""Kernels are compiled for arrays that can be written. What is written stays with the process, and needs memory then:
without the second flag, Linux refuses to map a file that is larger than all memory."""


class Kept(NamedTuple):
    """What a file holds: arrays that were checked, and the bytes after them, which were not."""

    arrays: dict[str, npt.NDArray[Any]]
    tail: Bytes
    mapped: mmap.mmap


def read(path: Path) -> Kept | None:
    """What a file holds, mapped into memory; None where there is none, or a damaged one. Raises OSError."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _HEAD.size:
                return None
            mapped = mmap.mmap(file.fileno(), size, _PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
    except FileNotFoundError:
        return None
    content = np.frombuffer(mapped, np.uint8)
    magic, checksum, length, tail, whole = _HEAD.unpack_from(content.data)
    if (magic, whole) != (_MAGIC, size) or not _HEAD.size + length <= tail <= size:
        return None
    if zlib.crc32(content[_CHECKED_FROM:tail].data) != checksum:
        return None
    names = json.loads(content[_HEAD.size :][:length].tobytes())
    arrays = {
        name: content[start : start + np.dtype(dtype).itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
        for name, (dtype, shape, start) in names.items()
    }
    return Kept(arrays, content[tail:], mapped)


def write(file: BinaryIO, arrays: Arrays, tail: Iterable[Bytes] = (), tail_size: int = 0) -> None:
    """Write a file from its beginning; raises OSError, before anything is written where the disk has no room.

    The tail is written first, so its pieces may be made meanwhile and arrays filled with what is found out of them.
    """
    names = {name: [array.dtype.str, array.shape, 0] for name, array in arrays.items()}
    at = _aligned(_HEAD.size + len(json.dumps(names)) + 20 * len(names))
    for name, array in arrays.items():
        names[name][2] = at
        at = _aligned(at + array.nbytes)
    start = _aligned(at, _PAGE) if tail_size else at
    _reserve(file, start + tail_size)
    file.seek(start)
    file.writelines(_in_large_pages(tail, start))
    header = json.dumps(names).encode()
    content = np.zeros(start, np.uint8)
    content[_HEAD.size :][: len(header)] = np.frombuffer(header, np.uint8)
    for name, array in arrays.items():
        content[names[name][2] :][: array.nbytes] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    _HEAD.pack_into(content.data, 0, _MAGIC, 0, len(header), start, start + tail_size)
    checksum = zlib.crc32(content[_CHECKED_FROM:].data)
    _HEAD.pack_into(content.data, 0, _MAGIC, checksum, len(header), start, start + tail_size)
    file.seek(0)
    file.write(content.data)


def _in_large_pages(pieces: Iterable[Bytes], at: int) -> Iterator[bytearray | memoryview]:
    """The same bytes in pieces that end where large pages of a file do, the first one beginning at `at` there."""
    gathered = bytearray()
    for piece in pieces:
        left = piece.data
        while len(left):
            room = _LARGE_PAGE - (at + len(gathered)) % _LARGE_PAGE
            some, left = left[:room], left[room:]
            if len(some) == _LARGE_PAGE:
                yield some  # as it is: to gather it would take as long as to write it
                at += len(some)
                continue
            gathered += some
            if len(some) == room:
                yield gathered
                at += len(gathered)
                gathered = bytearray()
    yield gathered


def read_or_make(path: Path, make: Callable[[BinaryIO], None], former: str) -> Kept | None:
    """What a file holds; where it is not there or is damaged, `make` writes it, in one process while others wait.

    Other files of the pattern `former` are then removed. Raises OSError where the file cannot be written or mapped, and
    what `make` raises. None where it is gone or damaged as soon as it is written.
    """
    if found := read(path):
        return found
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(path.name + _UNFINISHED)
    with locked(unfinished, wait=True) as file:
        try:
            found = read(path)  # another process has made it meanwhile
            if found is None:
                file.truncate(0)  # what a process left that was killed
                make(file)
                file.flush()
                unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        if found:
            unfinished.unlink(missing_ok=True)
            return found
    for other in path.parent.glob(former):
        if other != path:
            _remove(other)
    return read(path)


@cache
def source_hash(folder: Path) -> str:
    """A hash of all sources in a folder, 16 hexadecimal digits, for the name of a file whose content follows them."""
    hashed = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*.py")):
        hashed.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return hashed.hexdigest()


def _remove(path: Path) -> None:
    """Remove a file that is of no use any more, if that can be done and no process is writing it."""
    with suppress(OSError, FileInUse):
        if path.name.endswith(_UNFINISHED):
            locked(path).close()
        path.unlink()


def _aligned(at: int, size: int = _ALIGNED) -> int:
    return -(-at // size) * size


def _reserve(file: BinaryIO, size: int) -> None:
    """Take room on the disk for a file; raises OSError where little would be left for others."""
    disk = shutil.disk_usage(file.fileno())
    if disk.free - size < min(_SPARE, disk.total // 10):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
