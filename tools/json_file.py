"""Files of JSON beside a table, each a dataclass: results that a verb has computed once.

The last field of a file is the checksum of all before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from puzzlebase.db.errors import DamagedTable, MissingTable

Content = TypeVar("Content")

_CHECKSUM = b',"checksum":"%s"}'


@dataclass(frozen=True)
class JsonFiles(Generic[Content]):
    """A writer and reader of files of one kind."""

    kind: type[Content]
    verb: str  # of `puzzlebase`, which computes it
    most_bytes: int  # of a file; one that is longer is not read

    @cached_property
    def _adapter(self) -> TypeAdapter[Content]:
        return TypeAdapter(self.kind)

    def write(self, path: Path, content: Content) -> None:
        """Write a file."""
        fields = self._adapter.dump_json(content)[:-1]
        path.write_bytes(fields + _checksum(fields))

    def read(self, path: Path, missing: MissingTable | None = None, **of: object) -> Content:
        """Read a file, whose fields must be those of the table that it is `of`.

        Raises `missing`, whose hint is the command that computes the file; MissingTable for a file of another table;
        DamagedTable for a file that was changed.
        """
        missing = missing or MissingTable(f"there is no {path.name!r} yet", f"puzzlebase {self.verb}")
        try:
            with path.open("rb") as file:
                text = file.read(self.most_bytes)
            content = self._content(text)
        except FileNotFoundError:
            raise missing from None
        except (OSError, ValueError) as error:
            why = str(error).splitlines()[0]
            again = f"compute it again with: puzzlebase {self.verb}"
            raise DamagedTable(f"{str(path)!r} is not what was written: {why}", again) from None
        if any(getattr(content, name) != value for name, value in of.items()):
            again = f"compute it again: {missing.hint}"
            raise MissingTable(f"{str(path)!r} was computed from another table", again)
        return content

    def _content(self, text: bytes) -> Content:
        """The content of a file; raises ValueError."""
        fields = text[: -len(_checksum(b""))]
        if text != fields + _checksum(fields):
            raise ValueError("its checksum is another")
        return self._adapter.validate_json(fields + b"}", strict=True)


def _checksum(fields: bytes) -> bytes:
    return _CHECKSUM % blake2b(fields, digest_size=16).hexdigest().encode()
