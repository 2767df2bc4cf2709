"""The manifest of a release as JSON:
the tables in a folder for others to fetch, with their digests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, NonNegativeInt, PositiveInt, TypeAdapter, ValidationError

from puzzlebase.db.errors import DamagedTable

MANIFEST = "manifest.json"  # its name beside the tables
MOST_BYTES_OF_A_MANIFEST = 4 << 20
_FORMAT = 1

Name = Annotated[str, Field(pattern=r"^[^./\\\x00-\x1f\x7f]{1,248}$")]
"""A name that is no path."""
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table of a release."""

    # of its file without .duckdb: the puzzle, and behind an @ the key of a goal that is not the
    # default
    name: Name
    digest: Digest  # of the distances: equal builds share it
    states: NonNegativeInt  # that can reach the goal
    gods_number: Annotated[int, Field(ge=-1)]  # -1 if no state can reach the goal
    bytes: PositiveInt  # of the file
    sha256: Digest  # of the file
    version: str  # of the program that built it

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
    """Read a manifest from its file's content;
    raises DamagedTable, which names the origin `where`.
    """
    hint = "take another --from; `puzzlebase release` writes such a manifest"
    try:
        manifest = TypeAdapter(Manifest).validate_json(
            content[:MOST_BYTES_OF_A_MANIFEST], strict=True
        )
    except ValidationError as error:
        reason = (
            f"{error.errors()[0]['msg']} at "
            f"{'.'.join(map(str, error.errors()[0]['loc'])) or 'its beginning'}"
        )
        raise DamagedTable(f"the manifest at {where!r} cannot be read: {reason}", hint) from None
    if manifest.format != _FORMAT:
        raise DamagedTable(
            f"the manifest at {where!r} has format {manifest.format}, not {_FORMAT}", hint
        )
    names = [table.name for table in manifest.tables]
    if len(set(names)) < len(names):
        raise DamagedTable(f"the manifest at {where!r} names a table twice", hint)
    return manifest
