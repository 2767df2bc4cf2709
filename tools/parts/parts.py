"""A table in parts: its file has everything but the blocks' data, which lie in files of their own, anywhere.

A row of `block` has a reference in place of its data. A part is a file of such data, one after another; its name has
the table's digest, so it never changes. It is trusted no more than a disk: the checksums are in the table's own file.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cached_property
from math import inf
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from puzzlebase.db.blocks import BLOCK_SIZE, Block
from puzzlebase.db.errors import UnavailablePart
from puzzlebase.db.paths import PARTS
from puzzlebase.db.table_file import TableFile
from puzzlebase.tools.parts.ranges import Range, ServerConnections, Unreadable

_MARK = b"part"  # no frame of zstd begins so
_REFERENCE = struct.Struct("<4sIQI")
REFERENCE_SIZE = _REFERENCE.size
_DIGITS = 16  # of the digest, in the name of a part
_STORED = struct.Struct(f"<iiB16s{REFERENCE_SIZE}s")  # of a block: n, base, width, checksum, and its reference
_STORED_AT_ONCE = 1 << 15  # blocks
_AT_ONCE = 16  # ranges that are asked for at a time in one place: more than a lookup needs
_JOINED = 1 << 20  # bytes that are asked for together, where blocks lie one behind another
_PATIENCE = 5.0  # seconds without any answer, after which those that are still waited for are given up
_REST = 2.0  # seconds that a place is left alone after that, so that not every request waits for it


class PartReference(NamedTuple):
    """The place of a block's data: the part, the first byte there, and the number of bytes."""

    part: int
    offset: int
    size: int

    def to_bytes(self) -> bytes:
        """Pack the reference that stands in the table in place of the data."""
        return _REFERENCE.pack(_MARK, *self)

    @classmethod
    def of(cls, data: bytes) -> PartReference | None:
        """Unpack the reference; None for data themselves."""
        return cls(*_REFERENCE.unpack(data)[1:]) if len(data) == REFERENCE_SIZE and data.startswith(_MARK) else None


def part_name(table_name: str, digest: str, part: int) -> str:
    """The name of the file of a part."""
    return f"{table_name}-{digest[:_DIGITS]}.{part}.blocks"


