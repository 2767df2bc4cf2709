"""Tables of rows and columns that take long to make, kept in a file: one process makes them, all others read them.

The file is named after the puzzle and a hash of the sources in this folder, so that no other version reads it. Its
bytes are checked before they are used. It can be removed at any time; it is then made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]

_ALIGNED = 64  # bytes: a cache line
_CHECKSUM = struct.Struct("<I")  # of all that follows it
_LENGTH = struct.Struct("<I")  # of the header
_BEGINS = _CHECKSUM.size + _LENGTH.size
_SUFFIX = ".numbering"


class Numberings:
    """The arrays of each name, in a folder if there is one; safe to use from several threads and processes."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def keep_in(self, folder: Path) -> None:
        """Read and write files in this folder from now on; it is made when there is something to write."""
        self._folder = folder

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a name. They are made where they are in no file, and kept if that is possible."""
        if self._folder is None:
            return make()
        path = self._folder / f"{name}-{_source_hash()}{_SUFFIX}"
        found = _read(path)
        if found is None:
            found = make()
            with suppress(OSError):  # a folder that cannot be written, a full disk: they are made at each start
                _write(path, found)
                for former in self._folder.glob(f"{name}-{'?' * 16}{_SUFFIX}"):
                    if former != path:
                        former.unlink()
        return found


NUMBERINGS = Numberings()
"""Those of this process."""


def _read(path: Path) -> Arrays | None:
    """What a file holds, mapped into memory; None where there is none, or a damaged one."""
    try:
        content = np.asarray(np.memmap(path, np.uint8, "c"))  # kernels are compiled for arrays that can be written
    except (OSError, ValueError):
        return None
    if len(content) < _BEGINS or zlib.crc32(content[_CHECKSUM.size :].data) != _CHECKSUM.unpack_from(content.data)[0]:
        return None
    (length,) = _LENGTH.unpack_from(content.data, _CHECKSUM.size)
    header = json.loads(content[_BEGINS : _BEGINS + length].tobytes())
    return {
        name: content[start : start + np.dtype(dtype).itemsize * int(np.prod(shape))].view(dtype).reshape(shape)
        for name, (dtype, shape, start) in header.items()
    }


def _write(path: Path, arrays: Arrays) -> None:
    """Write a file beside its name and move it there when it is whole."""
    layout = {name: [array.dtype.str, array.shape, 0] for name, array in arrays.items()}
    at = -(-(_BEGINS + len(json.dumps(layout)) + 20 * len(layout)) // _ALIGNED) * _ALIGNED
    for name, array in arrays.items():
        layout[name][2] = at
        at += -(-array.nbytes // _ALIGNED) * _ALIGNED
    header = json.dumps(layout).encode()
    content = np.zeros(at, np.uint8)
    _LENGTH.pack_into(content.data, _CHECKSUM.size, len(header))
    content[_BEGINS : _BEGINS + len(header)] = np.frombuffer(header, np.uint8)
    for name, array in arrays.items():
        content[layout[name][2] :][: array.nbytes] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    _CHECKSUM.pack_into(content.data, 0, zlib.crc32(content[_CHECKSUM.size :].data))
    path.parent.mkdir(exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        content.tofile(new)
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise


@cache
def _source_hash() -> str:
    """A hash of all sources in this folder, 16 hexadecimal digits."""
    hashed = hashlib.blake2b(digest_size=8)
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        hashed.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return hashed.hexdigest()
