"""Where the parts of split tables lie, and what stands in a table in place of the data of its blocks."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import NamedTuple

from puzzlebase.db.paths import PARTS

_MARK = b"part"  # no frame of zstd begins so
_LAYOUT = struct.Struct("<4sIQI")
REFERENCE_SIZE = _LAYOUT.size
_DIGITS = 16  # of the digest, in the name of a part


class PartReference(NamedTuple):
    """In which part the data lie, from which byte on, and how many."""

    part: int
    offset: int
    size: int

    def to_bytes(self) -> bytes:
        """What stands in the table in place of the data."""
        return _LAYOUT.pack(_MARK, *self)

    @classmethod
    def of(cls, data: bytes) -> PartReference | None:
        """What stands in place of data; None for data themselves."""
        return cls(*_LAYOUT.unpack(data)[1:]) if len(data) == REFERENCE_SIZE and data.startswith(_MARK) else None


def part_name(table_name: str, digest: str, part: int) -> str:
    """The name of the file of a part."""
    return f"{table_name}-{digest[:_DIGITS]}.{part}.blocks"


def part_places(data: Path) -> list[str]:
    """The places that were named, that of part 0 first, else the folder of the tables."""
    named = [place.strip().rstrip("/") for place in os.environ.get(PARTS, "").split(",")]
    return [place for place in named if place] or [str(data)]


def wrong_place(places: str) -> str | None:
    """What is wrong with places that a person named; None for what can be read from."""
    from urllib.parse import urlsplit

    for number, place in enumerate(places.split(",")):
        if "://" not in place:
            continue
        try:
            address = urlsplit(place.strip())
            known = address.scheme in ("http", "https") and address.hostname and address.port != 0
        except ValueError:
            known = False
        if not known or "@" in address.netloc or address.query or address.fragment:
            return f"the place of part {number} is no plain address with http or https: a host, a port, and a path"
    return None
