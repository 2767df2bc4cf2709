"""The manifest of a release as JSON: the tables in a folder for others to fetch, with their digests."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from puzzlebase.db.errors import DamagedTable

MANIFEST = "manifest.json"  # its name beside the tables
MOST_BYTES_OF_A_MANIFEST = 4 << 20
_FORMAT = 1
_NAME = re.compile(r"[^./\\\x00-\x1f\x7f]{1,248}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table of a release."""

    name: str  # of its file without .duckdb: the puzzle, and behind an @ the key of a goal that is not the default
    digest: str  # of the distances: equal builds share it
    states: int  # that can reach the goal
    gods_number: int  # -1 if no state can reach the goal
    bytes: int  # of the file
    sha256: str  # of the file
    version: str  # of the program that built it

    @property
    def is_sound(self) -> bool:
        """True for a name that is no path, for digests, and for numbers in range."""
        names = _NAME.fullmatch(self.name) and _DIGEST.fullmatch(self.digest) and _DIGEST.fullmatch(self.sha256)
        return bool(names) and self.states >= 0 and self.gods_number >= -1 and self.bytes > 0

    @property
    def file(self) -> str:
        """The name of its file, beside the manifest."""
        return f"{self.name}.duckdb"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The tables of a release, by name, and the version of the program that released them."""

    version: str
    tables: tuple[ReleasedTable, ...]
    format: int = _FORMAT

    def to_json(self) -> bytes:
        """The content of its file."""
        return TypeAdapter(Manifest).dump_json(self, indent=2) + b"\n"


def read_manifest(content: bytes, where: str) -> Manifest:
    """Read a manifest from its file's content; raises DamagedTable, which names the origin `where`."""
    hint = "take another --from; `puzzlebase release` writes such a manifest"
    try:
        manifest = TypeAdapter(Manifest).validate_json(content[:MOST_BYTES_OF_A_MANIFEST], strict=True)
    except ValidationError as error:
        reason = f"{error.errors()[0]['msg']} at {'.'.join(map(str, error.errors()[0]['loc'])) or 'its beginning'}"
        raise DamagedTable(f"the manifest at {where!r} cannot be read: {reason}", hint) from None
    if manifest.format != _FORMAT:
        raise DamagedTable(f"the manifest at {where!r} has format {manifest.format}, not {_FORMAT}", hint)
    names = [table.name for table in manifest.tables]
    if len(set(names)) < len(names) or not all(table.is_sound for table in manifest.tables):
        raise DamagedTable(f"the manifest at {where!r} names what can be no table, or one twice", hint)
    return manifest
