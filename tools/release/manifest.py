"""The manifest of a release: which tables lie in a folder for others to fetch, and what each of them is, as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import Certificate

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MANIFEST = "manifest.json"
"""Its name beside the tables."""

MOST_BYTES_OF_A_MANIFEST = 4 << 20
_FORMAT = 1
_NAME = re.compile(r"[a-z0-9][^./\\\x00-\x1f\x7f]{0,199}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table of a release; `version` is that of the program that built it.

    `name` is that of its file without .duckdb: the puzzle, and behind an @ the key of a goal that is not the default.
    `states` can reach the goal. Equal builds share the `digest`; `bytes` and `sha256` are those of the file.
    """

    name: str
    digest: str
    states: int
    gods_number: int
    certificates: tuple[Certificate, ...]
    bytes: int
    sha256: str
    version: str

    @property
    def is_sound(self) -> bool:
        """True if this can be a table: its name is no path, and its numbers are in range."""
        names = _NAME.fullmatch(self.name) and _DIGEST.fullmatch(self.digest) and _DIGEST.fullmatch(self.sha256)
        return bool(names) and self.states > 0 and self.gods_number >= 0 and self.bytes > 0

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
        """Its file's content."""
        return _adapter().dump_json(self, indent=2) + b"\n"


def read_manifest(content: bytes, where: str) -> Manifest:
    """The manifest of its file's content; raises DamagedTable, which names `where` it was read."""
    from pydantic import ValidationError

    hint = "take another --from; `puzzlebase release` writes such a manifest"
    try:
        manifest = _adapter().validate_json(content[:MOST_BYTES_OF_A_MANIFEST], strict=True)
    except ValidationError as error:
        reason = f"{error.errors()[0]['msg']} at {'.'.join(map(str, error.errors()[0]['loc'])) or 'its beginning'}"
        raise DamagedTable(f"the manifest at {where!r} cannot be read: {reason}", hint) from None
    if manifest.format != _FORMAT:
        raise DamagedTable(f"the manifest at {where!r} has format {manifest.format}, not {_FORMAT}", hint)
    names = [table.name for table in manifest.tables]
    if len(set(names)) < len(names) or not all(table.is_sound for table in manifest.tables):
        raise DamagedTable(f"the manifest at {where!r} names what can be no table, or one twice", hint)
    return manifest


@cache
def _adapter() -> TypeAdapter[Manifest]:
    from pydantic import TypeAdapter

    return TypeAdapter(Manifest)
