"""Files of JSON beside a table, each a dataclass: results that a verb has computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from puzzlebase.db.errors import DamagedTable, MissingTable

Content = TypeVar("Content")


@dataclass(frozen=True)
class JsonFiles(Generic[Content]):
    """A writer and reader of files of one kind."""

    kind: type[Content]
    is_sound: Callable[[Content], bool]  # True for a content whose parts belong together, its format among them
    verb: str  # of `puzzlebase`, which computes it
    most_bytes: int  # of a file; one that is longer is not read

    @cached_property
    def _adapter(self) -> TypeAdapter[Content]:
        return TypeAdapter(self.kind)

    def write(self, path: Path, content: Content) -> None:
        """Write a file."""
        path.write_bytes(self._adapter.dump_json(content))

    def read(self, path: Path) -> Content:
        """Read a file; raises MissingTable, or DamagedTable for a file that was changed."""
        try:
            with path.open("rb") as file:
                text = file.read(self.most_bytes + 1)
            content = self._adapter.validate_json(text[: self.most_bytes], strict=True)
        except FileNotFoundError:
            raise MissingTable(f"there is no {path.name!r} yet", f"compute it with: puzzlebase {self.verb}") from None
        except (OSError, ValidationError) as error:
            raise self._damaged(path, str(error).splitlines()[0]) from None
        if not self.is_sound(content):
            raise self._damaged(path, "its numbers do not belong together")
        return content

    def _damaged(self, path: Path, why: str) -> DamagedTable:
        again = f"compute it again with: puzzlebase {self.verb}"
        return DamagedTable(f"{str(path)!r} is not what was written: {why}", again)
