"""Where the data of a block lie that are not in the table's own file: see db/parts.py."""

from __future__ import annotations

import struct
from typing import NamedTuple

_MARK = b"part"  # no frame of zstd begins so
_LAYOUT = struct.Struct("<4sIQI")
REFERENCE_SIZE = _LAYOUT.size
_DIGITS = 16  # of the digest, in the name of a part


class Reference(NamedTuple):
    """In which part the data lie, from which byte on, and how many."""

    part: int
    offset: int
    size: int

    def to_bytes(self) -> bytes:
        """What stands in the table in place of the data."""
        return _LAYOUT.pack(_MARK, *self)

    @classmethod
    def of(cls, data: bytes) -> Reference | None:
        """What stands in place of data; None for data themselves."""
        return cls(*_LAYOUT.unpack(data)[1:]) if len(data) == REFERENCE_SIZE and data.startswith(_MARK) else None


def part_name(table_name: str, digest: str, part: int) -> str:
    """The name of the file of a part."""
    return f"{table_name}-{digest[:_DIGITS]}.{part}.blocks"
