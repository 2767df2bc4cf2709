"""A job whose result over a whole table is a file of JSON beside it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.publishing import held, unpublished
from puzzlebase.paths import table_path
from puzzlebase.tools.json_file import JsonFiles


@dataclass(frozen=True)
class JsonJob(Job):
    """A result of a goal's table. Needs the table; raises MissingTable."""

    files: ClassVar[JsonFiles[Any]]

    @property
    def table_name(self) -> str:
        """The name of the table's file, without its ending."""
        return self.puzzle.table_name(self.goal)

    @property
    def table_path(self) -> Path:
        """The table's file."""
        return table_path(self.data, self.table_name)

    @abstractmethod
    def result(self) -> object:
        """Compute the content of the file."""

    def verify(self) -> str:
        """Compute it again and compare; raises VerificationError."""
        if self.files.read(self.path) != self.result():
            raise VerificationError(f"{str(self.path)!r} is not what the table gives")
        return f"{self.path} is sound: the table gives the same once more"

    def _make(self) -> None:
        with held(self.path), unpublished(self.path) as unfinished:
            self.files.write(unfinished, self.result())
