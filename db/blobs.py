"""A file of named blobs: bytes that only a puzzle understands."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from puzzlebase.db.blocks import checksum_of, compress, decompressed
from puzzlebase.db.catalog import Schema
from puzzlebase.db.files import StoredFile, Writer, digest

SCHEMA = Schema("blobs", 1, "oracle_info")


class BlobsWriter(Writer):
    """A new file of blobs."""

    schema = SCHEMA

    def finish(self, puzzle: str, blobs: Mapping[str, bytes]) -> None:
        """Write all blobs of a puzzle and close the file."""
        rows = [
            (name, len(data), checksum_of(data, _header(name)), compress(data)) for name, data in sorted(blobs.items())
        ]
        with self._writing():
            self._insert("blob", rows)
            built = datetime.now(UTC)
            self._insert("oracle_info", [(SCHEMA.format, puzzle, built, _digest(puzzle, [(row[2],) for row in rows]))])
            self._commit()


class BlobsFile(StoredFile):
    """A puzzle's blobs by name, in memory. Raises DamagedTable also for a wrong format or digest."""

    schema = SCHEMA

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.check_format()
        with self.damage():
            (row,) = self._rows("SELECT puzzle, epoch_us(built), digest FROM oracle_info")
            self.puzzle: str = row[0]
            self.of: tuple[str, ...] = (self.puzzle,)
            self.built = datetime.fromtimestamp(row[1] / 1e6).astimezone()
            self.digest: str = row[2]
            rows = self._rows("SELECT name, bytes, checksum, data FROM blob ORDER BY name")
            self.blobs = {
                name: decompressed(name, data, size, _header(name), checksum) for name, size, checksum, data in rows
            }
        if _digest(self.puzzle, [(checksum,) for _, _, checksum, _ in rows]) != self.digest:
            raise self.damaged("does not have its digest")

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(map(len, self.blobs.values()))


def _digest(puzzle: str, checksums: list[tuple[Any, ...]]) -> str:
    return digest({"format": SCHEMA.format, "puzzle": puzzle}, (), checksums)


def _header(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=32).digest()
