"""What can be wrong with a stored file."""

from __future__ import annotations


class TableError(Exception):
    """A stored file cannot be used; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class MissingTable(TableError):
    """There is no file where one is needed."""


class UnwritableTable(TableError):
    """A file cannot be written where it should lie."""


class DamagedTable(TableError):
    """The file is there, but it does not hold what was stored, or it has another format."""


class UnavailablePart(TableError):
    """A part of a table cannot be read where it should lie; the rest of the table can."""