class BlocksInParts:
    """The blocks of a table in parts, the OutsideBlocks of its file; safe to use from several threads.

    Part k lies in the k-th place, a folder or an address. If there are fewer places than parts, they repeat from the
    first.
    """

    def __init__(self, table: TableFile) -> None:
        self._table = table
        named = [place.strip().rstrip("/") for place in os.environ.get(PARTS, "").split(",")]
        self._places = [_Place(where) for where in filter(None, named)] or [_Place(str(table.path.parent))]
        self._connections = ServerConnections()

    @staticmethod
    def wrong_place(places: str) -> str | None:
        """Explain the fault of places that a person named; None for readable ones."""
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

    @cached_property
    def _stored(self) -> bytes:
        """The file's facts of each block, cached: a query took half of a lookup's time."""
        stored = bytearray()
        for block in self._table.stored_blocks(_STORED_AT_ONCE):
            if PartReference.of(block.data) is None:
                raise self._table.damaged("has blocks that do not lie in its parts")
            stored += _STORED.pack(block.n, block.base, block.width, block.checksum, block.data)
        if len(stored) != self._table.block_count * _STORED.size:
            raise self._table.damaged("lacks blocks")
        return bytes(stored)

    @property
    def held(self) -> object:
        """The objects in memory, to count their bytes."""
        return self.__dict__.get("_stored")

    @property
    def count(self) -> int:
        """The number of parts; raises DamagedTable."""
        last = PartReference.of(self._stored[-REFERENCE_SIZE:])
        return last.part + 1 if last else 0

    @property
    def where(self) -> str:
        """The parts and their places, in words; raises DamagedTable."""
        return f"{self.count} parts in {', '.join(place.where for place in self._places)}"

    def check(self, until: float = inf) -> None:
        """Raise UnavailablePart unless each part can be read by then, a time of monotonic(), or in some seconds."""
        self._read([PartReference(part, 0, 1) for part in range(self.count)], until)

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order; raises DamagedTable and UnavailablePart."""
        at = [first // BLOCK_SIZE * _STORED.size for first in first_indices]
        stored = [_STORED.unpack_from(self._stored, each) for each in at]
        return self.with_data([Block(first, *row) for first, row in zip(first_indices, stored, strict=True)])

    def with_data(self, blocks: list[Block]) -> list[Block]:
        """The same blocks with their data; raises UnavailablePart."""
        references = [PartReference.of(block.data) for block in blocks]
        data = iter(self._read([reference for reference in references if reference]))
        return [
            replace(block, data=next(data), origin=self._origin(reference.part)) if reference else block
            for block, reference in zip(blocks, references, strict=True)
        ]

    def _origin(self, part: int) -> str:
        """The address or the path of a part's file."""
        return f"{self._place(part).where}/{part_name(self._table.path.stem, self._table.digest, part)}"

    def _read(self, references: Sequence[PartReference], until: float = inf) -> list[bytes]:
        """Read the data of blocks, in the same order, without a check; raises UnavailablePart.

        The wait for all lasts while some data come, so no request outlives an error; but not longer than `until`, a
        time of monotonic(). A place that gave no answer is then avoided for a while, unless `until` was given.
        """
        patience = min(_PATIENCE, max(until - monotonic(), 0))
        groups = _joined(references)
        places = [self._place(group[0].part) for group in groups]
        for group, place in zip(groups, places, strict=True):
            if place.rests_until > monotonic():
                raise self._unavailable(group[0].part, f"it gave no answer within {_PATIENCE:g} s just now")
        ranges = [Range(self._origin(group[0].part), group[0].offset, _size(group)) for group in groups]
        futures = [place.threads.submit(one.read, self._connections) for place, one in zip(places, ranges, strict=True)]
        try:
            late = _wait(futures, until)
        finally:
            for future, one in zip(futures, ranges, strict=True):
                if not future.cancel() and not future.done():
                    one.give_up()
        silent = [at for at, future in enumerate(futures) if future in late]
        for at in silent if until == inf else ():
            places[at].rests_until = monotonic() + _REST
        if silent:
            raise self._unavailable(groups[silent[0]][0].part, f"it gave no answer within {patience:.1g} s")
        found: dict[PartReference, bytes] = {}
        for group, future in zip(groups, futures, strict=True):
            try:
                content = future.result()
            except Unreadable as error:
                raise self._unavailable(group[0].part, str(error)) from None
            for each in group:
                found[each] = content[each.offset - group[0].offset :][: each.size]
        return [found[each] for each in references]

    def close(self) -> None:
        """Close the connections."""
        for place in self._places:
            place.threads.shutdown(wait=False, cancel_futures=True)
        self._connections.close()

    def _place(self, part: int) -> _Place:
        return self._places[part % len(self._places)]

    def _unavailable(self, part: int, why: str) -> UnavailablePart:
        return UnavailablePart(
            f"part {part} of the table {self._table.path.stem!r} cannot be read from {self._origin(part)!r}: {why}",
            "have that file served there, whole and by ranges of bytes; the table is right again at once",
        )


class _Place:
    """A folder or an address, and the threads that wait for its data."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.threads = ThreadPoolExecutor(_AT_ONCE, "parts")
        self.rests_until = 0.0


def _joined(references: Iterable[PartReference]) -> list[list[PartReference]]:
    """References in groups that lie one behind another in one part."""
    groups: list[list[PartReference]] = []
    for each in sorted(set(references)):
        last = groups[-1][-1] if groups else None
        behind = last and (each.part, each.offset) == (last.part, last.offset + last.size)
        if behind and _size(groups[-1]) + each.size <= _JOINED:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _size(group: list[PartReference]) -> int:
    return sum(each.size for each in group)


def _wait(futures: list[Future[bytes]], until: float) -> set[Future[bytes]]:
    """Wait for all until then, but at most some seconds for the next one; returns those that are not done."""
    left = set(futures)
    while left:
        done, left = wait(left, max(min(_PATIENCE, until - monotonic()), 0), FIRST_COMPLETED)
        if not done:
            return left
    return left
